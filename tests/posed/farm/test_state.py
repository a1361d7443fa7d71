import pickle

from posed.farm.state import freeze, thaw
from posed.gltf.model import Model


def test_a_thawed_world_plays_on_with_the_same_bits(scene, world):
    world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2)
    world.advance(17)
    twin = thaw(scene, freeze(world))
    assert twin.scene is scene
    assert [twin.advance(40), twin.posed().digest] == [world.advance(40), world.posed().digest]


def test_the_state_is_frozen_without_the_scene(world):
    world.advance(42)
    state = freeze(world)
    assert len(state) < len(pickle.dumps(world.scene)) / 20
    assert Model.__name__.encode() not in state


def test_a_frozen_world_thaws_over_an_equal_scene_of_another_process(scene, world):
    world.advance(9)
    other = pickle.loads(pickle.dumps(scene))
    assert thaw(other, freeze(world)).posed().digest == world.posed().digest


def test_freezing_carries_out_what_a_builder_left_open(scene, world):
    world.animate("walker", "Run")
    assert thaw(scene, freeze(world)).posed().digest == world.posed().digest
