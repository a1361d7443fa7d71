"""A pixel's story as data: from what is seen there to the vertices, joints, clips and keys that put it there."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from posed.showing import ShowsItself

if TYPE_CHECKING:
    from rich.tree import Tree

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Surface:
    """What is seen at the pixel.

    `part` is its id; `node` and `primitive` say which it is in the object's file, `mesh` is the mesh's name there.
    `triangle` counts in the part from 1, `instance` from 0. `depth` in metres, `position` and `normal` in the world;
    `barycentric` are the shares of the triangle's three vertices; `uv` the first texture coordinates there.
    """

    object: str
    part: int
    node: int
    node_name: str
    mesh: str
    primitive: int
    material: str
    triangle: int
    instance: int
    depth: float
    position: Vector
    normal: Vector
    barycentric: Vector
    uv: Vector


@dataclass(frozen=True)
class Influence:
    """A joint that pulls a vertex: its row in the palette, the name of its node, and its weight."""

    joint: int
    name: str
    weight: float


@dataclass(frozen=True)
class Morph:
    """A morph target that moves a vertex: its number and name, its weight, and its delta at weight 1 in metres."""

    target: int
    name: str
    weight: float
    delta: Vector


@dataclass(frozen=True)
class Vertex:
    """A vertex of the triangle.

    `index` counts in the file's primitive; `share` is its barycentric share of the pixel; `bind` its position in the
    file; `position` where it is in the world.
    """

    index: int
    share: float
    bind: Vector
    position: Vector
    influences: tuple[Influence, ...]
    morphs: tuple[Morph, ...]


@dataclass(frozen=True)
class Key:
    """A key of a channel: its number, its time in seconds and its value."""

    number: int
    time: float
    value: Vector


@dataclass(frozen=True)
class Move:
    """One channel of one playing layer at work on a bone.

    `mix` and `layer` say which of the snapshot's layers, counted from 0, `path` which property; `keys` are the key at
    or before the clip's time and, where the time lies between two, the one after it, `share` the part of the way to
    that one. `value` is what the channel gives.
    """

    mix: int
    layer: int
    clip: str
    time: float
    path: str
    interpolation: str
    keys: tuple[Key, ...]
    share: float
    value: Vector


@dataclass(frozen=True)
class Bone:
    """A node on the way from the root of the file's scene to what pulls the pixel.

    `parent` is the node above it, None at the root. `joint` is its row in the palette and `share` how much of the pixel
    it pulls, both None where it only carries others. `matrix` is its global transform in the file's scene space, 16
    numbers column by column; `translation`, `rotation` and `scale` are those in its parent's space. What the snapshot
    does not tell is None. `moves` are the channels that act on it.
    """

    node: int
    name: str
    parent: int | None
    joint: int | None
    share: float | None
    matrix: Vector | None
    translation: Vector | None
    rotation: Vector | None
    scale: Vector | None
    moves: tuple[Move, ...]

    @property
    def position(self) -> Vector | None:
        """Where it stands in the file's scene space."""
        return None if self.matrix is None else self.matrix[12:15]


@dataclass(frozen=True)
class Layer:
    """A layer of what the object plays: its clip and time in seconds, its weight in its mix, how it joins and ends."""

    clip: str
    time: float
    weight: float
    kind: str
    playback: str


@dataclass(frozen=True)
class Mix:
    """Layers that make one whole pose, over the mixes before it by `weight`."""

    weight: float
    layers: tuple[Layer, ...]


@dataclass(frozen=True)
class Sprite:
    """The step of a sprite's clip, None where the snapshot does not say, and the texel that the pixel shows.

    `frame` counts in the atlas, `rectangle` is its x, y, width and height there; `texel` is column and row in the
    atlas's image, from its upper left, and `color` its red, green, blue and alpha as stored.
    """

    clip: str | None
    step: int | None
    playback: str | None
    frame: int
    rectangle: tuple[int, int, int, int]
    texel: tuple[int, int]
    color: tuple[int, int, int, int]


@dataclass(frozen=True)
class Explanation(ShowsItself):
    """Why a pixel shows what it shows.

    Attributes
    ----------
    x, y, size
        The pixel, column and row from the upper left, and the picture's width and height.
    tick, alpha
        The moment of the snapshot.
    surface
        None where nothing is seen but the background; then all below is empty.
    vertices
        The three of the triangle.
    bones
        Parents first: every node on the way to a joint that pulls the pixel, or to the node that places the part.
    morph_moves
        The channels that give the morph weights.
    mixes
        What the object plays, oldest first; None where the snapshot does not say.
    sprite
        Of a sprite's object, else None.
    notes
        What could not be told and why, and what does not fit together.
    """

    x: int
    y: int
    size: tuple[int, int]
    tick: int
    alpha: float
    surface: Surface | None
    vertices: tuple[Vertex, ...] = ()
    bones: tuple[Bone, ...] = ()
    morph_moves: tuple[Move, ...] = ()
    mixes: tuple[Mix, ...] | None = None
    sprite: Sprite | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        seen = "the background" if self.surface is None else f"{self.surface.object}, part {self.surface.part}"
        return f"Explanation of pixel {self.x}, {self.y} at tick {self.tick}: {seen}"

    def to_dict(self) -> dict[str, Any]:
        """Return the story as plain values, ready for JSON."""
        return asdict(self)

    def tree(self) -> Tree:
        """Return the story as a tree for the terminal."""
        from posed.verify.explaining.tree import tree

        return tree(self)

    def __str__(self) -> str:
        from posed.verify.explaining.tree import text

        return text(self)
