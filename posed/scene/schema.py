"""The tables of a scene file, format 1: what the file alone can be checked for."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from posed.scene.kinds import (
    ClipKey,
    Color,
    Exact,
    Flag,
    Index,
    Integer,
    Name,
    NotNegative,
    Positive,
    Radiance,
    Rate,
    Real,
    Rotation,
    Table,
    Unit,
    Vector,
    number_or,
    numbers,
    wrong,
)

Playback = Literal["loop", "once", "ping_pong"]
Angle = Annotated[Real, Field(ge=0, le=90)]


class CameraTable(Table):
    """[camera]: a place and a target or a rotation, or a camera inside a mesh's file."""

    position: Vector = (0.0, 0.0, 0.0)
    target: Vector | None = None
    rotation: Rotation | None = None
    up: Vector = (0.0, 1.0, 0.0)
    fov: Annotated[Real, Field(gt=0, lt=180)] | None = None
    height: Positive | None = None
    near: Positive = 0.1
    far: Positive | None = None
    node: Name | None = None

    @model_validator(mode="after")
    def _one_way(self) -> CameraTable:
        if self.node is not None:
            others = sorted(self.model_fields_set - {"node"})
            if others:
                raise wrong(f"a camera taken from a node brings its own {', '.join(others)}: leave them out")
            return self
        if self.target is not None and self.rotation is not None:
            raise wrong("give target or rotation, not both")
        if self.fov is not None and self.height is not None:
            raise wrong("give fov (perspective) or height (orthographic), not both")
        if self.target == self.position:
            raise wrong("target is the camera's position: give the point it looks at")
        if self.far is not None and self.far <= self.near:
            raise wrong(f"far is {self.far:g} and near {self.near:g}: far lies beyond near")
        return self


class EnvironmentTable(Table):
    """[environment]: one color, a gradient from below to above, or an image."""

    color: Radiance | None = None
    gradient: tuple[Radiance, Radiance] | None = None
    image: Name | None = None
    intensity: NotNegative = 1.0

    @model_validator(mode="after")
    def _one(self) -> EnvironmentTable:
        given = [name for name in ("color", "gradient", "image") if getattr(self, name) is not None]
        if len(given) > 1:
            raise wrong(f"give one of color, gradient and image, found {' and '.join(given)}")
        return self


class LightTable(Table):
    """[[light]]: a sun, point or spot."""

    kind: Literal["sun", "point", "spot"]
    direction: Vector | None = None
    position: Vector | None = None
    color: Radiance = (1.0, 1.0, 1.0)
    intensity: NotNegative = 1.0
    angle: Annotated[Real, Field(ge=0, le=180)] = 0.0
    range: Positive | None = None
    inner: Angle = 0.0
    outer: Annotated[Angle, Field(gt=0)] = 45.0

    @model_validator(mode="after")
    def _fits(self) -> LightTable:
        takes = {
            "sun": {"direction", "angle"},
            "point": {"position", "range"},
            "spot": {"position", "direction", "range", "inner", "outer"},
        }[self.kind]
        given = self.model_fields_set - {"kind", "color", "intensity"}
        if given - takes:
            raise wrong(f"a {self.kind} takes no {', '.join(sorted(given - takes))}")
        needed = {"direction", "position"} & takes
        if needed - given:
            raise wrong(f"a {self.kind} needs {' and '.join(sorted(needed - given))}")
        if self.direction == (0.0, 0.0, 0.0):
            raise wrong("direction is zero: give the way the light travels")
        if self.inner >= self.outer:
            raise wrong(f"inner is {self.inner:g} and outer {self.outer:g}: inner lies below outer")
        return self


class MeshTable(Table):
    """[meshes.NAME]: a model file or a simple shape."""

    file: Name | None = None
    shape: Literal["plane", "box", "sphere", "card"] | None = None
    size: Annotated[tuple[float, ...], BeforeValidator(number_or(1, 2, 3, above=0.0))] = (1.0,)

    @model_validator(mode="after")
    def _one(self) -> MeshTable:
        if (self.file is None) == (self.shape is None):
            raise wrong("give file or shape, one of the two")
        if self.shape is None:
            if "size" in self.model_fields_set:
                raise wrong("size belongs to a shape: scale the object instead")
            return self
        sides = {"plane": 2, "box": 3, "sphere": 1, "card": 2}[self.shape]
        if len(self.size) not in (1, sides):
            raise wrong(f"the size of a {self.shape} is a number or a list of {sides}, found {len(self.size)}")
        return self


class TextureTable(Table):
    """A texture of a material: its file and how it is read."""

    file: Name
    wrap: Literal["repeat", "mirror", "clamp"] = "repeat"
    filter: Literal["linear", "nearest"] = "linear"
    uv: Index = 0


def _texture(value: Any) -> Any:
    return {"file": value} if isinstance(value, str) else value


TextureKey = Annotated[TextureTable, BeforeValidator(_texture)]


class MaterialTable(Table):
    """[materials.NAME]: a metallic-roughness surface."""

    color: Color = (1.0, 1.0, 1.0, 1.0)
    alpha: Literal["opaque", "mask", "blend"] = "opaque"
    alpha_cutoff: Unit = 0.5
    content: Flag = False
    unlit: Flag = False
    metallic: Unit = 0.0
    roughness: Unit = 1.0
    specular: Unit = 1.0
    emission: Radiance = (0.0, 0.0, 0.0)
    emission_strength: NotNegative = 1.0
    transmission: Unit = 0.0
    ior: Annotated[Real, Field(ge=1)] = 1.5
    double_sided: Flag = False
    color_texture: TextureKey | None = None
    metallic_roughness_texture: TextureKey | None = None
    normal_texture: TextureKey | None = None
    emission_texture: TextureKey | None = None

    @model_validator(mode="after")
    def _one_picture(self) -> MaterialTable:
        if self.content and self.color_texture is not None:
            raise wrong("a content material shows its object's picture: give content or color_texture, not both")
        return self


