// Puts each pixel's list in order and lays it over what is opaque there; through.wgsl says what a list is.

const NODE: u32 = 12u;
const BEFORE: u32 = 0u;
const DEPTH: u32 = 1u;
const PART: u32 = 2u;
const OWN: u32 = 5u;
const PASSING: u32 = 8u;
const CLEAR: u32 = 11u;
const FIRST_ROW: u32 = 2u;
const HEADS: u32 = 4u;

const SAME: f32 = 1.0 - 0x1p-20;    // depths of one place, as two triangles there have them in float32

@group(0) @binding(0) var<storage, read> lists: array<u32>;
@group(0) @binding(1) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(2) var opaque: texture_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i % 2u) * 4.0 - 1.0, f32(i / 2u) * 4.0 - 1.0, 0.0, 1.0);
}

fn read3(at: u32) -> vec3f {
  return vec3f(bitcast<f32>(nodes[at]), bitcast<f32>(nodes[at + 1u]), bitcast<f32>(nodes[at + 2u]));
}

// Whether a fragment goes before another that is equally far: by part, then instance, then triangle.
fn goes_before(a: u32, b: u32) -> bool {
  for (var word = PART; word < OWN; word += 1u) {
    if (nodes[a + word] != nodes[b + word]) {
      return nodes[a + word] < nodes[b + word];
    }
  }
  return false;
}

// The next fragment from front to back, as the index of its words and one more; 0 where none is left.
fn next(head: u32) -> u32 {
  var nearest = 0.0;
  for (var at = head; at != 0u; at = nodes[NODE * (at - 1u) + BEFORE]) {
    nearest = max(nearest, bitcast<f32>(nodes[NODE * (at - 1u) + DEPTH]));
  }
  var found = 0u;
  if (nearest > 0.0) {
    for (var at = head; at != 0u; at = nodes[NODE * (at - 1u) + BEFORE]) {
      let node = NODE * (at - 1u);
      let is_there = bitcast<f32>(nodes[node + DEPTH]) >= nearest * SAME;
      if (is_there && (found == 0u || goes_before(node, found - 1u))) {
        found = node + 1u;
      }
    }
  }
  return found;
}

@fragment
fn lay_over(@builtin(position) fragment: vec4f) -> @location(0) vec4f {
  let pixel = vec2u(fragment.xy);
  let behind = textureLoad(opaque, pixel, 0);
  let head = lists[HEADS + (pixel.y - lists[FIRST_ROW]) * textureDimensions(opaque).x + pixel.x];
  var color = vec3f(0.0);
  var passing = vec3f(1.0);
  var clear = 1.0;
  for (var at = next(head); at != 0u; at = next(head)) {
    let node = at - 1u;
    nodes[node + DEPTH] = 0u;         // it has had its turn
    color += passing * read3(node + OWN);
    passing *= read3(node + PASSING);
    clear *= bitcast<f32>(nodes[node + CLEAR]);
    if (all(passing == vec3f(0.0))) {
      break;
    }
  }
  return vec4f(color + passing * behind.rgb, 1.0 - clear * (1.0 - behind.a));
}
