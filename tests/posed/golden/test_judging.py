"""A frame beside its golden one."""

from dataclasses import replace
from pathlib import Path

from posed.frame import Frame
from posed.golden import Golden, Judgement, Sidecar, Status, judge, write_goldens
from tests.posed.golden.test_sidecar import ACCEPTED
from tests.posed.verify.report.literals import DEEPER, Changes, frame, put


def of(scene: str = "s", pose: str = "p", changes: Changes | None = None) -> Frame:
    drawn = frame(changes)
    return replace(drawn, provenance=replace(drawn.provenance, scene=scene, posed=pose))


def judged(folder: Path, now: Frame, golden: Frame | None, policy: str = "gpu") -> Judgement:
    path = folder / "3.live.any.exr"
    if golden is not None:
        write_goldens([(path, Golden(golden, Sidecar.of(golden, policy, ACCEPTED)))])
    return judge(path, now, policy=policy)


def test_the_same_frame_passes_without_a_look_at_pixels(tmp_path: Path) -> None:
    found = judged(tmp_path, of(), of())
    assert (found.status, found.sentence, found.verdict) == (Status.PASS, "the same bit by bit", None)


def test_within_the_limits_it_passes_and_beyond_them_fails(tmp_path: Path) -> None:
    nearly = judged(tmp_path, of(changes={"depth": put((6, 6), 5.0004)}), of())
    assert nearly.status is Status.PASS
    assert nearly.verdict is not None
    assert judge(nearly.path, of(changes={"depth": put((6, 6), 5.0004)}), policy="exact").status is Status.FAIL
    deeper = judged(tmp_path, of(changes=DEEPER), of())
    assert deeper.status is Status.FAIL
    assert deeper.sentence.startswith("depth: 3 pixels unexplained")


def test_without_a_golden_frame_nothing_passes(tmp_path: Path) -> None:
    found = judged(tmp_path, of(), None)
    assert (found.status, found.verdict) == (Status.MISSING, None)


def test_another_scene_is_stale_whatever_the_pixels(tmp_path: Path) -> None:
    found = judged(tmp_path, of(scene="edited"), of())
    assert found.status is Status.STALE
    assert found.sentence == "the scene has changed since Ada accepted it on 2026-11-30"


def test_the_same_scene_posed_otherwise_fails_even_where_no_pixel_shows_it(tmp_path: Path) -> None:
    found = judged(tmp_path, of(pose="other"), of())
    assert found.status is Status.FAIL
    assert (
        found.sentence
        == "the same scene is posed otherwise than when Ada accepted it on 2026-11-30, though its pixels agree"
    )
    seen = judged(tmp_path, of(pose="other", changes=DEEPER), of())
    assert seen.sentence.endswith("and so do its pixels")


def test_a_layer_that_the_golden_frame_lacks_is_missing_and_one_that_was_there_fails(tmp_path: Path) -> None:
    whole = of()
    never_kept = replace(whole, layers=dict(whole.layers) | {"material": whole["object"]})
    assert judged(tmp_path, never_kept, whole).sentence == "the same bit by bit"
    without = replace(whole, layers={name: whole[name] for name in whole if name not in ("depth", "normal")})
    found = judged(tmp_path, whole, without)
    assert (found.status, found.verdict) == (Status.MISSING, None)
    assert found.sentence == "the golden frame has no depth and no normal: accept the frame again"
    less = replace(whole, layers={"object": whole["object"]})
    found = judged(tmp_path, less, whole)
    assert (found.status, found.verdict) == (Status.FAIL, None)
    assert found.sentence == "it has another size or camera, or fewer layers, than when Ada accepted it on 2026-11-30"


def test_a_damaged_golden_frame_fails_with_the_reason(tmp_path: Path) -> None:
    path = judged(tmp_path, of(), of()).path
    path.write_bytes(b"not an EXR")
    found = judge(path, of(), policy="gpu")
    assert found.status is Status.FAIL
    assert "is not an EXR" in found.sentence
