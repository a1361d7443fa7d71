"""Every model that others made: at rest and in the middle of each clip there is a picture."""

from pathlib import Path

import pytest

import posed

COMPRESSED = {
    "Fox.gltfpack-meshopt.glb": "EXT_meshopt_compression",
    "Fox.gtf-draco.glb": "KHR_draco_mesh_compression",
}


def paths(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.suffix in (".glb", ".gltf"))
    assert found, f"{folder} holds no models"
    return found


def test_every_model_is_seen_at_rest_and_in_the_middle_of_each_clip(models: Path) -> None:
    for path in paths(models):
        if path.name in COMPRESSED:
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


@pytest.mark.parametrize(("name", "extension"), COMPRESSED.items())
def test_compressed_models_are_refused_by_name(models: Path, name: str, extension: str) -> None:
    with pytest.raises(posed.AssetError, match=extension):
        posed.load(models / name)
