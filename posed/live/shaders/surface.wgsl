// The vertex stage of what is seen: a posed vertex on its way to the fragments, with what each corner has of its own.

struct Surface {
  @builtin(position) @invariant clip: vec4f,
  @location(0) normal: vec4f,         // then the weight of the corner in slot 0
  @location(1) tangent: vec4f,        // then that of the corner in slot 1
  @location(2) color: vec4f,          // times the material's
  @location(3) uv: vec4f,             // the first two sets of coordinates that the material reads
  @location(4) more_uv: vec4f,        // the other two
  // The plane that touches the smooth surface at each corner, times the corner's weight: normal, distance to the anchor.
  @location(5) touching0: vec4f,
  @location(6) touching1: vec4f,
  @location(7) touching2: vec4f,
  @location(8) @interpolate(flat, first) anchor: vec3f,       // a point about which distances are small
  @location(9) @interpolate(flat, first) emission: vec4f,     // then the metallic factor
  @location(10) @interpolate(flat, first) dielectric: vec4f,  // reflectance at normal incidence, then at a grazing angle
  // Roughness, transmission, facing (negative: counter-clockwise is the back), sign of the bitangent.
  @location(11) @interpolate(flat, first) rest: vec4f,
  @location(12) @interpolate(flat, first) numbers: vec4u,     // instance, object, part, triangle where they are unshared
  @location(13) @interpolate(flat, first) traits: vec4u,      // whether double-sided; alpha mode; its cutoff; triangles
};

fn surface_at(v: PosedVertex, instance: u32, vertex: u32, slot: u32) -> Surface {
  var s: Surface;
  s.clip = frame.projection * (frame.view * vec4f(v.position, 1.0));
  s.normal = vec4f(v.normal, f32(slot == 0u));
  s.tangent = vec4f(v.tangent.xyz, f32(slot == 1u));
  let material = instances[instance].material;
  s.color = color_of(vertex) * materials[material].base_color;
  let sets = materials[material].sets;
  s.uv = vec4f(uv_of(vertex, sets.x), uv_of(vertex, sets.y));
  s.more_uv = vec4f(uv_of(vertex, sets.z), uv_of(vertex, sets.w));
  s.anchor = vec3f(instances[instance].row0.w, instances[instance].row1.w, instances[instance].row2.w);
  let touching = vec4f(v.normal, dot(v.normal, v.position - s.anchor));
  s.touching0 = select(vec4f(0.0), touching, slot == 0u);
  s.touching1 = select(vec4f(0.0), touching, slot == 1u);
  s.touching2 = select(vec4f(0.0), touching, slot == 2u);
  s.emission = vec4f(materials[material].emission.xyz, materials[material].metallic);
  s.dielectric = materials[material].dielectric;
  s.rest = vec4f(materials[material].roughness, materials[material].transmission, v.handed, v.tangent.w);
  s.numbers = vec4u(instance, instances[instance].object, instances[instance].part, 0u);
  s.traits = traits_of(material);
  return s;
}

fn traits_of(material: u32) -> vec4u {
  return vec4u(
    materials[material].double_sided,
    materials[material].alpha_mode,
    bitcast<u32>(materials[material].alpha_cutoff),
    geometry.triangles,
  );
}

// Object, part, triangle, and the bits of the depth.
fn names_of(s: Surface, triangle: u32) -> vec4u {
  return vec4u(s.numbers.y, s.numbers.z, triangle + 1u, bitcast<u32>(seen_point(s.clip).w));
}

// The weights of a triangle's corners by their slots.
fn weights_of(s: Surface) -> vec3f {
  return vec3f(s.normal.w, s.tangent.w, 1.0 - s.normal.w - s.tangent.w);
}

// Indexed triangles with normals at their vertices: neighbours share the vertex, so it is posed once.
@vertex
fn smooth_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  use_geometry(instance);
  let vertex = vertex_of(corner);
  return surface_at(placed_vertex(instance, vertex), instance, vertex, slot_of(corner));
}

// The same, unshared, for fragments that ask for their triangle where no adapter numbers it.
fn apart_at(corner: u32, instance: u32) -> Surface {
  use_geometry(instance);
  let indexed = indices[geometry.first_corner + corner];
  let vertex = vertex_of(indexed);
  var s = surface_at(placed_vertex(instance, vertex), instance, vertex, slot_of(indexed));
  s.numbers.w = corner / 3u;
  return s;
}

@vertex
fn apart_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  return apart_at(corner, instance);
}

// The same of a culled draw.
@vertex
fn kept_vertex(@builtin(vertex_index) listed: u32, @location(0) run: vec2u) -> Surface {
  return apart_at(listed_corner(listed, run), listed_instance(listed, run));
}

// Triangles without normals, unshared: their own stands for all three, and no curved surface lies about them.
fn flat_at(corner: u32, instance: u32) -> Surface {
  use_geometry(instance);
  let indexed = indices[geometry.first_corner + corner];
  var s = surface_at(flat_corner(corner, instance), instance, vertex_of(indexed), slot_of(indexed));
  s.touching0 = vec4f(0.0);
  s.touching1 = vec4f(0.0);
  s.touching2 = vec4f(0.0);
  s.numbers.w = corner / 3u;
  return s;
}

// The vertex at a corner, with its triangle's own normal.
fn flat_corner(corner: u32, instance: u32) -> PosedVertex {
  let first = corner - corner % 3u;
  let a = placed_vertex(instance, corner_vertex(first));
  let b = placed_vertex(instance, corner_vertex(first + 1u));
  let c = placed_vertex(instance, corner_vertex(first + 2u));
  var v = a;
  if (corner % 3u == 1u) {
    v = b;
  } else if (corner % 3u == 2u) {
    v = c;
  }
  v.normal = unit(a.handed * cross(b.position - a.position, c.position - a.position), vec3f(0.0));
  return v;
}

@vertex
fn flat_vertex(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Surface {
  return flat_at(corner, instance);
}

// The same of a culled draw.
@vertex
fn kept_flat_vertex(@builtin(vertex_index) listed: u32, @location(0) run: vec2u) -> Surface {
  return flat_at(listed_corner(listed, run), listed_instance(listed, run));
}
