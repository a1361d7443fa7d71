"""The world: a scene's objects played by tick, frozen into snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import anim
from posed.actor import Actor
from posed.arrangement import arranged
from posed.arrays import Float32
from posed.builder import AnimationBuilder
from posed.errors import PoseError
from posed.events import AnimationError, AnimationEvent
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
        self._pending: AnimationBuilder | None = None
        self._errors: list[AnimationError] = []
        self._begun = self._advanced = -1
        self._passed: list[AnimationEvent] = []
        self._latest: list[AnimationEvent] = []
        for actor in self._actors.values():
            actor.begin()
        self._before = {name: actor.frozen() for name, actor in self._actors.items()}

    @property
    def ticks(self) -> int:
        """The current tick, which `posed` shows and at which commands start: the last one begun, 0 before the first."""
        return max(self._begun, 0)

    def begin(self, tick: int) -> None:
        """Make `tick` the current one without playing it yet: commands from here on start at it.

        `advance` does so itself; a game calls it to give commands before their tick is played.

        Raises
        ------
        PoseError
            `tick` lies before the current one: a world only goes forward.
        """
        self.settle()
        if tick < self._begun or tick < 0:
            raise PoseError(f"the world is at tick {self.ticks} and cannot go back to {tick}: make a new World")
        if tick == self._begun:
            return
        if tick > 0:
            self._passed += self._step(tick - 1)
        self._before = {name: actor.frozen() for name, actor in self._actors.items()}
        self._begun = tick
        self._errors = []

    def advance(self, tick: int) -> list[AnimationEvent]:
        """Play on to `tick`; return the events of the ticks after the last call's, up to and with this one, in order.

        Raises
        ------
        PoseError
            `tick` lies before the current one: a world only goes forward.
        """
        self.begin(tick)
        self.settle()
        events = self._passed + self._step(tick)
        self._passed, self._advanced = [], tick
        self._latest = [event for event in events if event.tick == tick]
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

        Its `previous` is the tick before at the same alpha, as it was before any command of the current tick. Tick 0
        has none before and names itself.

        Raises
        ------
        PoseError
            `alpha` lies outside [0, 1).
        """
        self.settle()
        if not 0.0 <= alpha < 1.0:
            raise PoseError(f"alpha is {alpha}: it lies in [0, 1)")
        actors = self._before if self.ticks > 0 else self._actors
        previous = self._freeze(actors, max(self.ticks - 1, 0), alpha, None)
        posed = self._freeze(self._actors, self.ticks, alpha, previous)
        sources = {name: actor.source(self.ticks, alpha) for name, actor in self._actors.items()}
        return replace(posed, sources={name: source for name, source in sources.items() if source})

    def _freeze(self, actors: dict[str, Actor], tick: int, alpha: float, previous: Posed | None) -> Posed:
        poses = {name: actor.pose(tick, alpha) for name, actor in actors.items()}
        matrices = {
            one.name: actors[one.name].walked(mover_matrix(one, self.scene.rate, tick, alpha))
            for one in self.scene.objects
        }
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
            properties={name: pose.properties for name, pose in poses.items() if pose.properties},
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

    def play_clip(self, name: str, clip: str | int) -> None:
        """Play `clip` on the object `name` from the current tick, at the object's own speed and playback.

        Raises
        ------
        PoseError
            As `animate`.
        """
        self.animate(name, clip)
        self.settle()

    def stop_animation(self, name: str) -> None:
        """Play nothing on the object `name` from the current tick: the rest pose, or a sprite's still frame.

        Raises
        ------
        PoseError
            There is no such object, or nothing on it can play.
        """
        self.settle()
        try:
            self.player(name).stop(self.ticks)
        except PoseError as error:
            self.refuse(name, error)

    def settle(self) -> None:
        """Carry out the command that a builder has left open."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.settle()

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

    def animator(self, name: str) -> anim.Animator:
        """Return the animator of the object `name`, for what the builder does not say.

        Raises
        ------
        PoseError
            There is no such object, or it has no clips.
        """
        self.settle()
        animator = self.actor(name).animator
        if animator is None:
            raise PoseError(f'object "{name}" has no clips to play')
        return animator

    def sprite(self, name: str) -> anim.SpritePlayer:
        """Return the player of the sprite `name`.

        Raises
        ------
        PoseError
            There is no such object, or it is no sprite.
        """
        self.settle()
        sprite = self.actor(name).sprite
        if sprite is None:
            raise PoseError(f'object "{name}" is no sprite')
        return sprite

    def player(self, name: str) -> anim.Animator | anim.SpritePlayer:
        """Return what plays on the object `name`, whichever kind it is."""
        return self.sprite(name) if self.actor(name).sprite is not None else self.animator(name)

    def palette(self, name: str, node: int | None = None) -> Float32:
        """Return the palette of a skinned node of the object `name` at the current tick, (J, 4, 4) float32.

        `node` is the node's index in the file; the first skinned one unless given.

        Raises
        ------
        PoseError
            There is no such object, or no such skinned node.
        """
        self.settle()
        palettes = self.actor(name).pose(self.ticks, 0.0).palettes
        if not palettes or (node is not None and node not in palettes):
            have = ", ".join(map(str, palettes)) or "none"
            raise PoseError(f'object "{name}" has no such skinned node (it has {have})')
        return palettes[min(palettes) if node is None else node]

    def sprite_frame(self, name: str) -> int:
        """Return the frame of its atlas that the sprite `name` shows at the current tick.

        Raises
        ------
        PoseError
            There is no such object, or it is no sprite.
        """
        return self.sprite(name).frame(self.ticks)

    def animation_events(self, name: str | None = None) -> list[AnimationEvent]:
        """Return the events of the last tick advanced to, of all objects or of one."""
        return [event for event in self._latest if name is None or event.object == name]

    def animation_errors(self) -> list[AnimationError]:
        """Return the commands refused since the current tick began, in a world that is not strict."""
        return list(self._errors)

    def refuse(self, name: str, error: PoseError) -> None:
        """Keep `error` for `animation_errors`, where the world is not strict.

        Raises
        ------
        PoseError
            The very error, where it is strict.
        """
        if self.strict:
            raise error
        self._errors.append(AnimationError(self.ticks, name, str(error)))
