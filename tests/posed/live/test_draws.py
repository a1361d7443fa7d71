"""Grouping instances into draws."""

from typing import Any, cast

from posed.live.draws import group_draws
from posed.live.materials import Look, MaterialPage
from posed.live.meshes import Mesh

PLAIN, HOLED = Look(False, False, False, False, False, False), Look(True, False, True, False, False, False)


def mesh(page: object) -> Mesh:
    made = Mesh()
    made.page = cast(Any, page)
    return made


def test_instances_of_one_mesh_are_made_contiguous_in_the_order_of_the_first() -> None:
    page, materials = object(), cast(MaterialPage, object())
    a, b, c = mesh(page), mesh(page), mesh(page)
    draws, order = group_draws([(one, materials, PLAIN) for one in (a, b, a, c, b, a)])
    assert [(draw.mesh, draw.first, draw.count) for draw in draws] == [(a, 0, 3), (b, 3, 2), (c, 5, 1)]
    assert order == [0, 2, 5, 1, 4, 3]
    assert group_draws([]) == ([], [])


def test_draws_of_the_same_pages_follow_each_other() -> None:
    first, second = object(), object()
    paint, wood = cast(MaterialPage, object()), cast(MaterialPage, object())
    a, b = mesh(first), mesh(second)
    draws, order = group_draws([(*one, PLAIN) for one in ((a, paint), (b, paint), (a, wood), (b, paint), (a, paint))])
    assert [(draw.mesh, draw.materials) for draw in draws] == [(a, paint), (b, paint), (a, wood)]
    assert order == [0, 4, 1, 3, 2]


def test_instances_of_one_mesh_that_look_otherwise_are_drawn_apart() -> None:
    one, paint = mesh(object()), cast(MaterialPage, object())
    draws, order = group_draws([(one, paint, look) for look in (PLAIN, HOLED, PLAIN)])
    assert [(draw.look, draw.first, draw.count) for draw in draws] == [(PLAIN, 0, 2), (HOLED, 2, 1)]
    assert order == [0, 2, 1]
