"""A moment on the command line: the options that choose what plays and when, in one value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posed.game import Game
    from posed.scene.description import Scene
    from posed.snapshot import Posed
    from posed.world import World


@dataclass(frozen=True)
class Moment:
    """What `moment_options` read; a field is None, or empty, where its option is not given.

    Attributes
    ----------
    tick, time, ticks, posed
        When: a tick, seconds, a range of ticks, or the file of a snapshot.
    clips, object_, play
        What plays: clips, each "CLIP" or "CLIP:WEIGHT", the object they are for, or a game as "MODULE:GAME".
    """

    tick: int | None = None
    time: Fraction | None = None
    ticks: range | None = None
    clips: tuple[str, ...] = ()
    object_: str | None = None
    play: str | None = None
    posed: Path | None = None

    @property
    def chosen(self) -> bool:
        """Whether a single moment is chosen."""
        return self.tick is not None or self.time is not None or self.posed is not None

    @property
    def playing(self) -> bool:
        """Whether the options choose what plays, so that a model does not rest."""
        return bool(self.clips or self.play or self.posed)

    def given(self) -> list[str]:
        """Return the options that are given, as they are written."""
        names = {"clips": "clip", "object_": "object"}
        return [
            f"--{names.get(one.name, one.name)}" for one in fields(self) if getattr(self, one.name) not in (None, ())
        ]

    def check(self, scene: Scene) -> None:
        """Refuse what no scene, or not this one, can play; see `posed.cli.moments.check_moment`."""
        from posed.cli.moments import check_moment

        check_moment(scene, self)

    def snapshot(self, scene: Scene) -> Posed:
        """Return the snapshot of a scene that is chosen; see `posed.cli.moments.one_posed`."""
        from posed.cli.moments import one_posed

        return one_posed(scene, self)

    def world(self, scene: Scene) -> World:
        """Return a world of a scene that plays what is chosen; see `posed.cli.moments.playing_world`."""
        from posed.cli.moments import playing_world

        return playing_world(scene, self.clips, self.object_, self.play)

    def game(self, scene: Scene) -> Game | None:
        """Return what plays a scene; see `posed.cli.moments.playing_game`."""
        from posed.cli.moments import playing_game

        return playing_game(scene, self.clips, self.object_, self.play)
