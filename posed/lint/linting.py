"""One file, model or scene, to the list of everything suspicious in it."""

from __future__ import annotations

from fractions import Fraction
from os import PathLike
from pathlib import Path

from posed.errors import AssetError, PosedError
from posed.gltf.container import read_file
from posed.lint.accessors import check_accessors
from posed.lint.animations import check_animations
from posed.lint.asset import Asset
from posed.lint.files import check_file
from posed.lint.finding import Finding, Severity
from posed.lint.images import check_images
from posed.lint.meshes import check_meshes
from posed.lint.names import check_names, check_unused
from posed.lint.nodes import check_nodes
from posed.lint.resting import check_rest
from posed.lint.skins import check_skins
from posed.lint.weights import check_weights

RATE = Fraction(60)
"""Ticks a second that a lone model's clips are held to unless another rate is given."""

_CHECKS = (
    check_file,
    check_accessors,
    check_nodes,
    check_skins,
    check_rest,
    check_weights,
    check_meshes,
    check_animations,
    check_images,
    check_names,
    check_unused,
)


def lint(path: str | PathLike[str], *, rate: Fraction | None = None) -> list[Finding]:
    """Return everything suspicious in a model, or in a scene file and the models it names; errors first.

    Parameters
    ----------
    path
        A ``.toml``, ``.glb`` or ``.gltf``.
    rate
        Ticks a second that the clips of a model are held to, 60 unless given. A scene file has its own.

    Raises
    ------
    AssetError, SceneError
        The file cannot be opened. What is wrong inside it is a finding.
    PosedError
        A rate is given with a scene file.
    MissingError
        The file is compressed by something that this machine lacks.
    """
    path = Path(path)
    read_file(path)
    if path.suffix.lower() != ".toml":
        return _sorted(lint_model(path, RATE if rate is None else rate))
    if rate is not None:
        raise PosedError(f"{path}: a scene file has a rate of its own: leave the other out")
    from posed.lint.scenes import SceneFile

    scene = SceneFile(path)
    findings = list(scene.findings)
    for model in scene.models:
        findings += lint_model(model, scene.rate or RATE)
    return _sorted(findings)


def lint_model(path: Path, rate: Fraction) -> list[Finding]:
    """Return everything suspicious in a glTF file, by family; see `lint`."""
    try:
        asset = Asset(path, rate)
    except AssetError as error:
        return [Finding("P001", path, error.message, error.pointer)]
    findings = [finding for check in _CHECKS for finding in check(asset)]
    explained = {finding.pointer for finding in findings if finding.severity is Severity.ERROR}
    refusals = {(error.pointer, error.message): error for error in asset.refusals if error.pointer not in explained}
    findings += [asset.finding("P001", pointer, message) for pointer, message in refusals]
    named = {finding.pointer for finding in findings}
    for note in () if asset.model is None else asset.model.notes:
        pointer, _, what = note.partition(": ")
        if pointer not in named:
            findings.append(asset.finding("P002", pointer, what))
    return findings


def _sorted(findings: list[Finding]) -> list[Finding]:
    order = list(Severity)
    return sorted(findings, key=lambda finding: (order.index(finding.severity), str(finding.path)))
