// Materials and how their textures are read: level 0, filtered here, so that every adapter gives the same texels.
// Texels lie in a buffer, not in textures: some drivers finish what was drawn before at each change of a texture.

const OPAQUE: u32 = 0u;
const MASK: u32 = 1u;
const BLEND: u32 = 2u;

const REPEAT: u32 = 0u;
const MIRROR: u32 = 1u;
const CLAMP: u32 = 2u;

struct TextureUse {
  row_s: vec4f,         // the texture transform's first row (three numbers)
  row_t: vec4f,
  uv_set: u32,          // which of the material's sets
  wrap_s: u32,
  wrap_t: u32,
  linear: u32,
  scale: f32,           // of a normal map's x and y
  first: u32,           // of its texels
  width: u32,           // 0 where there is no texture
  height: u32,
};

struct Material {
  base_color: vec4f,
  emission: vec4f,      // three numbers
  metallic: f32,
  roughness: f32,
  transmission: f32,
  refraction: f32,      // reflectance at normal incidence of its index of refraction
  dielectric: vec4f,    // what is not metal reflects at normal incidence, three numbers, and at a grazing angle
  tint: vec4f,          // of that reflection, and its strength
  coat: vec4f,          // how much of one, and its roughness (two numbers)
  sheen: vec4f,         // its color, and its roughness
  unlit: u32,
  alpha_mode: u32,
  alpha_cutoff: f32,
  double_sided: u32,
  sets: vec4u,          // the sets of coordinates that its textures read, as vertices number them; none: a great number
  color_use: TextureUse,
  metallic_roughness_use: TextureUse,
  normal_use: TextureUse,
  emission_use: TextureUse,
  specular_use: TextureUse,
  specular_color_use: TextureUse,
  transmission_use: TextureUse,
  coat_use: TextureUse,
  coat_roughness_use: TextureUse,
  coat_normal_use: TextureUse,
  sheen_use: TextureUse,
  sheen_roughness_use: TextureUse,
};

@group(2) @binding(0) var<storage, read> materials: array<Material>;
@group(2) @binding(1) var<storage, read> texels: array<u32>;

fn wrap(i: i32, size: i32, mode: u32) -> i32 {
  if (mode == CLAMP) {
    return clamp(i, 0, size - 1);
  }
  let period = select(size, 2 * size, mode == MIRROR);
  let inside = i - period * i32(floor(f32(i) / f32(period)));
  let first = clamp(inside, 0, period - 1);
  return select(first, period - 1 - first, first >= size);
}

// Red, green, blue and alpha as stored.
fn texel(how: TextureUse, x: i32, y: i32) -> vec4f {
  let column = u32(wrap(x, i32(how.width), how.wrap_s));
  let row = u32(wrap(y, i32(how.height), how.wrap_t));
  return unpack4x8unorm(texels[how.first + row * how.width + column]);
}

// Where coordinates lie, in texels.
fn texel_place(how: TextureUse, uv: vec2f) -> vec2f {
  let at = vec2f(dot(how.row_s.xyz, vec3f(uv, 1.0)), dot(how.row_t.xyz, vec3f(uv, 1.0)));
  return at * vec2f(f32(how.width), f32(how.height));
}

// Where they lie in one frame of an atlas, from half a texel inside of its edges on, so that nothing of its neighbours
// is filtered in.
fn frame_place(how: TextureUse, uv: vec2f, rectangle: vec4f) -> vec2f {
  let size = vec2f(f32(how.width), f32(how.height));
  let low = rectangle.xy * size;
  let high = rectangle.zw * size;
  let inset = min(vec2f(0.5), (high - low) / 2.0);
  return clamp(mix(low, high, uv), low + inset, high - inset);
}

fn linear_from_srgb(encoded: vec4f) -> vec4f {
  let bright = pow((encoded.rgb + 0.055) / 1.055, vec3f(2.4));
  return vec4f(select(bright, encoded.rgb / 12.92, encoded.rgb <= vec3f(0.04045)), encoded.a);
}

// The four texels about a place and how far it lies from the first to the second, across and down.
struct Texels {
  corners: array<vec4f, 4>,
  share: vec2f,
};

fn texels_about(how: TextureUse, at: vec2f) -> Texels {
  let corner = floor(at - 0.5);
  let x = i32(corner.x);
  let y = i32(corner.y);
  return Texels(
    array(texel(how, x, y), texel(how, x + 1, y), texel(how, x, y + 1), texel(how, x + 1, y + 1)),
    at - 0.5 - corner,
  );
}

fn mixed(t: Texels) -> vec4f {
  return mix(mix(t.corners[0], t.corners[1], t.share.x), mix(t.corners[2], t.corners[3], t.share.x), t.share.y);
}

// Red, green, blue and alpha as stored, filtered; ones where there is no texture.
fn filtered(how: TextureUse, at: vec2f) -> vec4f {
  if (how.width == 0u) {
    return vec4f(1.0);
  }
  if (how.linear == 0u) {
    let nearest = vec2i(floor(at));
    return texel(how, nearest.x, nearest.y);
  }
  return mixed(texels_about(how, at));
}

// The same of a texture whose red, green and blue are sRGB-encoded: decoded first, then filtered.
fn decoded(how: TextureUse, at: vec2f) -> vec4f {
  if (how.width == 0u) {
    return vec4f(1.0);
  }
  if (how.linear == 0u) {
    let nearest = vec2i(floor(at));
    return linear_from_srgb(texel(how, nearest.x, nearest.y));
  }
  var t = texels_about(how, at);
  for (var i = 0u; i < 4u; i += 1u) {
    t.corners[i] = linear_from_srgb(t.corners[i]);
  }
  return mixed(t);
}
