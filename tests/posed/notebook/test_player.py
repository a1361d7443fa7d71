"""The player without a browser: what it is asked, what it draws, what it says of it, and what it answers."""

import io
import math
import sys

import numpy as np
import PIL.Image
import pytest

import posed
from posed.notebook.player.about import about
from posed.notebook.player.request import Request, read_request
from posed.notebook.player.screen import Screen

SIZE = (64, 48)
NAME = "limb & <b>co"


def asked(**more: object) -> Request:
    return read_request({"view": "a", "tick": 0} | more)


@pytest.fixture
def screen(scene: posed.Scene) -> Screen:
    return Screen(scene, size=SIZE)


def codes(data: bytes) -> np.ndarray:
    return np.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGB"))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"view": "a", "tick": -1}, "tick: Input should be greater than or equal to 0"),
        ({"view": "a", "tick": 2.5}, "tick: "),
        ({"view": "a", "tick": 0, "layer": "depht"}, "layer: Input should be 'color', 'object'"),
        ({"view": "a", "tick": 0, "moves": [["turn", math.inf, 0]]}, "moves.0.1: "),
        ({"view": "a", "tick": 0, "pick": [1.5, 0]}, "pick.0: Input should be less than or equal to 1"),
        ({"view": "a", "tick": 0, "quality": 3}, "quality: "),
        ({"view": "a", "tick": 0, "more": 1}, "more: Extra inputs are not permitted"),
        ("draw", "the message: "),
    ],
)
def test_a_message_that_is_no_request_is_told_by_its_part(message: object, said: str) -> None:
    with pytest.raises(posed.PosedError, match="the player cannot draw this") as found:
        read_request(message)
    assert said in str(found.value)


def test_a_picture_at_rest_is_the_trace_without_loss_and_a_quick_one_close(scene: posed.Scene, screen: Screen) -> None:
    world = posed.World(scene)
    world.advance(30)
    for quality, samples in ((1, 4), (2, 16)):
        fine = screen.draw(asked(tick=30, quality=quality))
        expected = posed.trace(scene, world.posed(), size=SIZE, samples=samples).rgba()[..., :3]
        assert (codes(fine.picture) == expected).all()
        assert fine.media == "image/webp"
        assert fine.refines == (quality == 1)
        assert fine.label == f"tick 30, 0.50 s · {NAME}: as the scene plays it · traced, {samples} samples a pixel"
    quick = screen.draw(asked(tick=30))
    once = posed.trace(scene, world.posed(), size=SIZE, samples=1).rgba()[..., :3]
    assert quick.media == "image/jpeg"
    assert quick.refines
    assert "traced, 1 sample a pixel" in quick.label
    assert np.abs(codes(quick.picture).astype(int) - once).mean() < 4  # of 255; a JPEG rings at edges


def test_coarse_halves_the_sides_and_says_so(screen: Screen) -> None:
    answer = screen.draw(asked(coarse=2))
    assert codes(answer.picture).shape == (24, 32, 3)
    assert answer.label.endswith("32x24 while it moves")


def test_geometry_layers_are_as_fine_as_they_get_after_one_refinement(screen: Screen) -> None:
    assert screen.draw(asked(layer="depth")).refines
    fine = screen.draw(asked(layer="depth", quality=1))
    assert not fine.refines
    assert fine.label.endswith("depth · traced, at pixel centers")


@pytest.mark.usefixtures("renderer")
def test_what_the_live_renderer_draws_is_said(scene: posed.Scene, screen: Screen) -> None:
    live = screen.draw(asked(tick=30, renderer="live", quality=1))
    assert live.label.endswith("as the scene plays it · drawn live")
    assert not live.refines
    world = posed.World(scene)
    world.advance(30)
    assert (codes(live.picture) == posed.live.render(scene, world.posed(), size=SIZE).rgba()[..., :3]).all()
    overlaid = screen.draw(asked(renderer="live", overlays=["bones"]))
    assert overlaid.label.endswith("traced, as overlays are, 1 sample a pixel")


def test_clips_and_blends_are_those_that_are_asked_for(scene: posed.Scene, screen: Screen) -> None:
    screen.draw(asked(tick=30, plays={NAME: {"clip": 0, "blended": 0, "weight": 0.25}}, object=NAME))
    world = posed.World(scene)
    world.animate(NAME, 0).blend(0, 0.25).done()
    world.advance(30)
    assert screen.look.playing.posed().digest == world.posed().digest
    screen.draw(asked(tick=30))
    assert screen.look.playing.choices == {}, "a request says all that plays"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"plays": {"nobody": {}}}, 'no object "nobody" has clips: limb & <b>co has'),
        ({"plays": {NAME: {"clip": 7}}}, "has no clip 7: it has 1, counted from 0"),
        ({"object": "nobody"}, 'no object "nobody" has clips'),
        ({"overlays": ["bonse"]}, 'there is no overlay "bonse": did you mean "bones"?'),
        ({"overlays": ["weights:kne"]}, 'no joint is called "kne": did you mean "knee"?'),
    ],
)
def test_what_the_scene_has_not_is_named(screen: Screen, more: dict[str, object], said: str) -> None:
    with pytest.raises(posed.PosedError) as found:
        screen.draw(asked(**more))
    assert said in str(found.value)


