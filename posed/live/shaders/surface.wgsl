// The vertex stage of every pass: a posed vertex on its way to the fragments.

struct Surface {
  @builtin(position) @invariant clip: vec4f,
  @location(1) before: vec4f,         // clip position in the snapshot before, where a pass asks for motion
  @location(2) normal: vec3f,
  @location(3) uv: vec4f,             // the first two sets of coordinates that the material reads
  @location(4) color: vec4f,
  @location(5) @interpolate(flat, first) facing: f32,   // negative: counter-clockwise is the back
  @location(6) @interpolate(flat, first) instance: u32,
  @location(7) @interpolate(flat, first) triangle: u32,
  @location(8) @interpolate(flat, first) flat_normal: vec3f,
  @location(9) tangent: vec3f,
  @location(10) @interpolate(flat, first) bitangent: f32,   // the sign of the bitangent
  @location(11) more_uv: vec4f,       // the other two
  @location(12) now: vec4f,           // clip position, where a pass asks for motion
  @location(13) weights: vec3f,       // of the triangle's corners, where triangles are unshared
};

fn surface_at(v: PosedVertex, instance: u32, vertex: u32) -> Surface {
  var s: Surface;
  let eye = frame.view * vec4f(v.position, 1.0);
  s.clip = frame.projection * eye;
  s.normal = v.normal;
  let sets = materials[instances[instance].material].sets;
  s.uv = vec4f(uv_of(vertex, sets.x), uv_of(vertex, sets.y));
  s.more_uv = vec4f(uv_of(vertex, sets.z), uv_of(vertex, sets.w));
  s.tangent = v.tangent.xyz;
  s.bitangent = v.tangent.w;
  s.color = color_of(vertex);
  s.facing = v.handed;
  s.instance = instance;
  return s;
}

// Indexed triangles: neighbours share the vertex, so it is posed once.
@vertex
fn shared_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  use_geometry(instance);
  let vertex = vertex_of(corner);
  return surface_at(placed_vertex(instance, vertex), instance, vertex);
}

// Triangles that share nothing: each corner knows its triangle, its number and its flat normal.
@vertex
fn unshared_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  use_geometry(instance);
  let triangle = corner / 3u;
  let own = corner_vertex(corner);
  let a = placed_vertex(instance, corner_vertex(3u * triangle));
  let b = placed_vertex(instance, corner_vertex(3u * triangle + 1u));
  let c = placed_vertex(instance, corner_vertex(3u * triangle + 2u));
  var v = a;
  if (corner % 3u == 1u) {
    v = b;
  } else if (corner % 3u == 2u) {
    v = c;
  }
  var s = surface_at(v, instance, own);
  s.facing = a.handed;
  s.bitangent = a.tangent.w;
  s.weights = vec3f(f32(corner % 3u == 0u), f32(corner % 3u == 1u), f32(corner % 3u == 2u));
  s.triangle = triangle;
  s.flat_normal = unit(a.handed * cross(b.position - a.position, c.position - a.position), vec3f(0.0));
  if (geometry.normal == ABSENT) {
    s.normal = s.flat_normal;
  }
  return s;
}

// Indexed triangles that also know where they were.
@vertex
fn moving_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  use_geometry(instance);
  let vertex = vertex_of(corner);
  var s = surface_at(placed_vertex(instance, vertex), instance, vertex);
  s.now = s.clip;
  s.before = frame.previous_projection * (frame.previous_view * vec4f(previous_position(instance, vertex), 1.0));
  return s;
}