class BlendItem(Table):
    """One clip of a blend and its weight."""

    clip: ClipKey
    weight: NotNegative


def _some_weight(items: list[BlendItem] | None) -> list[BlendItem] | None:
    if items is not None and not any(item.weight > 0 for item in items):
        raise wrong("the weights of a blend are 0 or more and not all 0")
    return items


class EventItem(Table):
    """A mark on a clip: at a time in seconds (skeletal) or on entering a frame (sprite)."""

    name: Name
    clip: ClipKey
    time: Annotated[Exact, Field(ge=0)] | None = None
    frame: Index | None = None


class SpriteClipTable(Table):
    """[object.animation.clips.NAME]: the frames from one to another, both shown."""

    from_: Index = Field(alias="from")
    to: Index
    fps: Annotated[Exact, Field(gt=0)] | None = None


def _whole(value: Any) -> tuple[float, ...]:
    rect = numbers(4, least=0.0)(value)
    if any(number != int(number) for number in rect):
        raise wrong(f"a frame is x, y, width and height in whole texels, found {list(rect)}")
    return rect


class AnimationTable(Table):
    """[object.animation]: what the object plays from tick 0."""

    clip: ClipKey | None = None
    blend: Annotated[list[BlendItem] | None, AfterValidator(_some_weight)] = None
    speed: Exact = Fraction(1)
    playback: Playback = "loop"
    start: Annotated[Exact, Field(ge=0)] = Fraction(0)
    root_motion: Flag = False
    events: list[EventItem] = Field(default_factory=list)
    atlas: Name | None = None
    grid: tuple[Annotated[Integer, Field(gt=0)], Annotated[Integer, Field(gt=0)]] | None = None
    rects: list[Annotated[tuple[float, ...], BeforeValidator(_whole)]] | None = None
    fps: Annotated[Exact, Field(gt=0)] | None = None
    clips: dict[str, SpriteClipTable] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one(self) -> AnimationTable:
        if self.clip is not None and self.blend is not None:
            raise wrong("give clip or blend, not both")
        sprite_only = sorted(self.model_fields_set & {"grid", "rects", "fps", "clips"})
        if self.atlas is None:
            if sprite_only:
                raise wrong(f"{', '.join(sprite_only)} belong to a sprite: give its atlas too")
            return self
        alien = sorted(self.model_fields_set & {"blend", "root_motion"})
        if alien:
            raise wrong(f"a sprite takes no {', '.join(alien)}")
        if (self.grid is None) == (self.rects is None):
            raise wrong("a sprite needs grid or rects, one of the two")
        if not self.clips:
            raise wrong("a sprite needs clips: [object.animation.clips.NAME] with from and to")
        return self


class MotionTable(Table):
    """[object.motion]: a keyed path of the whole object."""

    times: Annotated[list[Annotated[Exact, Field(ge=0)]], Field(min_length=1)]
    positions: list[Vector] | None = None
    rotations: list[Rotation] | None = None
    scales: list[Vector] | None = None
    interpolation: Literal["linear", "step", "cubic"] = "linear"
    playback: Playback = "loop"

    @model_validator(mode="after")
    def _counts(self) -> MotionTable:
        if any(later <= earlier for earlier, later in zip(self.times, self.times[1:], strict=False)):
            raise wrong("times increase from key to key")
        tracks = {name: getattr(self, name) for name in ("positions", "rotations", "scales")}
        if all(track is None for track in tracks.values()):
            raise wrong("a path needs positions, rotations or scales")
        for name, track in tracks.items():
            if track is not None and len(track) != len(self.times):
                raise wrong(f"{name} and times have {len(track)} and {len(self.times)} keys: give as many")
        return self


class ObjectTable(Table):
    """[[object]]: a placed mesh."""

    name: Annotated[Name, Field(pattern=r"^[^/]+$")]
    mesh: Name
    material: Name | None = None
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation | None = None
    euler: Vector | None = None
    scale: Annotated[tuple[float, ...], BeforeValidator(number_or(3))] = (1.0,)
    matrix: Annotated[tuple[float, ...], BeforeValidator(numbers(16))] | None = None
    attach: Name | None = None
    content: Name | None = None
    visible: Flag = True
    face_camera: Flag = False
    animation: AnimationTable | None = None
    motion: MotionTable | None = None

    @model_validator(mode="after")
    def _fits(self) -> ObjectTable:
        if self.rotation is not None and self.euler is not None:
            raise wrong("give rotation or euler, not both")
        parts = sorted(self.model_fields_set & {"position", "rotation", "euler", "scale"})
        if self.matrix is not None:
            if parts:
                raise wrong(f"a matrix stands in place of {', '.join(parts)}: give one or the other")
            if self.matrix[12:] != (0.0, 0.0, 0.0, 1.0):
                raise wrong("the last four numbers of a matrix are 0, 0, 0, 1: it is written row by row")
        if self.content is not None and self.animation is not None and self.animation.atlas is not None:
            raise wrong("an object takes a sprite or content, not both")
        return self


class SceneTable(Table):
    """The whole file."""

    format: Literal[1]
    rate: Rate = Fraction(60)
    camera: CameraTable
    environment: EnvironmentTable = EnvironmentTable()
    light: list[LightTable] = Field(default_factory=list)
    meshes: dict[str, MeshTable] = Field(default_factory=dict)
    materials: dict[str, MaterialTable] = Field(default_factory=dict)
    object: list[ObjectTable] = Field(default_factory=list)
