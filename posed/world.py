"""The world: a scene's objects played by tick, frozen into snapshots."""

from __future__ import annotations

from collections.abc import Sequence

from posed.actor import Actor
from posed.arrangement import arranged
from posed.builder import AnimationBuilder
from posed.errors import PoseError
from posed.events import AnimationEvent
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.still import mover_matrix


class World:
    """A scene that is played.

    It begins before tick 0: `posed` shows tick 0 until the first `advance`, which delivers every event up to and with
    its tick. What the scene file plays starts at tick 0. Ticks are integers; the scene's rate says how many there are
    to a second.

    Parameters
    ----------
    scene
        What is played; never changed.
    strict
        A refused command raises at once. Without it the refusal is kept, see `animation_errors`, and the command does
        nothing.
    """

    def __init__(self, scene: Scene, *, strict: bool = True) -> None:
        self.scene, self.strict = scene, strict
        self._actors = {one.name: Actor(one, scene.rate) for one in scene.objects}
        self._errors: list[tuple[int, str, str]] = []
        self._pending: AnimationBuilder | None = None
        self._tick = -1
        for actor in self._actors.values():
            actor.begin()
        self._before = {name: actor.frozen() for name, actor in self._actors.items()}

    @property
    def ticks(self) -> int:
        """The tick that `posed` shows: the last one advanced to, 0 before the first."""
        return max(self._tick, 0)

    def advance(self, tick: int) -> list[AnimationEvent]:
        """Play on to `tick`; return the events of the ticks after the last call's, up to and with this one, in order.

        Raises
        ------
        PoseError
            `tick` lies before the last one: a world only goes forward.
        """
        self.settle()
        if tick < self._tick:
            raise PoseError(f"the world is at tick {self._tick} and cannot go back to {tick}: make a new World")
        events: list[AnimationEvent] = []
        if tick > self._tick:
            events += self._step(tick - 1) if tick > 0 else []
            self._before = {name: actor.frozen() for name, actor in self._actors.items()}
        events += self._step(tick)
        self._tick = tick
        return events

    def _step(self, tick: int) -> list[AnimationEvent]:
        events = [
            AnimationEvent(at, name, clip, event)
            for name, actor in self._actors.items()
            for at, clip, event in actor.advance(tick)
        ]
        return sorted(events, key=lambda event: event.tick)

    def posed(self, alpha: float = 0.0) -> Posed:
        """Return the snapshot of the current tick, or of `alpha` in [0, 1) of the way to the next one.

        Its `previous` is the tick before at the same alpha, as it was before any command of the current tick.
        """
        self.settle()
        if not 0.0 <= alpha < 1.0:
            raise PoseError(f"alpha is {alpha}: it lies in [0, 1)")
        previous = self._freeze(self._before, self.ticks - 1, alpha, None) if self.ticks > 0 else None
        return self._freeze(self._actors, self.ticks, alpha, previous)

    def _freeze(self, actors: dict[str, Actor], tick: int, alpha: float, previous: Posed | None) -> Posed:
        poses = {name: actor.pose(tick, alpha) for name, actor in actors.items()}
        matrices = {one.name: mover_matrix(one, self.scene.rate, tick, alpha) for one in self.scene.objects}
        models, camera = arranged(self.scene, matrices, poses)
        frames = {name: actor.frame(tick) for name, actor in actors.items()}
        return Posed(
            tick=tick,
            alpha=alpha,
            rate=self.scene.rate,
            scene=self.scene.digest,
            models=models,
            nodes={name: pose.nodes for name, pose in poses.items() if pose.nodes},
            palettes={name: pose.palettes for name, pose in poses.items() if pose.palettes},
            morphs={name: pose.morphs for name, pose in poses.items() if pose.morphs},
            sprites={name: frame for name, frame in frames.items() if frame is not None},
            visible={one.name: one.visible for one in self.scene.objects},
            camera=camera,
            previous=previous,
        )

    def animate(self, name: str, clip: str | int) -> AnimationBuilder:
        """Begin to play `clip` on the object `name` at the current tick; the builder returned refines it.

        The command takes effect at the builder's `done` or at the next call on the world.

        Raises
        ------
        PoseError
            No such object, or one without clips; with `strict`, at once.
        """
        self.settle()
        self._pending = AnimationBuilder(self, name, [(clip, 1.0)])
        return self._pending

    def animate_blend(self, name: str, clips: Sequence[tuple[str | int, float]]) -> AnimationBuilder:
        """Begin to play several clips of the object `name` by weight; see `animate`."""
        self.settle()
        self._pending = AnimationBuilder(self, name, list(clips))
        return self._pending

    def settle(self) -> None:
        """Carry out the command that a builder has left open."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.done()

    def actor(self, name: str) -> Actor:
        """Return the actor of the object `name`.

        Raises
        ------
        PoseError
            There is no such object.
        """
        if name not in self._actors:
            have = ", ".join(self._actors) or "none"
            raise PoseError(f'the scene has no object "{name}" (it has {have})')
        return self._actors[name]

    def refuse(self, name: str, error: Exception) -> None:
        """Raise `error` as a PoseError that names the object, or keep it where the world is not strict."""
        text = str(error) if isinstance(error, PoseError) else f'object "{name}": {error}'
        if self.strict:
            raise PoseError(text) from error
        self._errors.append((self.ticks, name, text))

    def animation_errors(self) -> list[tuple[int, str, str]]:
        """Return the refusals kept since the current tick began, as (tick, object, text)."""
        return list(self._errors)
