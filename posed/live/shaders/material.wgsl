// One material and how its textures are read: level 0, filtered here, so that every adapter gives the same texels.

const OPAQUE: u32 = 0u;
const MASK: u32 = 1u;
const BLEND: u32 = 2u;

const REPEAT: u32 = 0u;
const MIRROR: u32 = 1u;
const CLAMP: u32 = 2u;

struct TextureUse {
  row_s: vec4f,         // the texture transform's first row (three numbers)
  row_t: vec4f,
  uv_set: u32,
  wrap_s: u32,
  wrap_t: u32,
  linear: u32,
  scale: f32,           // of a normal map's x and y
  present: u32,
  reserved0: u32,
  reserved1: u32,
};

struct Material {
  base_color: vec4f,
  emission: vec4f,      // three numbers
  metallic: f32,
  roughness: f32,
  transmission: f32,
  reflectance: f32,     // of the dielectric at normal incidence
  grazing: f32,         // and at a grazing angle
  unlit: u32,
  alpha_mode: u32,
  alpha_cutoff: f32,
  double_sided: u32,
  reserved0: u32,
  reserved1: u32,
  reserved2: u32,
  color_use: TextureUse,
  metallic_roughness_use: TextureUse,
  normal_use: TextureUse,
  emission_use: TextureUse,
};

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var color_texture: texture_2d<f32>;
@group(2) @binding(2) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(3) var normal_texture: texture_2d<f32>;
@group(2) @binding(4) var emission_texture: texture_2d<f32>;

fn wrap(i: i32, size: i32, mode: u32) -> i32 {
  if (mode == CLAMP) {
    return clamp(i, 0, size - 1);
  }
  let period = select(size, 2 * size, mode == MIRROR);
  let inside = i - period * i32(floor(f32(i) / f32(period)));
  let first = clamp(inside, 0, period - 1);
  return select(first, period - 1 - first, first >= size);
}

fn texel(image: texture_2d<f32>, how: TextureUse, x: i32, y: i32) -> vec4f {
  let size = vec2i(textureDimensions(image, 0));
  return textureLoad(image, vec2i(wrap(x, size.x, how.wrap_s), wrap(y, size.y, how.wrap_t)), 0);
}

fn transformed(how: TextureUse, uv: vec2f) -> vec2f {
  return vec2f(dot(how.row_s.xyz, vec3f(uv, 1.0)), dot(how.row_t.xyz, vec3f(uv, 1.0)));
}

// `at` is in texels.
fn filtered(image: texture_2d<f32>, how: TextureUse, at: vec2f) -> vec4f {
  if (how.linear == 0u) {
    let nearest = vec2i(floor(at));
    return texel(image, how, nearest.x, nearest.y);
  }
  let corner = floor(at - 0.5);
  let f = at - 0.5 - corner;
  let x = i32(corner.x);
  let y = i32(corner.y);
  let above = mix(texel(image, how, x, y), texel(image, how, x + 1, y), f.x);
  let below = mix(texel(image, how, x, y + 1), texel(image, how, x + 1, y + 1), f.x);
  return mix(above, below, f.y);
}

fn sample_texture(image: texture_2d<f32>, how: TextureUse, uv: vec2f) -> vec4f {
  return filtered(image, how, transformed(how, uv) * vec2f(textureDimensions(image, 0)));
}

// One frame of an atlas, from half a texel inside of its edges on, so that nothing of its neighbours is filtered in.
fn sample_atlas(image: texture_2d<f32>, how: TextureUse, uv: vec2f, rectangle: vec4f) -> vec4f {
  let size = vec2f(textureDimensions(image, 0));
  let low = rectangle.xy * size;
  let high = rectangle.zw * size;
  let inset = min(vec2f(0.5), (high - low) / 2.0);
  return filtered(image, how, clamp(mix(low, high, uv), low + inset, high - inset));
}

// Whether geometry layers show a surface of this alpha.
fn is_solid(alpha: f32) -> bool {
  switch material.alpha_mode {
    case MASK: { return alpha >= material.alpha_cutoff; }
    case BLEND: { return alpha >= 0.5; }
    default: { return true; }
  }
}
