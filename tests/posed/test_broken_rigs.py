"""The corpus of broken rigs: each is loaded, linted, inspected, baked and traced, and what must become of it does."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.inspection import inspection
from posed.lint import lint
from tests.broken_rigs import CORPUS, Broken


def traced(path: Path) -> posed.Frame:
    scene = posed.load(path)
    return posed.trace(scene, posed.World(scene).posed(), size=(32, 32), samples="center")


VERBS: dict[str, Callable[[Path], object]] = {
    "load": posed.load_gltf,
    "inspect": lambda path: inspection(posed.load_gltf(path)),
    "bake": lambda path: posed.bake(posed.load_gltf(path)),
    "trace": traced,
}


def text(verb: str, path: Path) -> str:
    """Return the text with which an asset or its pose is refused."""
    with pytest.raises((posed.AssetError, posed.PoseError)) as caught:
        VERBS[verb](path)
    return str(caught.value)


def first_part(model: posed.Model, clip: int | None) -> np.ndarray:
    meshes = posed.bake(model, clip=clip, time=1.0)
    for mesh in meshes:
        assert np.isfinite(mesh.positions).all()
        if mesh.normals is not None:
            squares = (mesh.normals**2).sum(axis=1)
            assert ((np.abs(squares - 1.0) < 1e-6) | (squares == 0.0)).all()
    return meshes[0].positions if meshes else np.zeros((0, 3))


@pytest.mark.parametrize("broken", CORPUS, ids=lambda one: one.name)
def test_a_broken_rig_comes_to_what_it_must(broken: Broken, tmp_path: Path) -> None:
    path = broken.build().write(tmp_path)
    assert " ".join(finding.code for finding in lint(path)) == broken.codes
    if broken.refused:
        assert {text(verb, path) for verb in VERBS} == {f"{path}: {broken.refused}"}
        return
    model = posed.load_gltf(path)
    facts = inspection(model)
    assert len(facts["nodes"]) == len(model.nodes)
    if broken.unposed:
        assert text("bake", path).endswith(f": {broken.unposed}")
        assert text("trace", path).endswith(f": {broken.unposed}")
        return
    close = {"rel": 1e-6, "abs": 1e-6}
    assert first_part(model, None) == pytest.approx(np.reshape(broken.rest, (-1, 3)), **close)
    assert first_part(model, 0) == pytest.approx(np.reshape(broken.moved, (-1, 3)), **close)
    if broken.untraced:
        assert text("trace", path).endswith(f": {broken.untraced}")
    else:
        assert (traced(path)["object"] > 0).any() == broken.seen


def test_no_two_broken_rigs_have_one_name() -> None:
    assert len({broken.name for broken in CORPUS}) == len(CORPUS) > 100
