// One primitive as it was uploaded: interleaved attributes, influences, morph deltas, corners of its triangles.

const ABSENT: u32 = 0xffffffffu;

struct Geometry {
  stride: u32,          // floats a vertex; the position comes first
  normal: u32,          // where an attribute begins within a vertex, ABSENT where the file has none
  tangent: u32,
  color: u32,
  uv: u32,              // two floats for each of `uv_sets`
  uv_sets: u32,
  skinned: u32,
  targets: u32,
  vertices: u32,
  triangles: u32,
  reserved0: u32,
  reserved1: u32,
};

@group(1) @binding(0) var<uniform> geometry: Geometry;
@group(1) @binding(1) var<storage, read> attributes: array<f32>;
// For each vertex where its influences begin and how many there are, then all of them: joint, weight's bits.
@group(1) @binding(2) var<storage, read> influences: array<u32>;
// For each target and vertex nine floats: position, normal, tangent.
@group(1) @binding(3) var<storage, read> deltas: array<f32>;
@group(1) @binding(4) var<storage, read> corners: array<u32>;

fn attribute3(vertex: u32, offset: u32) -> vec3f {
  let i = vertex * geometry.stride + offset;
  return vec3f(attributes[i], attributes[i + 1u], attributes[i + 2u]);
}

fn attribute4(vertex: u32, offset: u32) -> vec4f {
  return vec4f(attribute3(vertex, offset), attributes[vertex * geometry.stride + offset + 3u]);
}

// The vertex's coordinates in one set; zero for a set that the file does not have.
fn uv_of(vertex: u32, uv_set: u32) -> vec2f {
  if (uv_set >= geometry.uv_sets) {
    return vec2f(0.0);
  }
  let i = vertex * geometry.stride + geometry.uv + 2u * uv_set;
  return vec2f(attributes[i], attributes[i + 1u]);
}

fn color_of(vertex: u32) -> vec4f {
  if (geometry.color == ABSENT) {
    return vec4f(1.0);
  }
  return attribute4(vertex, geometry.color);
}
