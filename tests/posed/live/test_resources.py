"""What the renderer keeps on the device, and how it does without optional features."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
import wgpu

from posed.errors import PosedError
from posed.gltf.material import AlphaMode, Material
from posed.live import MeshData, Renderer, device
from posed.live import renderer as renderer_module
from posed.scene.description import Scene
from tests.posed.live.literals import QUAD, model, picture, posed, primitive, rectangle, scene, translation


def alive() -> dict[str, int]:
    """The number of living device objects by class, as wgpu's own library counts them, and their bytes."""
    gc.collect()
    counts = wgpu.diagnostics.wgpu_native_counts.get_dict()
    held = wgpu.diagnostics.object_counts.get_dict()["total"]["resource_mem"]
    return {name: row["count"] for name, row in counts.items()} | {"bytes": held}


def textured_scene() -> Scene:
    material = Material(alpha_mode=AlphaMode.MASK, color_texture=picture([[[255, 255, 255, 255]]]))
    uvs = (np.zeros((4, 2), np.float32),)
    quads = [primitive(rectangle(-1, -1, 1, 1, -2 - i), uvs=uvs) for i in range(3)]
    return scene(model(*quads, material=material))


def test_two_hundred_renders_leave_nothing_behind(renderer: Renderer) -> None:
    drawn = textured_scene()

    def render(count: int) -> dict[str, int]:
        for i in range(count):
            pose = posed(models={"a": translation(0.01 * i, 0, 0)})
            renderer.render(drawn, pose, size=(96, 64), layers=["object", "position"])
        return alive()

    after_a_few, after_many = render(3), render(200)
    assert after_many == after_a_few
    assert after_many["Device"] == 1


def test_what_a_scene_took_on_the_device_is_taken_again_by_the_next(renderer: Renderer) -> None:
    lasting = scene(model(primitive(rectangle(-1, -1, 1, 1, -2))))
    renderer.render(lasting, posed(), size=(8, 8))

    def pass_by() -> dict[str, int]:
        """Draw a scene of a thousand vertices and a picture of as many texels, and let it go."""
        many = primitive(np.random.default_rng(1).uniform(-1, 1, (1000, 3)).tolist(), uvs=(np.zeros((1000, 2)),))
        material = Material(color_texture=picture(np.full((40, 25, 4), 255)))
        passing = scene(model(many, material=material))
        renderer.render(passing, posed(), size=(8, 8))
        del passing
        return alive()

    first = pass_by()
    for _ in range(20):
        assert pass_by() == first


def test_a_scene_leaves_the_device_at_once_not_when_garbage_is_looked_for(renderer: Renderer) -> None:
    own = Renderer(renderer.adapter.name)
    passing = textured_scene()
    own.render(passing, posed(), size=(8, 8), layers=["color"])
    meshes, materials = own._meshes._pages[0], own._surfaces._pages[0]
    assert not meshes.geometries.empty
    gc.disable()
    try:
        del passing
        assert meshes.geometries.empty
        assert materials.records.empty
        assert materials.texels.empty
    finally:
        gc.enable()


def test_an_instance_without_its_renderer_says_so(renderer: Renderer) -> None:
    own = Renderer(renderer.adapter.name)
    one = own.add(own.upload_mesh(MeshData(np.array(rectangle(-1, -1, 1, 1, -2)), np.array(QUAD))))
    del own
    with pytest.raises(PosedError, match="instance 1: its renderer is gone: keep it as long as its instances"):
        one.place(np.eye(4))


def test_pages_that_are_empty_leave_the_device(renderer: Renderer) -> None:
    renderer = Renderer(renderer.adapter.name)
    quad = MeshData(np.array(rectangle(-1, -1, 1, 1, -2)), np.array(QUAD))
    mesh = renderer.upload_mesh(quad)
    one = renderer.add(mesh)
    filled = alive()["Buffer"]
    renderer.remove(one)
    page = weakref.ref(mesh.page)
    del mesh, one
    gc.collect()
    again = renderer.upload_mesh(quad)
    assert page() is None
    assert again.index == 0
    assert alive()["Buffer"] == filled


def test_without_primitive_index_every_layer_is_the_same(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = device.open_gpu(renderer.adapter.name)
    poorer = device.Gpu(replace(gpu.adapter, primitive_index=False), gpu.device)
    monkeypatch.setattr(renderer_module, "open_gpu", lambda name: poorer)
    fallback = Renderer()
    rng = np.random.default_rng(5)
    soup = primitive(
        rng.uniform(-2, 2, (300, 3)).tolist(),
        np.arange(300).reshape(-1, 3).tolist(),
        normals=np.tile(np.array([0, 0, 1], np.float32), (300, 1)),
    )
    drawn = scene(model(soup, material=Material(double_sided=True)), matrices=[translation(0, 0, -5)])
    layers = ["object", "part", "triangle", "depth", "normal", "geometric_normal", "position"]
    for pose in (posed(), posed(nodes={"a": {0: np.diag([-1.0, 1.5, 0.5, 1.0])}})):
        expected = renderer.render(drawn, pose, size=(200, 150), layers=layers)
        found = fallback.render(drawn, pose, size=(200, 150), layers=layers)
        for layer in ("object", "part", "triangle"):
            np.testing.assert_array_equal(found[layer], expected[layer])
        for layer in ("depth", "normal", "geometric_normal", "position"):
            np.testing.assert_allclose(found[layer], expected[layer], rtol=1e-5, atol=1e-5)
    assert len(np.unique(expected["triangle"])) > 50
