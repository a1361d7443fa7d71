// Primitives as they were uploaded: interleaved attributes, influences, morph deltas, corners of the triangles.
// All primitives of a scene share the buffers: some drivers finish what was drawn before at each change of them.

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
  first_attribute: u32, // where the primitive begins in each buffer
  first_influence: u32,
  first_delta: u32,
  first_corner: u32,
  first_strongest: u32, // ABSENT where nothing skins it
  reserved: u32,
};

@group(1) @binding(0) var<storage, read> geometries: array<Geometry>;
@group(1) @binding(1) var<storage, read> attributes: array<f32>;
// For each vertex where its influences begin and how many there are; at that place the bits of the weights, then the
// joints, two a word, the first one low. And, elsewhere, the corners of triangles (the buffer is the index buffer too) and
// the table of strongest.wgsl.
@group(1) @binding(2) var<storage, read> indices: array<u32>;
// For each target and vertex nine floats: position, normal, tangent.
@group(1) @binding(3) var<storage, read> deltas: array<f32>;

// The primitive that this invocation is about; entry points that pose vertices set it first.
var<private> geometry: Geometry;

fn use_geometry(instance: u32) {
  geometry = geometries[instances[instance].geometry];
}

// A corner as the index buffer has it: the vertex, and in the two highest bits which of three slots is the vertex's own
// in that triangle. No two corners of a triangle have the same slot.
fn vertex_of(corner: u32) -> u32 {
  return corner & 0x3fffffffu;
}

fn slot_of(corner: u32) -> u32 {
  return corner >> 30u;
}

// The vertex at a corner, counted over all triangles of the primitive.
fn corner_vertex(corner: u32) -> u32 {
  return vertex_of(indices[geometry.first_corner + corner]);
}

// Culled draws have a list of corners, counted over the triangles of a run of instances; `run` is its first instance and
// the triangles of each. The instance that a corner of the list is of:
fn listed_instance(listed: u32, run: vec2u) -> u32 {
  return run.x + listed / (3u * run.y);
}

// And the corner of that.
fn listed_corner(listed: u32, run: vec2u) -> u32 {
  return listed % (3u * run.y);
}

// A vertex's influences: where their weights begin, and how many there are.
fn influences_of(vertex: u32) -> vec2u {
  let span = geometry.first_influence + 2u * vertex;
  return vec2u(geometry.first_influence + indices[span], indices[span + 1u]);
}

fn influence_weight(influences: vec2u, i: u32) -> f32 {
  return bitcast<f32>(indices[influences.x + i]);
}

fn influence_joint(influences: vec2u, i: u32) -> u32 {
  let two = indices[influences.x + influences.y + i / 2u];
  return (two >> (16u * (i % 2u))) & 0xffffu;
}

fn attribute3(vertex: u32, offset: u32) -> vec3f {
  let i = geometry.first_attribute + vertex * geometry.stride + offset;
  return vec3f(attributes[i], attributes[i + 1u], attributes[i + 2u]);
}

fn attribute4(vertex: u32, offset: u32) -> vec4f {
  let i = geometry.first_attribute + vertex * geometry.stride + offset;
  return vec4f(attribute3(vertex, offset), attributes[i + 3u]);
}

// The vertex's coordinates in one set; zero for a set that the file does not have.
fn uv_of(vertex: u32, uv_set: u32) -> vec2f {
  if (uv_set >= geometry.uv_sets) {
    return vec2f(0.0);
  }
  let i = geometry.first_attribute + vertex * geometry.stride + geometry.uv + 2u * uv_set;
  return vec2f(attributes[i], attributes[i + 1u]);
}

fn color_of(vertex: u32) -> vec4f {
  if (geometry.color == ABSENT) {
    return vec4f(1.0);
  }
  return attribute4(vertex, geometry.color);
}