def test_moves_turn_shift_and_near_the_camera_until_it_is_reset(screen: Screen) -> None:
    begun = screen.look.orbit()
    screen.draw(asked(moves=[["turn", 0.25, 0.125], ["shift", 0.5, 0.0], ["near", math.log(2), 0]]))
    orbit = screen.look.orbit()
    assert orbit.yaw == pytest.approx(begun.yaw - math.pi / 4)
    assert orbit.pitch == pytest.approx(begun.pitch + math.pi / 8)
    assert orbit.distance == pytest.approx(begun.distance / 2)
    assert orbit.pivot != begun.pivot
    screen.draw(asked(moves=[["reset", 0, 0]]))
    assert screen.look.camera() is None


def test_a_pick_tells_the_chain_and_the_weights(screen: Screen) -> None:
    told = screen.draw(asked(pick=[0.5, 0.7])).picked
    assert told is not None
    assert told["where"].startswith(f"{NAME}: body, triangle ")
    assert [(bone["name"], bone["depth"]) for bone in told["bones"]] == [("hip", 0), ("knee", 1)]
    assert sum(bone["share"] for bone in told["bones"]) == pytest.approx(1.0)
    assert told["joint"] == f"{NAME}/hip", "the lower half of the limb hangs on it"
    assert {tuple(vertex["influences"][0]) for vertex in told["vertices"]} == {("hip", 1.0), ("knee", 1.0)}
    assert screen.draw(asked(pick=[1.0, 0.0])).picked is None
    assert screen.draw(asked(overlays=[f"weights:{told['joint']}"])).label.endswith("1 sample a pixel")


def test_what_is_offered_is_what_the_scene_has(scene: posed.Scene) -> None:
    told = about(scene, tick=3, size=SIZE, shown=("weights:knee",))
    assert told["objects"] == [{"name": NAME, "clips": ["Bend"]}]
    assert told["joints"] == [f"{NAME}/hip", f"{NAME}/knee"]
    assert (told["length"], told["rate"], told["tick"]) == (60, 60.0, 3)
    assert {"bones", "wireframe", "weights:knee"} <= set(told["overlays"])


@pytest.fixture
def player(scene: posed.Scene):
    pytest.importorskip("anywidget")
    return posed.notebook.play(scene, tick=12, size=SIZE)


def messages(player, monkeypatch: pytest.MonkeyPatch, request: object) -> list[tuple[dict, list[bytes]]]:
    sent: list[tuple[dict, list[bytes]]] = []
    monkeypatch.setattr(player, "send", lambda content, buffers=(): sent.append((content, list(buffers))))
    player._take(player, request, [])
    return sent


def test_a_request_is_answered_to_the_view_that_asked(player, monkeypatch: pytest.MonkeyPatch) -> None:
    ((content, (picture,)),) = messages(player, monkeypatch, {"view": "b", "number": 7, "tick": 5})
    assert (content["kind"], content["view"], content["number"], content["length"]) == ("drawn", "b", 7, 60)
    assert codes(picture).shape == (48, 64, 3)
    assert player.tick == 5
    assert player.posed().tick == 5


def test_errors_are_answers_too(player, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = {"view": "b", "number": 7, "tick": 5, "overlays": ["bonse"]}
    ((content, _),) = messages(player, monkeypatch, bad)
    said = 'there is no overlay "bonse": did you mean "bones"?'
    assert content == {"kind": "failed", "view": "b", "number": 7, "text": said}

    def missing(*_: object, **__: object) -> None:
        raise posed.MissingError("no adapter")

    monkeypatch.setattr("posed.live.render", missing)
    ((content, _),) = messages(player, monkeypatch, {"view": "b", "tick": 5, "renderer": "live"})
    assert content["text"] == "no adapter"


def test_a_fault_is_shown_and_raised(player, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict] = []
    monkeypatch.setattr(player, "send", lambda content, buffers=(): sent.append(content))
    monkeypatch.setattr(player._screen, "draw", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        player._take(player, {"view": "b", "tick": 5}, [])
    assert sent[0]["text"].startswith("a fault of posed: ZeroDivisionError: ")


def test_where_no_widget_lives_there_is_a_picture(player) -> None:
    data, _ = player._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "data:image/png;base64," in data["text/html"]
    assert "tick 12" in data["text/html"]
    assert data["text/plain"].startswith("Player of Scene x.toml")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tick": -1}, "a player begins at a tick, 0 or later, found -1"),
        ({"tick": "x"}, "a player begins at a tick, 0 or later, found 'x'"),
        ({"size": (8, 8)}, "a player has 16 to 4096 pixels a side, found 8x8"),
        ({"overlays": ("bonse",)}, 'there is no overlay "bonse"'),
    ],
)
def test_settings_out_of_range_are_refused(scene: posed.Scene, options: dict, said: str) -> None:
    pytest.importorskip("anywidget")
    with pytest.raises(posed.PosedError) as found:
        posed.notebook.play(scene, **options)
    assert said in str(found.value)


def test_without_anywidget_the_extra_is_named(scene: posed.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "posed.notebook.player.widget", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(posed.MissingError, match=r'pip install "posed\[notebook\]"'):
        posed.notebook.play(scene)


def test_what_is_no_scene_is_refused() -> None:
    pytest.importorskip("anywidget")
    with pytest.raises(posed.PosedError, match=r"a player plays a scene, found 'hero.glb': give it posed.load"):
        posed.notebook.play("hero.glb")  # type: ignore[arg-type]
