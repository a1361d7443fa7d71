"""Which triangles a camera draws, and across which of their edges the surface goes on."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anim.kernel import kernel

Index = int | np.intp


@kernel
def seen_area(eye: Any, a: Index, b: Index, c: Index, orthographic: bool) -> Any:
    """Return a number with the sign of the area that three vertices cover in the picture, positive counter-clockwise.

    `eye` (V, 3) is along right, up and forward. For a perspective camera it is the volume that the vertices span with
    the eye, which also holds for vertices behind it; else twice the area.
    """
    if orthographic:
        return (eye[b, 0] - eye[a, 0]) * (eye[c, 1] - eye[a, 1]) - (eye[b, 1] - eye[a, 1]) * (eye[c, 0] - eye[a, 0])
    return (
        eye[a, 0] * (eye[b, 1] * eye[c, 2] - eye[b, 2] * eye[c, 1])
        + eye[a, 1] * (eye[b, 2] * eye[c, 0] - eye[b, 0] * eye[c, 2])
        + eye[a, 2] * (eye[b, 0] * eye[c, 1] - eye[b, 1] * eye[c, 0])
    )


@kernel
def mark_drawn(triangles: Any, orthographic: bool, drawn: NDArray[np.bool_]) -> None:
    """Write to `drawn` (F,) which `geometry.Triangles` show the camera their front, or have two sides."""
    for triangle in range(len(triangles.corners)):
        a, b, c = triangles.corners[triangle, 0], triangles.corners[triangle, 1], triangles.corners[triangle, 2]
        area = seen_area(triangles.eye, a, b, c, orthographic) * triangles.facing[triangle]
        drawn[triangle] = area > 0.0 or (area < 0.0 and triangles.two_sided[triangle])


@kernel
def mark_sealed(
    triangles: Any,
    drawn: NDArray[np.bool_],
    orthographic: bool,
    sealed: NDArray[np.bool_],
    smooth: NDArray[np.bool_],
) -> None:
    """Write to `sealed` (F, 3) whether a drawn triangle of the same object lies on the other side of an edge, and to
    `smooth` (F, 3) whether it goes on there without a crease.

    Edges are shared by place, not by index. Sides are those of the picture, so that an edge between a front and a back
    does not continue the surface: there lies the silhouette. Across a smooth edge, color is continuous: both triangles
    are of one part, have the edge's vertices in common by index, and no flat normals.
    """
    for triangle in range(len(triangles.corners)):
        if not drawn[triangle]:
            continue
        for edge in range(3):
            start = np.intp(triangles.corners[triangle, edge])
            end = np.intp(triangles.corners[triangle, (edge + 1) % 3])
            third = np.intp(triangles.corners[triangle, (edge + 2) % 3])
            own = seen_area(triangles.eye, start, end, third, orthographic)
            place = triangles.place[start]
            for index in range(triangles.around_start[place], triangles.around_start[place + 1]):
                other = np.intp(triangles.around[index])
                if other == triangle or not drawn[other] or triangles.object[other] != triangles.object[triangle]:
                    continue
                opposite = third_corner(triangles, other, start, end)
                if opposite >= 0 and own * seen_area(triangles.eye, start, end, opposite, orthographic) < 0.0:
                    sealed[triangle, edge] = True
                    smooth[triangle, edge] = _is_smooth(triangles, triangle, other, start, end)
                    break


@kernel
def _is_smooth(triangles: Any, triangle: Index, other: Index, start: Index, end: Index) -> bool:
    shared = 0
    for corner in range(3):
        vertex = triangles.corners[other, corner]
        shared += 1 if vertex in (start, end) else 0
    is_flat = triangles.flat[triangle] or triangles.flat[other]
    return shared == 2 and not is_flat and triangles.part[triangle] == triangles.part[other]


@kernel
def third_corner(triangles: Any, triangle: Index, start: Index, end: Index) -> Index:
    """Return the vertex of a triangle that lies at neither end of an edge shared by place, -1 where none is shared."""
    shared, third = 0, np.intp(-1)
    for corner in range(3):
        vertex = np.intp(triangles.corners[triangle, corner])
        place = triangles.place[vertex]
        if place == triangles.place[start] or place == triangles.place[end]:
            shared += 1
        else:
            third = vertex
    return third if shared == 2 else np.intp(-1)
