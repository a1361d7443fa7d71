"""What stands beside a golden frame: of which scene and pose it is, made by what, and who accepted it, when and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from posed.digest import digest
from posed.errors import PosedError
from posed.frame import Frame
from posed.golden.acceptance import Acceptance

LIBRARIES = ("posed", "numpy", "numba", "embreex", "wgpu")
"""Whose versions are kept."""


@dataclass(frozen=True)
class Sidecar:
    """What is known of a golden frame.

    Attributes
    ----------
    scene, posed
        Digests of the scene and of the snapshot.
    tick, size
        When, and width and height in pixels.
    renderer, backend, adapter, driver
        What drew it.
    versions
        Of this package and of the libraries that pixels depend on.
    policy
        The name of the limits it was accepted under.
    layers
        Each layer's digest: by these an unchanged frame is known without comparing pixels, and a damaged file too.
    accepted
        Who, when and why.
    """

    scene: str
    posed: str
    tick: int | None
    size: tuple[int, int]
    renderer: str
    backend: str
    adapter: str
    driver: str
    versions: Mapping[str, str]
    policy: str
    layers: Mapping[str, str]
    accepted: Acceptance

    @classmethod
    def of(cls, frame: Frame, policy: str, accepted: Acceptance) -> Sidecar:
        """Describe `frame` as it is accepted on this machine."""
        origin = frame.provenance
        return cls(
            scene=origin.scene,
            posed=origin.posed,
            tick=origin.tick,
            size=frame.size,
            renderer=origin.renderer,
            backend=origin.backend,
            adapter=origin.adapter,
            driver=origin.driver,
            versions=_versions(),
            policy=policy,
            layers=layer_digests(frame),
            accepted=accepted,
        )

    def to_text(self) -> str:
        """Return the sidecar as JSON of several lines, so that a change of one fact is a change of one line."""
        return json.dumps({"format": "posed golden", "version": 1, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Sidecar:
        """Return the sidecar that `to_text` wrote.

        Raises
        ------
        PosedError
            The text is none.
        """
        try:
            data = json.loads(text)
            kind = data.pop("format"), data.pop("version")
            accepted = Acceptance(**data.pop("accepted"))
            width, height = data.pop("size")
            found = cls(size=(width, height), accepted=accepted, **data)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise PosedError(f"is not what stands beside a golden frame: {error!r}") from error
        if kind != ("posed golden", 1):
            raise PosedError(f"is a {kind[0]} of version {kind[1]}: expected a posed golden of version 1")
        return found


def layer_digests(frame: Frame) -> dict[str, str]:
    """Return each layer's digest by its name."""
    return {name: digest(frame[name]) for name in sorted(frame)}


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # embreex, where it has no wheel
            continue
    return found
