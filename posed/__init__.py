"""Ray-traced pose verification: freeze a tick of a skinned scene, trace it, and check live frames against the trace.

Names are loaded when they are first asked for, so that `import posed` stays quick.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posed.baking import BakedMesh as BakedMesh
    from posed.baking import bake as bake
    from posed.camera import Camera as Camera
    from posed.errors import AssetError as AssetError
    from posed.errors import MissingError as MissingError
    from posed.errors import PosedError as PosedError
    from posed.errors import PoseError as PoseError
    from posed.errors import SceneError as SceneError
    from posed.errors import VerdictError as VerdictError
    from posed.events import AnimationError as AnimationError
    from posed.events import AnimationEvent as AnimationEvent
    from posed.fitting import fit as fit
    from posed.frame import Frame as Frame
    from posed.frame import Provenance as Provenance
    from posed.frame import ShadowBand as ShadowBand
    from posed.game import Game as Game
    from posed.game import play as play
    from posed.gltf import load as load_gltf  # noqa: F401
    from posed.gltf.model import Model as Model
    from posed.scene.description import Scene as Scene
    from posed.scene.load import load as load
    from posed.snapshot import Posed as Posed
    from posed.stage import scene_at as scene_at
    from posed.stage import scene_posed as scene_posed
    from posed.tracing import Tracing as Tracing
    from posed.tracing import trace as trace
    from posed.verify import Diagnosis as Diagnosis
    from posed.verify import Divergence as Divergence
    from posed.verify import Explanation as Explanation
    from posed.verify import Verdict as Verdict
    from posed.verify import check as check
    from posed.verify import compare as compare
    from posed.verify import diagnose as diagnose
    from posed.verify import diverge as diverge
    from posed.verify import explain as explain
    from posed.world import World as World

_HOMES = {
    "AnimationError": "events",
    "AnimationEvent": "events",
    "AssetError": "errors",
    "BakedMesh": "baking",
    "Camera": "camera",
    "Diagnosis": "verify",
    "Divergence": "verify",
    "Explanation": "verify",
    "Frame": "frame",
    "Game": "game",
    "MissingError": "errors",
    "Model": "gltf.model",
    "PoseError": "errors",
    "Posed": "snapshot",
    "PosedError": "errors",
    "Provenance": "frame",
    "ShadowBand": "frame",
    "Scene": "scene.description",
    "SceneError": "errors",
    "Tracing": "tracing",
    "Verdict": "verify",
    "VerdictError": "errors",
    "World": "world",
    "bake": "baking",
    "check": "verify",
    "compare": "verify",
    "diagnose": "verify",
    "diverge": "verify",
    "explain": "verify",
    "fit": "fitting",
    "load": "scene.load",
    "load_gltf": "gltf",
    "play": "game",
    "scene_at": "stage",
    "scene_posed": "stage",
    "trace": "tracing",
}
_RENAMED = {"load_gltf": "load"}
_PACKAGES = ("live", "notebook", "overlay", "plot", "scene", "stage")

__all__ = sorted([*_HOMES, *_PACKAGES])  # noqa: PLE0605 - one table, not two, says where each name lives


def __getattr__(name: str) -> object:
    """Load the module that defines a public name."""
    if name in _PACKAGES:
        return importlib.import_module(f"posed.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'posed' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"posed.{_HOMES[name]}"), _RENAMED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _check_neighbours() -> None:
    """Refuse another distribution's `anim` or `tracer`: the names are common, and kernels would misbehave quietly."""
    house = Path(__file__).resolve().parent.parent
    for package in ("anim", "tracer"):
        found = importlib.util.find_spec(package)
        place = Path(found.origin).resolve().parent if found is not None and found.origin else None
        if place is None or place.parent != house:
            raise ImportError(
                f"posed needs its own package {package!r} beside it in {house}, but Python finds {place or 'none'}: "
                f"another distribution or a folder of that name shadows it; remove it or move it behind on sys.path"
            )


_check_neighbours()


def _show_in_notebooks() -> None:
    """Where IPython runs, tell it of the types that cannot show themselves; see `posed.showing`."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        importlib.import_module("posed.showing").register(shell)


_show_in_notebooks()
