"""Evidence in a picture: a frame that has color alone, or only what its alpha covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from posed.arrays import AnyArray, Bool, Float64
from posed.camera import Camera
from posed.color import encode_srgb
from posed.frame import Frame
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.first_look import FirstLook
from posed.verify.diagnosing.frame_evidence import can_move
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.diagnosing.quick import NOTHING, Asked
from posed.verify.diagnosing.suspects import Suspects
from posed.verify.diagnosing.tracing import trace_hypothesis
from posed.verify.policy import Policy
from posed.verify.recognizing.flips import unflipped
from posed.verify.recognizing.tones import untoned
from posed.verify.recognizing.undoing import Undone

WITHIN = 8.0 / 255.0
"""Difference of an encoded channel that light, rounding and a picture file explain."""

LARGEST_SPECK = 9
"""Pixels of a blob that an edge may bring about by the way it was sampled: what is narrower than a pixel."""

COVERED = 0.5
"""Alpha from which a pixel of a transparent picture is covered."""


class PictureEvidence:
    """A live frame without ids, see `Evidence`.

    A transparent picture is read by what it covers, whatever its light; an opaque one by its color, which must be lit
    as the scene is. A pixel agrees that lies between the values of its nine neighbors in the trace, and so do specks:
    nobody knows how edges were sampled.

    Parameters
    ----------
    scene, truth
        What should have been drawn; the snapshot is whole.
    live
        The frame; it has the color layer.
    policy
        Handed to the first look.
    camera, backend
        See `posed.trace`.
    """

    noun = "pixels"

    def __init__(
        self,
        scene: Scene,
        truth: Posed,
        live: Frame,
        *,
        policy: Policy,
        camera: Camera | None = None,
        backend: str | None = None,
    ) -> None:
        self._scene, self._camera, self._backend, self._size = scene, camera, backend, live.size
        self._by_cover = live.provenance.background == "transparent"
        color = live["color"]
        self._frame, self._live = live, self._read(color)
        right = Hypothesis("", "", "", truth)
        self._expected = expected = self._traced(right)
        self._wrong = self._differs(expected)
        self.differing = int(self._wrong.sum())
        self.suspects = _suspects(scene, expected["object"][self._wrong])
        bare = self._traced(replace(right, posed=_without(truth, self.suspects)))
        drawn = Suspects(scene, truth, self.suspects)
        shape = self._wrong.shape
        # What is not as it were without the suspects shows one of them.
        covered = self._differs(bare)
        asked = Asked(
            keys=np.where(covered, 0, NOTHING),
            depth=np.full(shape, np.nan),
            normal=np.zeros((*shape, 3)),
            still=bare["depth"].astype(np.float64),
        )
        keys = np.zeros(len(drawn.corners), np.int64)
        self._look = FirstLook(scene, truth, drawn, keys, asked, self._wrong, policy, camera)

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits what the suspects cover at some pixel centres."""
        return self._look.match(hypothesis)

    def judge(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits, traced at every pixel."""
        frame = self._traced(hypothesis)
        wrong, gap = self._differs(frame), float(np.abs(self._live - self._values(frame)).mean())
        return Match(int((self._wrong & ~wrong).sum()), int((wrong & ~self._wrong).sum()), self.differing, gap)

    def undone(self) -> Iterator[tuple[Undone, Match]]:
        """Yield flips and, where color is read, wrong encodings, with what agrees once each is undone."""
        for one in (*unflipped(self._frame), *(() if self._by_cover else untoned(self._frame))):
            wrong = self._differs(self._expected, self._read(one.layers["color"]))
            yield one, Match(int((self._wrong & ~wrong).sum()), int((wrong & ~self._wrong).sum()), self.differing)

    def _read(self, color: AnyArray) -> Float64:
        """Return what the picture is read by, (H, W, C)."""
        return color[..., 3:].astype(np.float64) if self._by_cover else _encoded(color)

    def _traced(self, hypothesis: Hypothesis) -> Frame:
        return trace_hypothesis(
            hypothesis,
            self._scene,
            size=self._size,
            layers=("object", "depth") if self._by_cover else ("color", "object", "depth"),
            camera=self._camera,
            backend=self._backend,
        )

    def _differs(self, frame: Frame, live: Float64 | None = None) -> Bool:
        """Return where the picture, or another, shows what no neighbor of the pixel shows in a trace, (H, W)."""
        values, live = self._values(frame), self._live if live is None else live
        low, high = _around(values, np.minimum), _around(values, np.maximum)
        within = COVERED if self._by_cover else WITHIN
        outside = (live < low - within) | (live > high + within)
        anywhere: Bool = np.any(outside, axis=-1)
        return anywhere & ~_specks(anywhere)

    def _values(self, frame: Frame) -> Float64:
        """Return what a trace has of what the picture is read by, (H, W, C)."""
        if self._by_cover:
            covered: Float64 = (frame["object"][..., None] != 0).astype(np.float64)
            return covered
        return _encoded(frame["color"])


def _specks(pixels: Bool) -> Bool:
    """Return which of some pixels form small blobs, (H, W) bool each."""
    from scipy import ndimage

    blobs, count = ndimage.label(pixels, np.ones((3, 3), np.int8))
    sizes = np.bincount(blobs.ravel(), minlength=count + 1)
    small = sizes <= LARGEST_SPECK
    specks: Bool = pixels & small[blobs]
    return specks


def _suspects(scene: Scene, shown: AnyArray) -> tuple[str, ...]:
    """Return the objects that can move, those first that the truth shows at the most of the differing pixels."""
    counts = np.bincount(shown, minlength=len(scene.objects) + 1)[1:]
    order = np.argsort(-counts, kind="stable").tolist()
    return tuple(scene.objects[number].name for number in order if can_move(scene.objects[number]))


def _without(posed: Posed, names: Sequence[str]) -> Posed:
    return replace(posed, visible={**posed.visible, **dict.fromkeys(names, False)})


def _encoded(color: AnyArray) -> Float64:
    """Return the three colors of (H, W, 4) as a picture file has them, 0 to 1."""
    opaque = np.array(color)
    opaque[..., 3] = 1.0
    encoded: Float64 = encode_srgb(opaque)[..., :3].astype(np.float64) / 255.0
    return encoded


def _around(values: Float64, choose: np.ufunc) -> Float64:
    """Return the least or the greatest of each pixel and its eight neighbors, (H, W, C)."""
    rows = np.pad(values, ((1, 1), (0, 0), (0, 0)), mode="edge")
    tall = choose(choose(rows[:-2], rows[1:-1]), rows[2:])
    columns = np.pad(tall, ((0, 0), (1, 1), (0, 0)), mode="edge")
    wide: Float64 = choose(choose(columns[:, :-2], columns[:, 1:-1]), columns[:, 2:])
    return wide
