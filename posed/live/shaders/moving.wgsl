// The vertex stage of what has moved: where the surface was in the snapshot before, beside where it is.

struct Moving {
  @builtin(position) @invariant clip: vec4f,
  @location(0) before: vec4f,         // clip position in the snapshot before
  @location(1) now: vec4f,            // and now: the fragment's own is in pixels
  @location(2) normal: vec4f,         // then the weight of the corner in slot 0
  @location(3) tangent: vec4f,        // then that of the corner in slot 1
  @location(4) alpha: f32,            // of the vertex, times the material's
  @location(5) uv: vec4f,             // the first two sets of coordinates that the material reads
  @location(6) more_uv: vec4f,        // the other two
  @location(7) @interpolate(flat, first) sides: vec2f,        // facing, sign of the bitangent
  @location(8) @interpolate(flat, first) numbers: vec2u,      // instance, triangle where they are unshared
  @location(9) @interpolate(flat, first) traits: vec4u,
};

fn moving_at(v: PosedVertex, instance: u32, indexed: u32) -> Moving {
  let vertex = vertex_of(indexed);
  var m: Moving;
  m.clip = frame.projection * (frame.view * vec4f(v.position, 1.0));
  m.now = m.clip;
  let before = previous_position(instance, vertex);
  // What stands still is at the same place, not at one that a compiler has rounded otherwise.
  m.before = m.clip;
  if (any(before != v.position) || frame.size.z == 0.0) {
    m.before = frame.previous_projection * (frame.previous_view * vec4f(before, 1.0));
  }
  let slot = slot_of(indexed);
  m.normal = vec4f(v.normal, f32(slot == 0u));
  m.tangent = vec4f(v.tangent.xyz, f32(slot == 1u));
  let material = instances[instance].material;
  m.alpha = color_of(vertex).a * materials[material].base_color.a;
  let sets = materials[material].sets;
  m.uv = vec4f(uv_of(vertex, sets.x), uv_of(vertex, sets.y));
  m.more_uv = vec4f(uv_of(vertex, sets.z), uv_of(vertex, sets.w));
  m.sides = vec2f(v.handed, v.tangent.w);
  m.numbers = vec2u(instance, 0u);
  m.traits = traits_of(material);
  return m;
}

@vertex
fn moving_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Moving {
  use_geometry(instance);
  return moving_at(placed_vertex(instance, vertex_of(corner)), instance, corner);
}

// The same, unshared, for fragments that ask for their triangle where no adapter numbers it.
fn moving_apart_at(corner: u32, instance: u32) -> Moving {
  use_geometry(instance);
  let indexed = indices[geometry.first_corner + corner];
  var m = moving_at(placed_vertex(instance, vertex_of(indexed)), instance, indexed);
  m.numbers.y = corner / 3u;
  return m;
}

@vertex
fn moving_apart_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Moving {
  return moving_apart_at(corner, instance);
}

// The same of a culled draw.
@vertex
fn kept_moving_vertex(@builtin(vertex_index) listed: u32, @location(0) run: vec2u) -> Moving {
  return moving_apart_at(listed_corner(listed, run), listed_instance(listed, run));
}

// Triangles without normals, unshared: their own stands for all three.
fn moving_flat_at(corner: u32, instance: u32) -> Moving {
  use_geometry(instance);
  var m = moving_at(flat_corner(corner, instance), instance, indices[geometry.first_corner + corner]);
  m.numbers.y = corner / 3u;
  return m;
}

@vertex
fn moving_flat_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Moving {
  return moving_flat_at(corner, instance);
}

// The same of a culled draw.
@vertex
fn kept_moving_flat_vertex(@builtin(vertex_index) listed: u32, @location(0) run: vec2u) -> Moving {
  return moving_flat_at(listed_corner(listed, run), listed_instance(listed, run));
}
