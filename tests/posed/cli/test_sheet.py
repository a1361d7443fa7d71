"""`posed sheet`: the cells, and the scene file that plays them."""

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

import posed
from posed.arrays import UInt8
from tests.gltf_literals import Literal
from tests.posed.cli.conftest import Run

CELL = (24, 16)


@pytest.fixture
def mast(tmp_path: Path) -> Path:
    """A red flag, unlit, to +X of its axis, that rises by 4 m in its clip of 0.8 s."""
    file = Literal(scenes=[{"nodes": [0]}], extensionsUsed=["KHR_materials_unlit"])
    flag = file.primitive([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]])
    flag |= {"indices": file.accessor([0, 1, 2, 0, 2, 3], np.uint8), "material": 0}
    surface = {"baseColorFactor": [1, 0.2, 0, 1]}
    red = {"pbrMetallicRoughness": surface, "doubleSided": True, "extensions": {"KHR_materials_unlit": {}}}
    file.root["materials"] = [red]
    file.node(mesh=file.mesh(flag), name="flag")
    file.animation((0, "translation", (0, 0.8), [[0, 0, 0], [0, 4, 0]], "LINEAR"), name='Rise "up"')
    file.animation((0, "translation", (0,), [[0, 0, 0]], "LINEAR"), name="Still")
    return file.write(tmp_path, "mast.glb")


