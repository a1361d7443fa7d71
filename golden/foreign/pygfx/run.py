"""pygfx as a live renderer: python run.py {scene_json} {out}.

Draws the frame that the description asks for off-screen and leaves color.png. Needs pygfx and gltflib.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pygfx as gfx
from rendercanvas.offscreen import RenderCanvas

Array = np.ndarray[Any, Any]

FINER = 3
"""Samples along each side of a pixel."""

SKY = 64
"""Texels along a side of the environment."""


def matrix(numbers: list[float]) -> Array:
    """Return (4, 4) from 16 numbers, column by column."""
    return np.array(numbers).reshape(4, 4).T


class Camera(gfx.Camera):
    """A camera with the projection that it is told."""

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__()
        self._told = matrix(told["projection"]["zero_to_one"])
        self.local.matrix = np.linalg.inv(matrix(told["view"]))

    def _update_projection_matrix(self) -> Array:
        return self._told


def place(scene: gfx.Scene, one: dict[str, Any]) -> gfx.Group:
    """Load an object's file, play its clips and put it where the snapshot has it; return it."""
    if one["clips"] is None:
        sys.exit(f"object {one['name']} plays more than shares of clips: pygfx has no such mixer")
    gltf = gfx.load_gltf(one["file"], quiet=True, remote_ok=False)
    root = gltf.scene or gltf.scenes[0]
    if one["clips"]:
        mixer = gfx.AnimationMixer()
        for clip in one["clips"]:
            action = mixer.clip_action(gltf.animations[clip["index"]])
            action.set_effective_weight(clip["weight"])
            action.play()
            action.time = clip["time"]
        mixer.update(0)
    group = gfx.Group()
    group.local.matrix = matrix(one["matrix"])
    group.add(root)
    for mesh in group.iter(lambda node: isinstance(node, gfx.Mesh)):
        mesh.cast_shadow = mesh.receive_shadow = True
        if one["material"]:
            override(mesh, one["material"], one["sprite"])
    for light in list(group.iter(lambda node: isinstance(node, gfx.Light))):
        light.parent.remove(light)  # the description has them, at their place
    scene.add(group)
    return group


def override(mesh: gfx.Mesh, told: dict[str, Any], sprite: dict[str, Any] | None) -> None:
    """Give a mesh the material that the scene shows in place of the file's."""
    kind = gfx.MeshBasicMaterial if told["unlit"] else gfx.MeshStandardMaterial
    material = kind(color=gfx.Color.from_physical(*told["base_color"]))
    if not told["unlit"]:
        material.metalness, material.roughness = told["metallic"], told["roughness"]
        material.emissive = gfx.Color.from_physical(*told["emission"])
    material.side = "both" if told["double_sided"] else "front"
    if told["alpha"] == "mask":
        material.alpha_test = told["alpha_cutoff"]
    texture = told["color_texture"]
    if texture is not None:
        texels = np.array(PIL.Image.open(texture["file"]).convert("RGBA"))
        if sprite is not None:
            u0, v0, u1, v1 = sprite["uv"]
            height, width = texels.shape[:2]
            texels = np.ascontiguousarray(
                texels[round(v0 * height) : round(v1 * height), round(u0 * width) : round(u1 * width)]
            )
        own = gfx.Texture(texels, dim=2, colorspace="srgb")
        material.map = gfx.TextureMap(own, filter=texture["filter"], wrap="repeat")
    mesh.material = material


def casting(groups: list[gfx.Group]) -> tuple[Array, Array]:
    """Return the corners of all but what is far larger than the smallest: a map over a plain would show nothing."""
    boxes = [group.get_world_bounding_box() for group in groups]
    sizes = [float(np.linalg.norm(high - low)) for low, high in boxes]
    chosen = [box for box, size in zip(boxes, sizes, strict=True) if size <= 10 * min(sizes)]
    return np.min([low for low, _ in chosen], axis=0), np.max([high for _, high in chosen], axis=0)


