// Reads the posed vertices of one instance back: the vertex stage's own function, run as a computation.

struct Reading {
  instance: u32,
  first: u32,
  reserved0: u32,
  reserved1: u32,
};

@group(2) @binding(0) var<uniform> reading: Reading;
// Ten floats a vertex: position, normal, tangent.
@group(2) @binding(1) var<storage, read_write> posed_vertices: array<f32>;

@compute @workgroup_size(64)
fn read_vertices(@builtin(global_invocation_id) id: vec3u) {
  use_geometry(reading.instance);
  let vertex = reading.first + id.x;
  if (vertex >= geometry.vertices) {
    return;
  }
  let v = posed_vertex(instances[reading.instance].palette, instances[reading.instance].morph, vertex);
  let i = 10u * vertex;
  posed_vertices[i] = v.position.x;
  posed_vertices[i + 1u] = v.position.y;
  posed_vertices[i + 2u] = v.position.z;
  posed_vertices[i + 3u] = v.normal.x;
  posed_vertices[i + 4u] = v.normal.y;
  posed_vertices[i + 5u] = v.normal.z;
  posed_vertices[i + 6u] = v.tangent.x;
  posed_vertices[i + 7u] = v.tangent.y;
  posed_vertices[i + 8u] = v.tangent.z;
  posed_vertices[i + 9u] = v.tangent.w;
}
