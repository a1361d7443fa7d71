"""Checks over a crew: the verdicts of a run in one process, in its order, light enough to cross."""

import pickle
import warnings
from functools import partial

import pytest

import posed
from posed.farm import Series, checks, suite_series
from posed.farm.checking import CheckChunk
from posed.farm.chunk import Ready
from posed.farm.state import freeze
from posed.verify import check
from posed.verify.suite.load import load_suite
from posed.verify.suite.result import CheckResult
from posed.verify.suite.run import run_suite
from tests.posed.farm.conftest import SCENES

SIZE = 48, 27


def judged(name, off, scene, pose):
    """The truth's own depth as a live side, off by a share of it."""
    frame = posed.trace(scene, pose, size=SIZE, integrator="aov", layers=["object", "depth"])
    layers = {"object": frame["object"], "depth": (frame["depth"] * (1.0 + off)).astype("f4")}
    return CheckResult("walker", pose.tick, name, check(scene, pose, posed.Frame(layers, SIZE)))


def lacking(scene, pose):
    return CheckResult("walker", pose.tick, "lacking", error="drew nothing")


CHECKERS = (partial(judged, "right", 0.0), partial(judged, "wrong", 0.01), lacking)


def told(results):
    return [(one.test, one.tick, one.renderer, one.outcome, one.sentence()) for one in results]


@pytest.fixture
def series(world):
    return Series(world, (0, 7, 3), CHECKERS)


def expected(world, ticks):
    """What a plain loop finds, play beginning anew where ticks go back."""
    for tick in ticks:
        fresh = posed.World(world.scene)
        fresh.advance(tick)
        for checker in CHECKERS:
            yield checker(world.scene, fresh.posed())


@pytest.mark.parametrize("workers", [1, 2])
def test_verdicts_and_their_order_are_those_of_a_plain_loop(world, series, workers):
    found = [one.result for one in checks([series, series], workers=workers)]
    assert told(found) == 2 * told(expected(world, series.ticks))
    assert [one.outcome for one in found[:3]] == ["passed", "failed", "no frame"]


def test_a_verdict_crosses_without_what_is_heavy(scene, world):
    chunk = CheckChunk(freeze(world), 7, CHECKERS[1:2], with_shown=False)
    (light,) = chunk.carried_out(Ready(scene))
    assert len(pickle.dumps(light)) < 20_000
    world.advance(7)
    assert light.result.verdict.to_json() == CHECKERS[1](scene, world.posed()).verdict.to_json()
    assert light.shown is None


def test_a_report_gets_what_it_shows_of_those_with_a_verdict(series):
    shown = [one.shown for one in checks([series._replace(ticks=(0,))], with_shown=True)]
    assert [one is None for one in shown] == [False, False, True]
    assert set(shown[1].content["pictures"]) == {"silhouette", "object", "depth"}


def test_a_suite_is_checked_as_it_is_in_one_process(tmp_path):
    for name in ("walker.toml", "walker.glb", "ground.png"):
        (tmp_path / name).write_bytes((SCENES / name).read_bytes())
    (tmp_path / "suite.toml").write_text(
        'format = 1\nsize = [32, 18]\n[renderers.none]\ncommand = ["false"]\n[renderers.absent]\n'
        'command = ["there-is-none"]\n[[test]]\nname = "a"\nscene = "walker.toml"\nticks = [4, 0]\n'
        '[[test]]\nname = "b"\nscene = "walker.glb"\nticks = [1]\nrenderers = ["absent"]\n'
    )
    suite = load_suite(tmp_path / "suite.toml")
    found = [one.result for one in checks(suite_series(suite), workers=2)]
    assert told(found) == told(run_suite(suite).results)
    assert [(one.test, one.tick, one.renderer) for one in found] == [
        ("a", 4, "none"),
        ("a", 4, "absent"),
        ("a", 0, "none"),
        ("a", 0, "absent"),
        ("b", 1, "absent"),
    ]


def test_a_cluster_gives_the_same_verdicts_in_order(series):
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
        ) as cluster:
            found = [one.result for one in checks([series], cluster=cluster.scheduler_address)]
    assert told(found) == told(one.result for one in checks([series]))