def light(scene: gfx.Scene, low: Array, high: Array, told: dict[str, Any]) -> None:
    """Add sun, point and spot lights, and the environment to every material that is lit."""
    center, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    for one in told["lights"]:
        color = gfx.Color.from_physical(*one["color"])
        direction = np.array(one["direction"])
        if one["kind"] == "sun":
            shining = gfx.DirectionalLight(color, one["intensity"], cast_shadow=True)
            shining.local.position = center - direction * 2 * radius
            shining.target.local.position = center
            shining.shadow.camera.width = shining.shadow.camera.height = 2 * radius
            shining.shadow.camera.depth_range = (0.5 * radius, 12 * radius)
            shining.shadow.bias = 0.0008
            shining.shadow.cull_mode = "none"  # sheets cast shadows too
        else:
            options = {"cast_shadow": True, "distance": one["range"] or 0, "decay": 2}
            if one["kind"] == "spot":
                options |= {"angle": one["outer"], "penumbra": 1 - one["inner"] / one["outer"] if one["outer"] else 0}
            shining = (gfx.SpotLight if one["kind"] == "spot" else gfx.PointLight)(color, one["intensity"], **options)
            shining.local.position = one["position"]
            if one["kind"] == "spot":
                shining.target.local.position = np.array(one["position"]) + direction
        scene.add(shining)
    sky = environment(told["environment"])
    for mesh in scene.iter(lambda node: isinstance(node, gfx.Mesh)):
        if hasattr(mesh.material, "roughness"):
            mesh.material.env_map = sky


def environment(told: dict[str, Any]) -> gfx.Texture:
    """Return a gradient environment as a cube, whose smaller and smaller copies light what is rough."""
    along = (np.arange(SKY) + 0.5) / SKY * 2 - 1
    across, down = np.meshgrid(along, along)
    ones = np.ones_like(across)
    heights = [-down, -down, ones, -ones, -down, -down]  # of the faces +x, -x, +y, -y, +z, -z
    share = (np.array(heights) / np.sqrt(across**2 + down**2 + 1) + 1)[..., None] / 2
    bottom, top = np.array(told["bottom"]), np.array(told["top"])
    texels = np.full((6, SKY, SKY, 4), 255, np.uint8)
    texels[..., :3] = to_srgb(told["intensity"] * (bottom + share * (top - bottom)))
    return gfx.Texture(texels, dim=2, size=(SKY, SKY, 6), colorspace="srgb", generate_mipmaps=True)


def behind(told: dict[str, Any]) -> Array:
    """Return the environment's radiance at every pixel's centre, (H, W, 3)."""
    width, height = told["size"]
    y, x = np.mgrid[0:height, 0:width] + 0.5
    inverse = np.linalg.inv(matrix(told["camera"]["projection"]["zero_to_one"]))
    clip = np.stack([2 * x / width - 1, 1 - 2 * y / height, np.full_like(x, 0.5), np.ones_like(x)], axis=-1)
    near = clip * [1, 1, 0, 1]
    far, close = (points @ inverse.T for points in (clip, near))
    ray = far[..., :3] / far[..., 3:] - close[..., :3] / close[..., 3:]
    ray = ray @ np.linalg.inv(matrix(told["camera"]["view"]))[:3, :3].T
    share = (ray[..., 1:2] / np.linalg.norm(ray, axis=-1, keepdims=True) + 1) / 2
    bottom, top = (np.array(told["environment"][name]) for name in ("bottom", "top"))
    return np.asarray(told["environment"]["intensity"] * (bottom + share * (top - bottom)))


def to_linear(codes: Array) -> Array:
    """Return linear light of sRGB codes in [0, 1]."""
    return np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def to_srgb(linear: Array) -> Array:
    """Return sRGB codes of linear light, 8 bit."""
    clipped = np.clip(linear, 0, 1)
    codes = np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * clipped ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * codes), np.uint8)


def main(scene_json: str, out: str) -> None:
    """Draw one frame."""
    told = json.loads(Path(scene_json).read_text(encoding="utf-8"))
    scene = gfx.Scene()
    groups = [place(scene, one) for one in told["objects"] if one["visible"]]
    light(scene, *casting(groups), told)
    canvas = RenderCanvas(size=tuple(told["size"]), pixel_ratio=1)
    renderer = gfx.WgpuRenderer(canvas, pixel_ratio=FINER, pixel_filter="nearest", ppaa="none")
    renderer.render(scene, Camera(told["camera"]))
    drawn = renderer.snapshot().astype(float) / 255
    drawn[..., :3] = to_linear(drawn[..., :3])
    width, height = told["size"]
    drawn = drawn.reshape(height, FINER, width, FINER, 4).mean(axis=(1, 3))
    color = to_srgb(drawn[..., :3] + (1 - drawn[..., 3:]) * behind(told))
    PIL.Image.fromarray(color).save(Path(out, "color.png"))
    info = renderer.device.adapter.info
    facts = {"renderer": "pygfx", "version": version("pygfx"), "adapter": info["device"], "tick": told["tick"]}
    Path(out, "frame.json").write_text(json.dumps(facts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
