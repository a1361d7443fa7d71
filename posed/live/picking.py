"""Picks: what a pixel of the picture shows, by name."""

from __future__ import annotations

from dataclasses import dataclass

from posed.live.instances import Instance


@dataclass(frozen=True, eq=False)
class Pick:
    """What is seen through the centre of pixel (x, y).

    `object` and `part` are names, as the frame's id table has them, and `triangle` counts from 1 in the part; `joint`
    names the joint that moves the point most, and is empty where nothing skins it. All are empty, and `triangle` is 0,
    where nothing with depth is seen. `instance` is the renderer's own one, None in scenes. `flat` is the flat draw on
    top of all that, by its place in the flat scene's draws and the sprite's number in it, None where there is none.
    """

    x: int
    y: int
    object: str = ""
    part: str = ""
    triangle: int = 0
    joint: str = ""
    instance: Instance | None = None
    flat: tuple[int, int] | None = None
