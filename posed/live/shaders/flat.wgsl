// The flat pass: shapes and sprites in the picture's own pixels, each over those before it.
// A fragment's position is its pixel's centre, exactly; whether the shape covers it is decided here, not by the
// rasterizer, so that every device gives the same pixels.

const RECTANGLE: u32 = 0u;
const ELLIPSE: u32 = 1u;

struct Item {
  low: vec2f,           // the bounding rectangle in pixels
  high: vec2f,
  texel: vec2f,         // where in the picture its lowest corner lies, in texels
  step: vec2f,          // texels a pixel
  least: vec2f,         // where coordinates are held
  most: vec2f,
  tint: vec4f,          // linear, straight alpha; the fill's color where there is no picture
  shape: u32,
  first_point: u32,
  points: u32,
  number: u32,
  first_texel: u32,
  width: u32,           // of the picture; 0 where there is none
  height: u32,
  linear: u32,
};

struct Picture {
  size: vec2f,
  reserved: vec2f,
};

@group(0) @binding(0) var<uniform> picture: Picture;
@group(0) @binding(1) var<storage, read> items: array<Item>;
@group(0) @binding(2) var<storage, read> points: array<vec2f>;
@group(0) @binding(3) var<storage, read> texels: array<u32>;

struct Cover {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat, first) item: u32,
};

// Two triangles over all pixels that the bounding rectangle touches.
@vertex
fn flat_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) item: u32) -> Cover {
  let low = floor(items[item].low);
  let high = ceil(items[item].high);
  let right = corner == 1u || corner == 2u || corner == 4u;
  let down = corner == 2u || corner >= 4u;
  let at = select(low, high, vec2<bool>(right, down));
  let clip = at / picture.size * 2.0 - 1.0;
  return Cover(vec4f(clip.x, -clip.y, 0.0, 1.0), item);
}

fn inside_polygon(item: u32, p: vec2f) -> bool {
  let first = items[item].first_point;
  let count = items[item].points;
  var inside = false;
  for (var i = 0u; i < count; i += 1u) {
    let a = points[first + i];
    let b = points[first + (i + 1u) % count];
    // From the upper end, whichever way the edge runs: neighbours that share it decide by the same numbers.
    let upper = select(b, a, a.y <= b.y);
    let lower = select(a, b, a.y <= b.y);
    if (upper.y <= p.y && p.y < lower.y) {
      if ((p.y - upper.y) * (lower.x - upper.x) > (p.x - upper.x) * (lower.y - upper.y)) {
        inside = !inside;
      }
    }
  }
  return inside;
}

fn covers(item: u32, p: vec2f) -> bool {
  let low = items[item].low;
  let high = items[item].high;
  if (items[item].shape == RECTANGLE) {
    return all(p >= low) && all(p < high);
  }
  if (items[item].shape == ELLIPSE) {
    let half = (high - low) / 2.0;
    let away = (p - (high + low) / 2.0) * half.yx;
    let reach = half.x * half.y;
    return away.x * away.x + away.y * away.y <= reach * reach;
  }
  return inside_polygon(item, p);
}

fn linear_of(code: f32) -> f32 {
  return select(pow((code + 0.055) / 1.055, 2.4), code / 12.92, code <= 0.04045);
}

// A texel, linear and premultiplied.
fn flat_texel(item: u32, x: i32, y: i32) -> vec4f {
  let width = i32(items[item].width);
  let column = clamp(x, 0, width - 1);
  let row = clamp(y, 0, i32(items[item].height) - 1);
  let code = unpack4x8unorm(texels[items[item].first_texel + u32(row * width + column)]);
  return vec4f(vec3f(linear_of(code.r), linear_of(code.g), linear_of(code.b)) * code.a, code.a);
}

fn picture_at(item: u32, p: vec2f) -> vec4f {
  let along = items[item].texel + (p - items[item].low) * items[item].step;
  // To steps of 1/256 texel: the last bits differ from device to device, and decide at texels' borders.
  let at = clamp(floor(along * 256.0 + 0.5) / 256.0, items[item].least, items[item].most);
  if (items[item].linear == 0u) {
    let nearest = vec2i(floor(at));
    return flat_texel(item, nearest.x, nearest.y);
  }
  let corner = vec2i(floor(at - 0.5));
  let f = at - 0.5 - vec2f(corner);
  let above = mix(flat_texel(item, corner.x, corner.y), flat_texel(item, corner.x + 1, corner.y), f.x);
  let below = mix(flat_texel(item, corner.x, corner.y + 1), flat_texel(item, corner.x + 1, corner.y + 1), f.x);
  return mix(above, below, f.y);
}

// The fill, linear and premultiplied, where the shape covers the pixel.
fn filled(item: u32, p: vec2f) -> vec4f {
  if (!covers(item, p)) {
    discard;
  }
  let tint = items[item].tint;
  let factor = vec4f(tint.rgb * tint.a, tint.a);
  if (items[item].width == 0u) {
    return factor;
  }
  return factor * picture_at(item, p);
}

@fragment
fn flat_color(cover: Cover) -> @location(0) vec4f {
  return filled(cover.item, cover.position.xy);
}

@fragment
fn flat_number(cover: Cover) -> @location(0) u32 {
  if (filled(cover.item, cover.position.xy).a < 0.5) {
    discard;
  }
  return items[cover.item].number;
}
