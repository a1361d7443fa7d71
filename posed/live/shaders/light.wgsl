// What shines on a surface: punctual lights and the maps that know their shadows, and the environment.

const PI: f32 = 3.14159265358979;

const SUN: u32 = 0u;
const POINT: u32 = 1u;
const SPOT: u32 = 2u;

struct Light {
  color: vec3f,         // times the intensity
  kind: u32,            // SUN, POINT, SPOT
  position: vec3f,      // relative to the frame's origin
  fading: f32,          // one over the range, 0 where there is none
  direction: vec3f,     // the way the light travels
  cone_scale: f32,      // the cone is cosine * scale + offset, from 0 to 1
  cone_offset: f32,
  first_map: u32,       // its shadow maps
  maps: u32,
  reserved: u32,
};

struct ShadowMap {
  row0: vec4f,          // world relative to the origin -> texels across, texels down, reversed depth, and what divides them
  row1: vec4f,
  row2: vec4f,
  row3: vec4f,
  bias: f32,            // depth by which a surface must be nearer to the light to cast: this much
  bias_share: f32,      // and this share of its own
  texels: f32,          // a side of the map
  layer: u32,
};

struct Shine {
  irradiance: array<vec4f, 9>,  // over pi: 1, x, y, z, x y, y z, z x, 3 y y - 1, x x - z z
  bottom: vec4f,                // radiance of the gradient's ends
  top: vec4f,
  lights: u32,
  has_panorama: u32,
  reserved0: u32,
  reserved1: u32,
  light: array<Light, 256>,
  map: array<ShadowMap, 256>,
};

@group(3) @binding(0) var<uniform> shine: Shine;
@group(3) @binding(1) var shadow_maps: texture_depth_2d_array;
@group(3) @binding(2) var panorama: texture_2d<f32>;    // one texel where the gradient is the environment

// The number of lights, and of maps that each of them has, where a pipeline is made for them: drivers then need no loops.
override LIGHTS: i32 = -1;
override MAPS: i32 = -1;

// Whether there may be lights that are no suns, and an image around.
override LAMPS: bool = true;
override PANORAMA: bool = true;

fn light_count() -> u32 {
  if (LIGHTS >= 0) {
    return u32(LIGHTS);
  }
  return shine.lights;
}

// What a white Lambert surface of unit normal n shows of the environment.
fn surrounding(n: vec3f) -> vec3f {
  if (!PANORAMA) {
    return max(shine.irradiance[0].xyz + n.y * shine.irradiance[2].xyz, vec3f(0.0));
  }
  var sum = shine.irradiance[0].xyz + n.x * shine.irradiance[1].xyz + n.y * shine.irradiance[2].xyz;
  sum += n.z * shine.irradiance[3].xyz + n.x * n.y * shine.irradiance[4].xyz + n.y * n.z * shine.irradiance[5].xyz;
  sum += n.z * n.x * shine.irradiance[6].xyz + (3.0 * n.y * n.y - 1.0) * shine.irradiance[7].xyz;
  sum += (n.x * n.x - n.z * n.z) * shine.irradiance[8].xyz;
  return max(sum, vec3f(0.0));
}

// The environment's radiance from a unit direction: the gradient's, or the panorama's, whose middle lies along -Z.
fn sky(d: vec3f) -> vec3f {
  if (shine.has_panorama == 0u) {
    return mix(shine.bottom.xyz, shine.top.xyz, 0.5 * (d.y + 1.0));
  }
  let size = vec2f(textureDimensions(panorama));
  let place = vec2f(0.5 + atan2(d.x, -d.z) / (2.0 * PI), atan2(length(d.xz), d.y) / PI) * size - 0.5;
  let corner = floor(place);
  let share = place - corner;
  let above = mix(radiance_at(corner), radiance_at(corner + vec2f(1.0, 0.0)), share.x);
  let below = mix(radiance_at(corner + vec2f(0.0, 1.0)), radiance_at(corner + 1.0), share.x);
  return mix(above, below, share.y);
}

// A texel of the panorama: columns go around, rows end.
fn radiance_at(texel: vec2f) -> vec3f {
  let size = vec2i(textureDimensions(panorama));
  let column = (i32(texel.x) + size.x) % size.x;
  return textureLoad(panorama, vec2i(column, clamp(i32(texel.y), 0, size.y - 1)), 0).rgb;
}

// The unit direction from a point toward a light, and the share of its color that arrives where nothing is between.
fn arriving(light: Light, point: vec3f) -> vec4f {
  if (!LAMPS) {
    return vec4f(-light.direction, 1.0);
  }
  let way = light.position - point;
  let squared = dot(way, way);
  let toward = way * inverseSqrt(squared);
  let ratio = squared * light.fading * light.fading;
  let window = saturate(1.0 - ratio * ratio);
  let cosine = -dot(light.direction, toward);
  let cone = select(1.0, saturate(cosine * light.cone_scale + light.cone_offset), light.kind == SPOT);
  let lamp = select(vec4f(0.0), vec4f(toward, window * cone * cone / squared), squared > 0.0);
  return select(lamp, vec4f(-light.direction, 1.0), light.kind == SUN);
}

// Where a shadow ray starts, and the ways along the seen triangle's plane to the neighbouring pixels.
struct Start {
  point: vec3f,
  across: vec3f,
  down: vec3f,
};

const STEEPEST: f32 = 8.0;    // of the bias: how far a surface may rise, at most, from a texel's middle to a point in it

// Whether a map has a surface between the start and the light.
fn casts(map: ShadowMap, start: Start) -> bool {
  let h = vec4f(start.point, 1.0);
  var at = vec3f(dot(map.row0, h), dot(map.row1, h), dot(map.row2, h));
  var a = vec3f(dot(map.row0.xyz, start.across), dot(map.row1.xyz, start.across), dot(map.row2.xyz, start.across));
  var b = vec3f(dot(map.row0.xyz, start.down), dot(map.row1.xyz, start.down), dot(map.row2.xyz, start.down));
  var w = 1.0;
  if (LAMPS) {
    w = dot(map.row3, h);
    at /= w;
    a -= at * dot(map.row3.xyz, start.across);
    b -= at * dot(map.row3.xyz, start.down);
  }
  let texel = floor(at.xy);
  let is_inside = (w > 0.0) & all(texel >= vec2f(0.0)) & all(texel < vec2f(map.texels));
  // How depth rises from texel to texel along the plane; then its depth at the texel's middle, as the map has it.
  let area = a.x * b.y - a.y * b.x;
  let rise = vec2f(a.z * b.y - a.y * b.z, a.x * b.z - a.z * b.x) / area;
  let bias = map.bias + select(0.0, map.bias_share * at.z, LAMPS);
  let most = STEEPEST * bias;
  let here = at.z + select(0.0, clamp(dot(rise, texel + 0.5 - at.xy), -most, most), area != 0.0);
  let there = textureLoad(shadow_maps, vec2i(select(vec2f(0.0), texel, is_inside)), map.layer, 0);
  return is_inside & (there > max(here + bias, 0.0));     // 0 where there is none
}

// Whether anything casts a shadow of light `i` at a start.
fn is_shadowed(i: u32, start: Start) -> bool {
  var dark = false;
  if (MAPS > 0) {
    for (var k = 0u; k < u32(MAPS); k += 1u) {
      dark = dark | casts(shine.map[i * u32(MAPS) + k], start);
    }
    return dark;
  }
  for (var k = 0u; k < shine.light[i].maps; k += 1u) {
    dark = dark | casts(shine.map[shine.light[i].first_map + k], start);
  }
  return dark;
}
