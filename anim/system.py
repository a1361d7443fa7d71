"""`AnimationSystem`: thousands of animators of either kind, moved together, their palettes in one buffer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from anim.animator import Animator
from anim.errors import AnimError
from anim.marks import PlayedEvent
from anim.pool import AnimatorPool
from anim.state_animator import StateAnimator


@dataclass(frozen=True, slots=True)
class AnimatorRef:
    """Component: which animator of a system an entity follows."""

    index: int


@dataclass(slots=True)
class JointPalette:
    """Component: the joints' matrices (J, 4, 4) float32 of an entity, written in place."""

    matrices: NDArray[np.float32]


class EntityWorld(Protocol):
    """What `publish` needs of a world of entities: the functions of the module `esper`, or an object like it."""

    def get_component(self, component_type: Any) -> Iterable[tuple[int, Any]]:
        """Return every entity that has a component of a type, with it."""

    def try_component(self, entity: int, component_type: Any) -> Any:
        """Return an entity's component of a type, None where it has none."""

    def add_component(self, entity: int, component_instance: Any) -> None:
        """Give an entity a component."""


class AnimationSystem:
    """Animators that share nothing but the clock of the system.

    Attributes
    ----------
    tick
        Ticks played, from 0; an `Animator` is commanded at ticks of this counter.
    updates
        Calls of `update` that did not raise.
    palettes : (P, 4, 4) float32
        The joints' matrices of all animators, one after the other.
    offsets : (N + 1,) int64
        Where each animator's matrices begin.
    events
        What was passed in the latest update: pairs of an animator's index and its event.
    """

    def __init__(self) -> None:
        self.clear()

    def __len__(self) -> int:
        return len(self._animators)

    def clear(self) -> None:
        """Forget all animators and begin at tick 0."""
        self.tick = 0
        self.updates = 0
        self._animators: list[Animator | StateAnimator] = []
        self.events: list[tuple[int, PlayedEvent]] = []
        self._laid_out = False
        self._lay_out()

    def add(self, animator: Animator | StateAnimator) -> AnimatorRef:
        """Add an animator; it is first advanced by the next update."""
        self._animators.append(animator)
        self._laid_out = False
        return AnimatorRef(len(self._animators) - 1)

    def update(self, ticks: int = 1) -> None:
        """Move on by so many ticks: advance every animator and write its palette.

        Raises
        ------
        AnimError
            Where an animator failed; the first is named. All others have advanced, and the failing one keeps its
            palette.
        """
        if isinstance(ticks, bool) or not isinstance(ticks, int | np.integer) or ticks < 0:
            raise AnimError(f"ticks is {ticks!r}; expected an integer, 0 or more")
        if not self._laid_out:
            self._lay_out()
        self.tick += int(ticks)
        self.events.clear()
        failures: dict[int, Exception] = {}
        for index, animator in enumerate(self._animators):
            try:
                self._advance(index, animator, int(ticks))
            except Exception as error:  # noqa: BLE001 - whatever it is, the others go on
                failures[index] = error
        kept = {index: self.palette(AnimatorRef(index)).copy() for index in failures}
        for pool, firsts in self._pools:
            pool.palettes(self.tick, out=self.palettes, firsts=firsts)
        for index, matrices in kept.items():
            self.palette(AnimatorRef(index))[:] = matrices
        if failures:
            first, failure = next(iter(failures.items()))
            raise AnimError(f"animator {first} failed: {failure}") from failure
        self.updates += 1

    def palette(self, ref: AnimatorRef) -> NDArray[np.float32]:
        """Return a view of an animator's palette, (J, 4, 4) float32.

        Raises
        ------
        AnimError
            For an animator that is not in the system.
        """
        if not 0 <= ref.index < len(self._animators):
            raise AnimError(f"animator {ref.index} is not in the system, which has {len(self._animators)}")
        if not self._laid_out:
            self._lay_out()
        return self.palettes[self.offsets[ref.index] : self.offsets[ref.index + 1]]

    def publish(self, world: EntityWorld) -> int:
        """Write the palette of every entity with an `AnimatorRef` into its `JointPalette`; return how many.

        An entity without one, or with one of another length, is given it.
        """
        count = 0
        for entity, ref in list(world.get_component(AnimatorRef)):
            matrices = self.palette(ref)
            component = world.try_component(entity, JointPalette)
            if component is None or component.matrices.shape != matrices.shape:
                world.add_component(entity, JointPalette(matrices.copy()))
            else:
                component.matrices[:] = matrices
            count += 1
        return count

    def _advance(self, index: int, animator: Animator | StateAnimator, ticks: int) -> None:
        if isinstance(animator, Animator):
            events = animator.advance(self.tick)
        else:
            animator.update(ticks)
            events = animator.take_events()
            animator.palette(out=self.palettes[self.offsets[index] : self.offsets[index + 1]])
        for event in events:
            self.events.append((index, event))

    def _lay_out(self) -> None:
        """Make the buffer and the pools for the animators there are, keeping what was written."""
        counts = [animator.rig.skeleton.joint_count for animator in self._animators]
        self.offsets: NDArray[np.int64] = np.cumsum([0, *counts], dtype=np.int64)
        palettes = np.zeros((int(self.offsets[-1]), 4, 4), np.float32)
        before = getattr(self, "palettes", palettes)
        palettes[: len(before)] = before[: len(palettes)]
        self.palettes: NDArray[np.float32] = palettes
        groups: dict[int, list[int]] = {}
        for index, animator in enumerate(self._animators):
            if isinstance(animator, Animator):
                groups.setdefault(id(animator.rig), []).append(index)
        self._pools = []
        for members in groups.values():
            animators = [animator for i in members if isinstance(animator := self._animators[i], Animator)]
            self._pools.append((AnimatorPool(animators), self.offsets[members]))
        self._laid_out = True