def test_a_sheet_shows_the_scene_that_is_chosen(run: Run, tmp_path: Path) -> None:
    """Scene 1 holds a square twice as wide as high, scene 0 one that is twice as high."""
    file = Literal(scenes=[{"nodes": [0]}, {"nodes": [1]}])
    square = file.primitive([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    square["indices"] = file.accessor([0, 1, 2, 0, 2, 3], np.uint8)
    mesh = file.mesh(square)
    file.node(mesh=mesh, scale=[1, 2, 1])
    file.node(mesh=mesh, scale=[2, 1, 1])
    file.animation((0, "translation", (0, 1), [[0, 0, 0]] * 2, "LINEAR"), name="Still")
    path = file.write(tmp_path, "two.glb")
    for scene, wide in ((0, False), (1, True)):
        output = sheet(run, path, "--clip", "Still", "--frames", 1, "--scene", scene)
        rows, columns = np.nonzero(cells(output, 1, 1)[0, 0, ..., 3])
        assert (np.ptp(columns) > np.ptp(rows)) == wide


def cells(path: Path, columns: int, rows: int) -> UInt8:
    """Return the cells of a sheet, (rows, columns, H, W, 4)."""
    with PIL.Image.open(path) as picture:
        assert picture.mode == "RGBA"
        texels = np.array(picture)
    height, width = texels.shape[0] // rows, texels.shape[1] // columns
    return texels.reshape(rows, height, columns, width, 4).swapaxes(1, 2)


def sheet(run: Run, mast: Path, *words: object) -> Path:
    output = mast.parent / "out.png"
    outcome = run("sheet", mast, "--cell", "24x16", "--samples", 4, *words, "-o", output)
    assert outcome.status == 0, outcome.err
    return output


def middle(cell: UInt8) -> tuple[float, float]:
    """Return the mean column and row of what a cell covers, weighted by alpha."""
    alpha = cell[..., 3].astype(float)
    rows, columns = np.indices(alpha.shape)
    return float((columns * alpha).sum() / alpha.sum()), float((rows * alpha).sum() / alpha.sum())


def test_columns_are_even_shares_of_the_loop_and_rows_sides(run: Run, mast: Path) -> None:
    """Over four directions x is from -2 to 2, y from 0 to 4: 14 rows for 4 m, 3.5 pixels a metre."""
    output = sheet(run, mast, "--clip", 0, "--frames", 4, "--directions", 4)
    found = cells(output, 4, 4)
    assert found.shape == (4, 4, 16, 24, 4)
    for frame in range(4):
        front, edge, back, other = (found[direction, frame] for direction in range(4))
        assert middle(front) == pytest.approx((11.5 + 3.5, 7.5 + 7 - 3.5 * (frame + 0.5)), abs=0.3)
        assert middle(back) == pytest.approx((11.5 - 3.5, 7.5 + 7 - 3.5 * (frame + 0.5)), abs=0.3)
        assert not edge[..., 3].any()
        assert not other[..., 3].any()


def test_beyond_the_outline_lies_the_outline_s_color(run: Run, mast: Path) -> None:
    """0.2 linear is 124; alpha is whole inside, 0 outside, in between on the outline."""
    found = cells(sheet(run, mast, "--clip", 0, "--frames", 2), 2, 1)
    assert np.unique(found[..., :3].reshape(-1, 3), axis=0).tolist() == [[255, 124, 0]]
    assert found[..., 3].min() == 0
    assert found[..., 3].max() == 255


def test_the_scene_file_plays_each_direction_cell_by_cell(run: Run, mast: Path) -> None:
    """5 frames in 0.8 s: frame f from tick 9.6 f on. Each is traced on its card and is the cell again."""
    output = sheet(run, mast, "--clip", 'Rise "up"', "--frames", 5, "--directions", 2)
    found = cells(output, 5, 2)
    scene = posed.load(output.with_suffix(".toml"))
    played = scene.animations["out"]
    assert played.sprite is not None
    assert [clip.name for clip in played.sprite.clips] == ['Rise "up"_0', 'Rise "up"_1']
    for direction in range(2):
        world = posed.World(scene)
        world.animate("out", direction).done()
        for frame in range(6):
            world.advance(-(-48 * frame // 5))
            assert world.sprite_frame("out") == direction * 5 + frame % 5
            picture = posed.trace(scene, world.posed(), size=CELL, samples="center", background="transparent").rgba()
            cell = found[direction, frame % 5]
            covered = cell[..., 3] > 0
            assert (picture[covered] == cell[covered]).all()
            assert not picture[~covered][:, 3].any()


def test_one_direction_keeps_the_clip_s_name_and_a_clip_of_no_length_plays(run: Run, mast: Path) -> None:
    output = sheet(run, mast, "--clip", "Still", "--frames", 2)
    played = posed.load(output.with_suffix(".toml")).animations["out"]
    assert played.sprite is not None
    assert [clip.name for clip in played.sprite.clips] == ["Still"]
    first, second = cells(output, 2, 1)[0]
    assert (first == second).all()


def test_a_name_with_a_percent_sign_is_found(run: Run, mast: Path) -> None:
    """Scene files name their files as URIs."""
    output = mast.parent / "50%20.png"
    assert run("sheet", mast, "--clip", 1, "--frames", 1, "--cell", "8x8", "--samples", 1, "-o", output).status == 0
    assert posed.load(output.with_suffix(".toml")).objects[0].name == "50%20"


def test_what_it_says(run: Run, mast: Path) -> None:
    output = mast.parent / "out.png"
    outcome = run("sheet", mast, "--clip", 0, "--frames", 3, "--cell", "24x16", "--samples", 1, "-o", output)
    assert outcome.out == f"{output}: 3 x 1 cells, 72 x 16; {mast.parent}/out.toml plays it\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--clip", "Jog", "--frames", 2, "-o", "a.png"],
            'there is no clip "Jog": the file has 0 "Rise "up"", 1 "Still"',
        ),
        (["--clip", 0, "--frames", 2, "-o", "a.gif"], 'a.gif: a sheet is saved as .png, found ".gif"'),
        (
            ["--clip", 0, "--frames", 4096, "-o", "a.png"],
            "the sheet would be 524288 x 128; an image has at most 16384 a side: "
            "take fewer frames, fewer directions or smaller cells",
        ),
        (
            ["--clip", 0, "--frames", 2, "--cell", "2x9", "-o", "a.png"],
            "a cell is 2 x 9; it needs at least 3 pixels a side",
        ),
        (
            ["--clip", 0, "--frames", 0, "-o", "a.png"],
            '--frames: "0" is no number for it: give a whole one from 1 to 4096',
        ),
        (["--clip", 0, "--frames", 1, "--cell", "4x4", "-o", "mast.glb/a.png"], "mast.glb: is a file, no folder"),
    ],
)
def test_bad_usage_writes_nothing(
    run: Run, mast: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mast.parent)
    outcome = run("sheet", mast, *words)
    assert outcome.status == 2
    assert message in outcome.err
    assert list(mast.parent.iterdir()) == [mast]
