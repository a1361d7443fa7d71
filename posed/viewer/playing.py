"""What plays in a viewer: a tick that moves either way, and for one object a clip with another one blended in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from posed.errors import PosedError
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.world import World

UNKNOWN_SECONDS = 10
"""How long the time line is where nothing plays."""

STEP = 0.1
"""By how much a blend's weight changes at a time."""


@dataclass(frozen=True)
class Choice:
    """A clip's index, a second one's, and the second one's weight in [0, 1]; no clip: what the scene plays itself."""

    clip: int | None = None
    blended: int | None = None
    weight: float = 0.5


class Playing:
    """A scene at any tick. A world goes forward alone; an earlier tick plays another one from the start.

    Parameters
    ----------
    scene
        What is played.
    tick
        Where it begins.
    """

    def __init__(self, scene: Scene, tick: int = 0) -> None:
        self.scene = scene
        self.choices: dict[str, Choice] = {}
        self.tick = tick
        self._world: World | None = None
        able = [one for one in scene.objects if one.model.clips]
        self.objects: tuple[Object, ...] = tuple(able)
        self.chosen = 0

    @property
    def object(self) -> Object | None:
        """The object whose clips are chosen, None where none has any."""
        return self.objects[self.chosen] if self.objects else None

    def choice(self) -> Choice:
        """Return what the chosen object plays."""
        one = self.object
        return Choice() if one is None else self.choices.get(one.name, Choice())

    def choose(self, choice: Choice) -> None:
        """Let the chosen object play something else from tick 0 on."""
        one = self.object
        if one is None:
            return
        self.choices[one.name] = choice
        self._world = None

    def play(self, choices: Mapping[str, Choice], object: str | None = None) -> None:
        """Let objects play something from tick 0 on, all others what the scene says; and choose an object by name.

        Raises
        ------
        PosedError
            There is no object of such a name that has clips, or it has no such clip.
        """
        names = [one.name for one in self.objects]
        for name in [*choices, *([] if object is None else [object])]:
            if name not in names:
                raise PosedError(f'no object "{name}" has clips: {", ".join(names) or "none"} has')
        for name, choice in choices.items():
            count = len(self.objects[names.index(name)].model.clips)
            for index in (choice.clip, choice.blended):
                if index is not None and not 0 <= index < count:
                    raise PosedError(f'object "{name}" has no clip {index}: it has {count}, counted from 0')
        if object is not None:
            self.chosen = names.index(object)
        if self.choices != dict(choices):
            self.choices, self._world = dict(choices), None

    def next_object(self) -> None:
        """Choose the next object that has clips."""
        if self.objects:
            self.chosen = (self.chosen + 1) % len(self.objects)

    def next_clip(self, step: int = 1) -> None:
        """Play the next clip of the chosen object, or the scene's own choice after the last."""
        one = self.object
        if one is not None:
            self.choose(replace(self.choice(), clip=_next(self.choice().clip, len(one.model.clips), step)))

    def next_blended(self) -> None:
        """Blend in the next clip of the chosen object, or none after the last."""
        one = self.object
        if one is not None:
            self.choose(replace(self.choice(), blended=_next(self.choice().blended, len(one.model.clips), 1)))

    def weigh(self, more: float) -> None:
        """Change the weight of the clip blended in."""
        weight = round(max(0.0, min(1.0, self.choice().weight + more)), 6)
        self.choose(replace(self.choice(), weight=weight))

    def length(self) -> int:
        """Return the ticks of the time line: the longest clip that is chosen or that the scene plays."""
        seconds = [self._seconds(one) for one in self.objects]
        longest = max(seconds, default=0.0) or float(UNKNOWN_SECONDS)
        return max(1, round(longest * float(self.scene.rate)))

    def _seconds(self, one: Object) -> float:
        choice = self.choices.get(one.name, Choice())
        clips = [index for index in (choice.clip, choice.blended) if index is not None]
        if choice.clip is None and one.animation is not None:
            played = [name for name, _ in one.animation.blend]
            if one.animation.clip is not None:
                played.append(one.animation.clip)
            clips += [one.model.clip(name) for name in played]
        return max((one.model.clips[index].duration for index in clips), default=0.0)

    def seek(self, tick: int) -> None:
        """Go to a tick of 0 or later, forward or back."""
        self.tick = max(0, tick)

    def posed(self) -> Posed:
        """Return the snapshot of the tick."""
        if self._world is None or self._world.ticks > self.tick:
            self._world = self._begun()
        self._world.advance(self.tick)
        return self._world.posed()

    def _begun(self) -> World:
        world = World(self.scene)
        for name, choice in self.choices.items():
            if choice.clip is None:
                continue
            playing = world.animate(name, choice.clip)
            if choice.blended is not None:
                playing.blend(choice.blended, choice.weight)
            playing.done()
        return world

    def words(self) -> str:
        """Return what plays as one line."""
        one, choice = self.object, self.choice()
        if one is None:
            return "nothing to play"
        if choice.clip is None:
            return f"{one.name}: as the scene plays it"
        names = [clip.name or f"clip {index}" for index, clip in enumerate(one.model.clips)]
        blended = "" if choice.blended is None else f" + {choice.weight:.1f} {names[choice.blended]}"
        return f"{one.name}: {names[choice.clip]}{blended}"


def _next(now: int | None, count: int, step: int) -> int | None:
    """Return the index after `now` among `count`, None standing before the first and after the last."""
    index = (-1 if now is None else now) + step
    return (index + 1) % (count + 1) - 1 if (index + 1) % (count + 1) else None


def ticks_a_beat(rate: Fraction, beats: int) -> Fraction:
    """Return how many ticks pass in one of `beats` a second.

    Raises
    ------
    PosedError
        `beats` is not above 0.
    """
    if beats < 1:
        raise PosedError(f"{beats} frames a second show nothing: give 1 or more")
    return Fraction(rate) / beats
