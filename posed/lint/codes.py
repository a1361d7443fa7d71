"""The table of all codes: what each finding means and how it is cured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True)
class Code:
    """One kind of finding: `title` names it, `explanation` says what goes wrong with it, `cure` what to do."""

    severity: Literal["error", "warning", "note"]
    title: str
    explanation: str
    cure: str


FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "P0": "The file as a whole",
        "P1": "Accessors",
        "P2": "Nodes and scenes",
        "P3": "Skins",
        "P4": "Joint weights",
        "P5": "Meshes",
        "P6": "Animations",
        "P7": "Textures and images",
        "P8": "Names and unused data",
        "P9": "Scene files",
    }
)
"""The first two characters of a code to what its codes are about."""

CODES: Mapping[str, Code] = MappingProxyType(
    {
        "P001": Code(
            "error",
            "Unreadable value",
            "A value has no meaning as it stands. The loader refuses the file at the first such value that it needs; "
            "this lists every one that was met.",
            "until it is corrected nothing that needs it can be loaded",
        ),
        "P002": Code(
            "note",
            "Read with a reservation",
            "The loader leaves something out, or takes it for something else, and no rule below says more about it.",
            "check that it is meant",
        ),
        "P003": Code(
            "note",
            "Extension not applied",
            "The file uses an extension, without requiring it, that is not applied here: what it adds is not seen.",
            "export without it, or expect the picture without what it adds",
        ),
        "P004": Code(
            "error",
            "Path out of the folder",
            "A URI names the network, an absolute path or a place above the model's folder. It is not followed: a "
            "model from elsewhere must not read the files of the machine that opens it.",
            "embed the data or put the file beside the model",
        ),
        "P101": Code(
            "warning",
            "Bounds that lie",
            "The accessor's min or max are not the least and greatest of its elements. Readers cull, frame and size "
            "by them, so parts vanish at the edge of the picture or cameras stand wrong.",
            "export the file again, or compute min and max anew",
        ),
        "P102": Code(
            "warning",
            "Bounds left out",
            "The specification asks for min and max where an accessor holds positions or key times; some readers "
            "refuse the file without, others scan all elements.",
            "export the file again with min and max",
        ),
        "P201": Code(
            "warning",
            "Node rotation not of unit length",
            "It is brought to unit length when it is loaded. Readers that do not do so scale or shear what hangs on "
            "it.",
            "normalize the rotation",
        ),
        "P202": Code(
            "warning",
            "Node rotation of no length",
            "Four zeros are no rotation; it is taken as none.",
            "write 0, 0, 0, 1 for no rotation",
        ),
        "P203": Code(
            "warning",
            "Scene root with a parent",
            "A scene lists a node that is another node's child. It is shown once, where its parent has it; other "
            "readers show it twice or without its parent.",
            "list only nodes without a parent",
        ),
        "P204": Code(
            "error",
            "Vertices past all numbers",
            "The nodes place a mesh so far away, or so large, that no float32 holds its vertices at rest; a picture or "
            "a bake of it is refused.",
            "correct the translations and scales of the nodes above it",
        ),
        "P301": Code(
            "warning",
            "Skinned node with a transform",
            "A skinned mesh is placed by its joints alone; its node's transform is ignored, and readers that apply "
            "it all the same move the mesh off its skeleton.",
            "apply the transform to the mesh before binding, or move the joints",
        ),
        "P302": Code(
            "note",
            "Skinned node below another",
            "The parents of a skinned node do not move it either; a reader that applies them counts the transform of "
            "an armature twice.",
            "make the skinned node a root of the scene",
        ),
        "P303": Code(
            "note",
            "No inverse bind matrices",
            "Each joint's is the identity: the vertices are stored in the space of their joints, which is rarely "
            "meant.",
            "bind the mesh and export its inverse bind matrices",
        ),
        "P304": Code(
            "warning",
            "Odd inverse bind matrix",
            "It flattens or mirrors what it binds, or there are more matrices than joints: the mesh was bound to a "
            "joint of scale 0 or below 0, or the joints were edited after binding.",
            "reset the joint's scale and bind the mesh again",
        ),
        "P305": Code(
            "warning",
            "Joint outside the scene",
            "The joint is in no tree of the shown scene. It counts here all the same; readers that instance the "
            "scene alone lose the joint or refuse the skin.",
            "put the root of the joints into the scene",
        ),
        "P306": Code(
            "warning",
            "Singular joint",
            "At rest the joint's global matrix flattens space. Normals are finite all the same, but what it moves is "
            "flat, and no reader can invert it.",
            "give the joint, and those above it, a scale other than 0",
        ),
        "P307": Code(
            "note",
            "Mirrored joint",
            "At rest the joint's global matrix mirrors. Triangles that it moves show their other side; here the "
            "front follows, engines that decide by the mesh's node cull them.",
            "apply the negative scale before binding",
        ),
        "P308": Code(
            "warning",
            "Joint listed twice in a skin",
            "The specification wants each node once; readers that map nodes to joints keep one of the two.",
            "list each joint once and bind the mesh again",
        ),
        "P309": Code(
            "note",
            "Rest pose far from the bind pose",
            "With no clip playing the vertices stand far from where the file stores them. Bounds of the stored mesh "
            "miss the posed one: it is framed, culled and picked in the wrong place.",
            "bind in the pose that the file rests in, or take bounds of the posed vertices",
        ),
        "P310": Code(
            "warning",
            "Skin and mesh that do not belong together",
            "A node with a skin shows a mesh without joints, or no mesh, or a node without a skin shows a mesh with "
            "joints: nothing is skinned.",
            "give the node both the skin and the mesh that was bound to it, or neither",
        ),
        "P401": Code(
            "warning",
            "Weights that do not sum to 1",
            "They are normalized over all sets when they are loaded. Shaders that take them as they are pull the "
            "vertex toward the origin, the more the farther it is from there.",
            "normalize the weights, all sets together",
        ),
        "P402": Code(
            "warning",
            "Vertices without weights",
            "All weights are 0. Such vertices follow joint 0 here; by the formula of the specification they fall to "
            "the origin, and engines differ.",
            "weight every vertex to a joint",
        ),
        "P403": Code(
            "warning",
            "Negative weights",
            "A weight below 0 pushes the vertex away from where its joint takes it.",
            "clamp the weights to 0 and normalize them",
        ),
        "P404": Code(
            "warning",
            "Joint twice on a vertex",
            "Both influences count here. Readers that keep the last one, or sort and cut, lose the other.",
            "merge the influences of one joint",
        ),
        "P405": Code(
            "note",
            "More than four influences",
            "All count here. Many engines read the first set of four only: their pose differs at these vertices.",
            "limit the influences to four, or expect engines to differ",
        ),
        "P406": Code(
            "warning",
            "More than eight influences",
            "All count here, but hardly any engine reads more than two sets of four.",
            "limit the influences to eight or four",
        ),
        "P501": Code(
            "note",
            "Degenerate triangles",
            "They have no area: two corners coincide or all three lie in a line. They keep their number and are "
            "never hit, and tangents and flat normals are undefined there.",
            "merge close vertices and drop triangles without area",
        ),
        "P502": Code(
            "note",
            "Non-manifold edges",
            "An edge belongs to more than two triangles, corners in one place counted as one. Inside and outside are "
            "undefined there, and renderers differ in which triangle a pixel on it shows.",
            "part the surfaces or delete the doubled triangles",
        ),
        "P503": Code(
            "note",
            "No normals",
            "The surface is shaded flat, by the normals of its posed triangles; some engines show it black or smooth.",
            "export normals, or mean it flat",
        ),
        "P504": Code(
            "note",
            "No tangents for a normal map",
            "Each reader makes its own: the specification names MikkTSpace, and not all follow it.",
            "export tangents",
        ),
        "P505": Code(
            "warning",
            "Texture without its coordinates",
            "The material reads a set of texture coordinates that the primitive has not: the texture shows one texel.",
            "export the set of texture coordinates, or choose one that is there",
        ),
        "P506": Code(
            "warning",
            "Normals not of unit length",
            "Posed normals are normalized here; shaders that do not do so light the surface too bright or too dark.",
            "normalize the normals",
        ),
        "P507": Code(
            "note",
            "Points or lines",
            "They are posed and baked, but drawn as nothing: a ray has no width to hit them by.",
            "turn them into triangles where they are to be seen",
        ),
        "P508": Code(
            "warning",
            "Primitive without positions",
            "It has no vertices and shows nothing.",
            "remove the primitive or export its positions",
        ),
        "P509": Code(
            "warning",
            "Indices left over",
            "Their number is no multiple of three: the last triangle is cut short and dropped.",
            "export the file again",
        ),
        "P510": Code(
            "note",
            "Vertices that no triangle uses",
            "They are posed, stored and sent for nothing, and they widen bounds.",
            "delete loose vertices",
        ),
        "P601": Code(
            "warning",
            "Rotation keys not of unit length",
            "They are normalized once, at load. Engines that interpolate them as they are give another rotation "
            "between keys.",
            "normalize the keys",
        ),
        "P602": Code(
            "warning",
            "Key times that repeat",
            "Of keys at one time the later one wins. Engines that divide by the interval give NaN, or keep the "
            "earlier.",
            "keep one key a time; for a jump use two channels or STEP",
        ),
        "P603": Code(
            "error",
            "Key times that go back",
            "A search for the interval finds any of several; the file is refused.",
            "sort the keys by time",
        ),
        "P604": Code(
            "warning",
            "Loop of no whole number of ticks",
            "Its wrap falls between two ticks, so that each turn shows other phases: a short loop stutters, and a "
            "pose does not come again at the same tick.",
            "make the clip whole ticks long, or choose another rate",
        ),
        "P605": Code(
            "warning",
            "Clip that moves nothing",
            "It has no channel that can be played, or all of its keys hold what the nodes are at rest.",
            "delete the clip or export its channels",
        ),
        "P606": Code(
            "warning",
            "Channel without a target",
            "It names no node, so it is left out.",
            "remove the channel or name its node",
        ),
        "P607": Code(
            "note",
            "Path that is not played",
            "The channel moves what is neither a node's transform or weights, nor a property that is played by pointer "
            "(visibility, factors of materials, texture transforms, lenses, lights); it is left out.",
            "move one of these",
        ),
        "P608": Code(
            "warning",
            "Property moved twice",
            "Two channels of a clip move the same property of the same node; the later one replaces the earlier.",
            "merge the channels",
        ),
        "P609": Code(
            "warning",
            "Animated node with a matrix",
            "The specification wants translation, rotation and scale on nodes that are animated; readers differ in "
            "what of the matrix stays.",
            "write the node's transform as translation, rotation and scale",
        ),
        "P610": Code(
            "warning",
            "Morph weights without targets",
            "The channel moves weights of a node whose mesh has no morph targets; it is left out.",
            "remove the channel or export the morph targets",
        ),
        "P611": Code(
            "note",
            "Clip that begins late",
            "Its first key lies after 0. The time line starts at 0 all the same, and the first key holds until then; "
            "engines that trim the start play the clip shorter.",
            "move the keys to begin at 0",
        ),
        "P612": Code(
            "warning",
            "Channel that moves a skinned node",
            "The transform of a skinned node is ignored, so the channel shows nothing; readers that apply it differ.",
            "animate the root joint instead",
        ),
        "P613": Code(
            "warning",
            "Keys before 0",
            "The specification wants key times of 0 and more. The time line starts at 0, so what lies before it never "
            "plays; some readers refuse the file, others shift the clip.",
            "move the keys to begin at 0",
        ),
        "P701": Code(
            "warning",
            "Large texture",
            "A side is longer than 4096 texels: 64 MiB and more once decoded, past what small GPUs take.",
            "scale the image down",
        ),
        "P702": Code(
            "error",
            "Unreadable image",
            "The image's bytes are no PNG, JPEG or WebP, or end early; it is refused when it is first shown.",
            "export the image again",
        ),
        "P801": Code(
            "warning",
            "Clips of one name",
            "A clip cannot be chosen by a name that several have: the lookup is refused and lists their indices.",
            "give each clip its own name",
        ),
        "P802": Code(
            "note",
            "Names used twice",
            "Names bind nothing in glTF, but attachments, masks and retargeting look nodes up by them.",
            "give each its own name",
        ),
        "P803": Code(
            "note",
            "Unused data",
            "Nothing in the file refers to it: it is stored and loaded for nothing.",
            "remove what is unused, as glTF-Transform's prune does",
        ),
        "P901": Code(
            "error",
            "Scene file refused",
            "The scene cannot be loaded: a key, a value, or a file that it names is wrong.",
            "the scene loads once it is corrected",
        ),
        "P902": Code(
            "warning",
            "Mark past the end",
            "The mark's time lies past the end of its clip, so its event never comes.",
            "move the mark into the clip",
        ),
        "P903": Code(
            "note",
            "Unused table",
            "No object uses the mesh or material; its file is read for nothing.",
            "remove the table or use it",
        ),
    }
)
"""Code to what it means. A code keeps its meaning for good; codes that are retired are not used again."""
