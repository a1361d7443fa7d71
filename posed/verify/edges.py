"""Which triangles a camera draws, and across which of their edges the surface goes on."""

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel
from tracer.tables import DOUBLE_SIDED, Looks, Mesh

Floats = NDArray[np.float64]


@kernel
def seen_area(eye: Floats, a: int, b: int, c: int, orthographic: bool) -> float:
    """Return a number with the sign of the area that three vertices cover in the picture, positive counter-clockwise.

    The eye-space `eye` is (V, 3): right, up, forward. For a perspective camera it is the volume that the vertices span
    with the eye, which also holds for vertices behind it; else twice the area.
    """
    if orthographic:
        return (eye[b, 0] - eye[a, 0]) * (eye[c, 1] - eye[a, 1]) - (eye[b, 1] - eye[a, 1]) * (eye[c, 0] - eye[a, 0])
    return (
        eye[a, 0] * (eye[b, 1] * eye[c, 2] - eye[b, 2] * eye[c, 1])
        + eye[a, 1] * (eye[b, 2] * eye[c, 0] - eye[b, 0] * eye[c, 2])
        + eye[a, 2] * (eye[b, 0] * eye[c, 1] - eye[b, 1] * eye[c, 0])
    )


@kernel
def mark_drawn(
    mesh: Mesh, looks: Looks, eye: Floats, has_area: NDArray[np.bool_], orthographic: bool, drawn: NDArray[np.bool_]
) -> None:
    """Write to `drawn` (F,) which triangles have an area and show the camera their front, or have two sides."""
    for triangle in range(len(mesh.triangles)):
        a, b, c = mesh.triangles[triangle, 0], mesh.triangles[triangle, 1], mesh.triangles[triangle, 2]
        front = seen_area(eye, a, b, c, orthographic) * mesh.facing[triangle] > 0.0
        two_sided = looks.materials[mesh.material[triangle], DOUBLE_SIDED] != 0.0
        drawn[triangle] = has_area[triangle] and (front or two_sided)


@kernel
def mark_sealed(
    mesh: Mesh,
    objects: NDArray[np.uint32],
    eye: Floats,
    drawn: NDArray[np.bool_],
    orthographic: bool,
    sealed: NDArray[np.bool_],
) -> None:
    """Write to `sealed` (F, 3) whether a drawn triangle of the same object lies on the other side of an edge.

    Edges are shared by place, not by index: seams split vertices. Sides are those of the picture, so that an edge
    between a front and a back is none that continues the surface: there lies the silhouette.
    """
    for triangle in range(len(mesh.triangles)):
        if not drawn[triangle]:
            continue
        for edge in range(3):
            start = mesh.triangles[triangle, edge]
            end = mesh.triangles[triangle, (edge + 1) % 3]
            own = seen_area(eye, start, end, mesh.triangles[triangle, (edge + 2) % 3], orthographic)
            for index in range(mesh.around_start[mesh.place[start]], mesh.around_start[mesh.place[start] + 1]):
                other = np.intp(mesh.around[index])
                if other == triangle or not drawn[other] or objects[other] != objects[triangle]:
                    continue
                opposite = third_corner(mesh, other, start, end)
                if opposite >= 0 and own * seen_area(eye, start, end, opposite, orthographic) < 0.0:
                    sealed[triangle, edge] = True
                    break


@kernel
def third_corner(mesh: Mesh, triangle: int, start: int, end: int) -> int:
    """Return the vertex of a triangle that lies at neither end of an edge it shares by place, -1 where it shares none."""
    shared, third = 0, -1
    for corner in range(3):
        vertex = np.intp(mesh.triangles[triangle, corner])
        place = mesh.place[vertex]
        if place == mesh.place[start] or place == mesh.place[end]:
            shared += 1
        else:
            third = vertex
    return third if shared == 2 else -1
