"""Every model that others made: at rest and in the middle of each clip there is a picture."""

import importlib.util
from pathlib import Path

import pytest

import posed

DRACO = importlib.util.find_spec("DracoPy") is not None


def paths(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.suffix in (".glb", ".gltf"))
    assert found, f"{folder} holds no models"
    return found


def test_every_model_is_seen_at_rest_and_in_the_middle_of_each_clip(models: Path) -> None:
    for path in paths(models):
        if "draco" in path.name and not DRACO:
            continue
        scene = posed.load(path)
        clips = scene.objects[0].model.clips
        for index in (None, *range(len(clips))):
            world = posed.World(scene)
            if index is not None:
                world.animate(scene.objects[0].name, index).done()
                world.advance(int(clips[index].duration * scene.rate / 2))
            frame = posed.trace(scene, world.posed(), size=(64, 64), samples=1)
            covered = int((frame["object"] > 0).sum())
            assert 40 < covered < 64 * 64, f"{path.name}, clip {index}: {covered} pixels covered"
            assert len(set(map(tuple, frame.rgba()[frame["object"] > 0].tolist()))) > 1, f"{path.name} is one color"


@pytest.mark.skipif(DRACO, reason="DracoPy is installed: nothing is missing")
def test_a_draco_model_names_what_is_missing(models: Path) -> None:
    with pytest.raises(posed.MissingError, match="KHR_draco_mesh_compression"):
        posed.load(models / "Fox.gtf-draco.glb")
