"""Grouping instances into draws."""

from typing import Any, cast

from posed.live.draws import group_draws
from posed.live.pages import Geometry


def test_instances_of_one_geometry_are_made_contiguous_in_the_order_of_the_first() -> None:
    a, b, c = (cast(Geometry, cast(Any, object())) for _ in range(3))
    draws, order = group_draws([a, b, a, c, b, a])
    assert [(draw.geometry, draw.first, draw.count) for draw in draws] == [(a, 0, 3), (b, 3, 2), (c, 5, 1)]
    assert order == [0, 2, 5, 1, 4, 3]
    assert group_draws([]) == ([], [])
