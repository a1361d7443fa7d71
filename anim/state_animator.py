"""`StateAnimator`: named states, each a blend tree, that crossfade and tell events by phase."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from anim.blend_tree import BlendTree
from anim.clip import Clip
from anim.errors import AnimError
from anim.marks import PlayedEvent
from anim.pose import Pose
from anim.rational import Number, exact_rate, whole_ticks
from anim.rig import Rig
from anim.root_motion import STANDING, RootMotion, RootTrack
from anim.rows import Playback
from anim.skeleton import Space


@dataclass(slots=True)
class AnimationState:
    """One state of a `StateAnimator`."""

    name: str
    tree: BlendTree
    loop: bool
    events: list[tuple[float, str]] = field(default_factory=list)
    """Phases in [0, 1) and names, in rising order."""


@dataclass(slots=True)
class _Run:
    """A state that plays."""

    state: int
    phase: float
    finished: bool = False
    base: float = 0.0
    """Phase at which the present pace began."""
    pace: float = 0.0
    """Cycles a tick."""
    count: int = 0
    """Ticks at this pace. The phase is formed from the three, not summed: ten tenths are one."""


class StateAnimator:
    """The state of one rig that plays named states.

    It moves by whole ticks, one at a time inside, so that 100 ticks at once and one by one give the same bits.

    Parameters
    ----------
    rig
        What may play.
    rate
        Ticks per second; a float stands for its shortest decimal.
    """

    def __init__(self, rig: Rig, *, rate: Number) -> None:
        self.rig = rig
        self.rate = exact_rate(rate)
        self.speed = 1.0
        """Factor on every state's rate; finite, may be negative or 0."""
        self.states: list[AnimationState] = []
        self.ticks = 0
        """Ticks that were played."""
        self._run: _Run | None = None
        self._below: _Run | Pose | None = None
        """What the current state fades in over: the state before it, or the pose that a second fade froze."""
        self._fade_ticks = 0
        self._faded = 0
        self._events: list[PlayedEvent] = []
        self._root: RootTrack | None = None
        self._motion = STANDING
        self._pose = Pose(rig.skeleton)
        self._spare = Pose(rig.skeleton)
        self._matrices = np.zeros((rig.skeleton.bone_count, 4, 4))

    def add_clip_state(self, name: str, clip: str | int | Clip, *, loop: bool = True, speed: float = 1.0) -> int:
        """Add a state that plays one clip, at a factor of its speed, and return its number.

        Raises
        ------
        AnimError
            As `add_state`, and for a clip that the rig has not or a speed that is not finite.
        """
        tree = BlendTree(self.rig)
        tree.add_clip(clip, speed=speed)
        return self.add_state(name, tree, loop=loop)

    def add_state(self, name: str, tree: BlendTree, *, loop: bool = True) -> int:
        """Add a state and return its number; one that does not loop ends at phase 1.

        Raises
        ------
        AnimError
            For a name that is taken, a tree of another rig, or one that does not validate.
        """
        if self.find_state(name) >= 0:
            raise AnimError(f"state {name!r} is there already")
        if tree.rig is not self.rig:
            raise AnimError(f"the tree of state {name!r} is of another rig")
        tree.validate()
        self.states.append(AnimationState(name, tree, loop))
        return len(self.states) - 1

    def add_event(self, state: int | str, name: str, phase: float) -> None:
        """Put an event on a state.

        Raises
        ------
        AnimError
            For a phase outside [0, 1), or a state that does not exist.
        """
        if not 0.0 <= phase < 1.0:
            raise AnimError(f"event {name!r} is at phase {phase}; expected 0 or more and less than 1")
        events = self.states[self._index(state)].events
        events.append((float(phase), name))
        events.sort(key=lambda event: event[0])

    def find_state(self, name: str) -> int:
        """Return the number of a state, -1 where there is none of the name."""
        return next((i for i, state in enumerate(self.states) if state.name == name), -1)

    def set_parameter(self, name: str, value: float) -> None:
        """Set a parameter, in whatever unit its thresholds have, in every state that declares it.

        Raises
        ------
        AnimError
            Where none does.
        """
        trees = [state.tree for state in self.states if name in state.tree.names]
        if not trees:
            raise AnimError(f"no state has a parameter {name!r}")
        for tree in trees:
            tree.set_parameter(name, value)

    def play(
        self, state: int | str, *, fade_seconds: Number = 0, start_phase: float = 0.0, restart: bool = False
    ) -> None:
        """Make a state the current one, fading in over what plays.

        The state that is current already goes on, also when it has finished, unless `restart`. During a fade the
        blended pose is frozen and fades out, so that nothing pops.

        Raises
        ------
        AnimError
            For a state that does not exist, a phase outside [0, 1), or a negative fade.
        """
        index = self._index(state)
        ticks = whole_ticks(fade_seconds, self.rate)
        if not 0.0 <= start_phase < 1.0:
            raise AnimError(f"start_phase is {start_phase}; expected 0 or more and less than 1")
        if self._run is not None and self._run.state == index and not restart:
            return
        if self._run is None or ticks == 0:
            self._below = None
        elif self.fade_weight < 1.0:
            self._below = self._mixed_pose().copy()
        else:
            self._below = self._run
        self._run = _Run(index, float(start_phase), base=float(start_phase))
        self._fade_ticks, self._faded = (ticks, 0) if self._below is not None else (0, 0)
        for phase, name in self.states[index].events:
            if phase == start_phase and self.speed != 0.0:
                self._tell(name)

    def update(self, ticks: int = 1) -> None:
        """Play so many ticks on.

        Raises
        ------
        AnimError
            Before anything plays, or for a negative count.
        """
        run = self._playing()
        if isinstance(ticks, bool) or not isinstance(ticks, int | np.integer) or ticks < 0:
            raise AnimError(f"ticks is {ticks!r}; expected an integer, 0 or more")
        if not math.isfinite(self.speed):
            raise AnimError(f"speed is {self.speed}; expected a finite number")
        for _ in range(int(ticks)):
            self.ticks += 1
            step = self._step(run, heard=True)
            if self._below is not None:
                old = self._step(self._below, heard=False) if isinstance(self._below, _Run) else STANDING
                self._faded += 1
                step = old.toward(step, self.fade_weight)
                if self._faded >= self._fade_ticks:
                    self._below = None
            self._motion = self._motion.then(step)

    @property
    def current_state(self) -> int:
        """Number of the current state, -1 before anything plays."""
        return -1 if self._run is None else self._run.state

    @property
    def phase(self) -> float:
        """Phase of the current state in [0, 1], 0 before anything plays."""
        return 0.0 if self._run is None else self._run.phase

    @property
    def finished(self) -> bool:
        """Whether the current state has ended, which only one that does not loop can."""
        return self._run is not None and self._run.finished

    @property
    def fade_weight(self) -> float:
        """Weight of the current state over what it fades in over, 1 when it has."""
        return 1.0 if self._below is None else self._faded / self._fade_ticks

    def take_events(self) -> list[PlayedEvent]:
        """Return the events passed since the last call and forget them; `clip` is the state's name.

        Only the current state tells events, once for each pass; one exactly at a start phase counts.
        """
        events, self._events = self._events, []
        return events

    def pose(self, *, out: Pose | None = None) -> Pose:
        """Return the present pose, into `out` where given.

        Raises
        ------
        AnimError
            Before anything plays.
        """
        if out is None:
            out = Pose(self.rig.skeleton)
        out.copy_from(self._write_pose())
        return out

    def bone_matrices(self, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return every bone's matrix in the model's space (B, 4, 4) float64, into `out` where given."""
        return self._write_pose().globals(out=out)

    def palette(self, *, space: Space = "scene", out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return the joints' matrices (J, 4, 4) float32, into `out` where given."""
        return self._write_pose().palette(space=space, out=out, scratch=self._matrices)

    def enable_root_motion(self, bone: int | None, *, yaw: bool = False) -> None:
        """Take a bone's horizontal translation, and on request its yaw, out of the pose from now on; None ends it.

        The bone stays over its rest place; `take_root_motion` hands over the way it would have gone.

        Raises
        ------
        AnimError
            For a bone that the skeleton has not.
        """
        if bone is not None and not 0 <= bone < self.rig.skeleton.bone_count:
            raise AnimError(f"bone is {bone}; the skeleton has {self.rig.skeleton.bone_count}, counted from 0")
        self._root = None if bone is None else RootTrack(self.rig, bone, yaw=yaw)

    def take_root_motion(self) -> RootMotion:
        """Return the step since the last call and forget it; of a blend, the weighted sum of the leaves' own steps."""
        motion, self._motion = self._motion, STANDING
        return motion

    def _write_pose(self) -> Pose:
        """Evaluate into the animator's own pose and return it."""
        pose = self._mixed_pose()
        if self._root is not None:
            self._root.take_out(pose)
        return pose

    def _mixed_pose(self) -> Pose:
        run = self._playing()
        below, weight = self._below, self.fade_weight
        if below is None:
            return self._evaluate(run, self._pose)
        if isinstance(below, Pose):
            self._pose.copy_from(below)
        else:
            self._evaluate(below, self._pose)
        self._pose.blend_with(self._evaluate(run, self._spare), weight)
        return self._pose

    def _evaluate(self, run: _Run, pose: Pose) -> Pose:
        return self.states[run.state].tree.evaluate(run.phase, out=pose)

    def _step(self, run: _Run, *, heard: bool) -> RootMotion:
        """Advance a run by one tick, telling its events where they are heard, and return its root's step."""
        state = self.states[run.state]
        pace = state.tree.cycle_rate() * self.speed / float(self.rate)
        if run.finished or pace == 0.0:
            return STANDING
        if pace != run.pace:
            run.base, run.pace, run.count = run.phase, pace, 0
        before = run.base + run.count * pace
        run.count += 1
        after = run.base + run.count * pace
        if not state.loop:
            run.finished = not 0.0 < after < 1.0
            after = min(max(after, 0.0), 1.0)
        if heard:
            for name in _passed(state.events, before, after):
                self._tell(name)
        run.phase = after - math.floor(after) if state.loop else after
        return STANDING if self._root is None else self._root_step(self._root, state, before, after)

    def _root_step(self, root: RootTrack, state: AnimationState, before: float, after: float) -> RootMotion:
        """Return the weighted sum of the steps of a state's leaves from one unwrapped phase to another."""
        playback = Playback.LOOP if state.loop else Playback.ONCE
        weights = state.tree.leaf_weights()
        total = STANDING
        for node, clip in state.tree.leaves():
            if weights[node] != 0.0 and root.moves(clip):
                own = root.travel(clip, root.pieces(clip, before, after, 1.0, playback))
                total = total.plus(own.scaled(float(weights[node])))
        return total

    def _tell(self, name: str) -> None:
        self._events.append(PlayedEvent(self.ticks, self.states[self.current_state].name, name))

    def _playing(self) -> _Run:
        if self._run is None:
            raise AnimError("nothing plays; call play first")
        return self._run

    def _index(self, state: int | str) -> int:
        index = self.find_state(state) if isinstance(state, str) else state
        if not 0 <= index < len(self.states):
            names = ", ".join(repr(other.name) for other in self.states) or "none"
            raise AnimError(f"there is no state {state!r}; there are {names}")
        return index


def _passed(events: list[tuple[float, str]], before: float, after: float) -> list[str]:
    """Return the events at phases p + n, n whole, in (before, after], or backwards in [after, before), in order."""
    found: list[tuple[float, int, str]] = []
    low, high = min(before, after), max(before, after)
    for turn in range(math.floor(low) - 1, math.floor(high) + 1):
        for order, (phase, name) in enumerate(events):
            place = phase + turn
            if before < place <= after or after <= place < before:
                found.append((place if after > before else -place, order, name))
    return [name for _, _, name in sorted(found)]
