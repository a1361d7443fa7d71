"""Scene files in texts, and a model for them."""

from pathlib import Path

from tests.gltf_literals import Literal

CAMERA = "[camera]\nposition = [0, 0, 4]\n"
HEAD = "format = 1\n" + CAMERA


def write(folder: Path, text: str) -> Path:
    (folder / "x.toml").write_text(text)
    return folder / "x.toml"


def walker(folder: Path) -> None:
    """A file with two clips, `Walk` of one second and `Run` of half a second, on its one mesh node."""
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh(), name="body")
    for name, end in (("Walk", 1.0), ("Run", 0.5)):
        file.animation((0, "translation", (0.0, end), ((0, 0, 0), (1, 0, 0)), "LINEAR"), name=name)
    (folder / "walker.glb").write_bytes(file.glb())
