// Posing: morph deltas first, then the blended palette, then the instance's place in the world.
// The vertex stage and the read-back of vertices both call `posed_vertex`.

struct PosedVertex {
  position: vec3f,      // in the object's space where a palette poses it, else in the primitive's own
  normal: vec3f,        // unit length, zero where the file has none
  tangent: vec4f,       // unit length, zero where the file has none
  handed: f32,          // the sign of the blended matrix's determinant, 1 where nothing is skinned
};

// Three rows of an affine matrix.
struct Affine {
  row0: vec4f,
  row1: vec4f,
  row2: vec4f,
};

fn transform_point(m: Affine, p: vec3f) -> vec3f {
  let h = vec4f(p, 1.0);
  return vec3f(dot(m.row0, h), dot(m.row1, h), dot(m.row2, h));
}

fn transform_direction(m: Affine, d: vec3f) -> vec3f {
  return vec3f(dot(m.row0.xyz, d), dot(m.row1.xyz, d), dot(m.row2.xyz, d));
}

// The cofactor matrix turns normals as the matrix turns surfaces, also where it has no inverse.
fn transform_cofactor(m: Affine, n: vec3f) -> vec3f {
  return vec3f(
    dot(cross(m.row1.xyz, m.row2.xyz), n),
    dot(cross(m.row2.xyz, m.row0.xyz), n),
    dot(cross(m.row0.xyz, m.row1.xyz), n),
  );
}

fn orientation(m: Affine) -> f32 {
  return select(1.0, -1.0, dot(m.row0.xyz, cross(m.row1.xyz, m.row2.xyz)) < 0.0);
}

// Unit length without overflow or underflow; `instead` where there is no direction.
fn unit(v: vec3f, instead: vec3f) -> vec3f {
  let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
  return select(instead, normalize(v / largest), largest > 0.0);
}

fn blended_palette(first: u32, vertex: u32) -> Affine {
  var m = Affine(vec4f(0.0), vec4f(0.0), vec4f(0.0));
  let influences = influences_of(vertex);
  for (var i = 0u; i < influences.y; i += 1u) {
    let weight = influence_weight(influences, i);
    let joint = first + influence_joint(influences, i);
    m.row0 += weight * palettes[joint].row0;
    m.row1 += weight * palettes[joint].row1;
    m.row2 += weight * palettes[joint].row2;
  }
  return m;
}

fn posed_vertex(palette: u32, morph: u32, vertex: u32) -> PosedVertex {
  var position = attribute3(vertex, 0u);
  var normal = vec3f(0.0);
  var tangent = vec4f(0.0);
  if (geometry.normal != ABSENT) {
    normal = attribute3(vertex, geometry.normal);
  }
  if (geometry.tangent != ABSENT) {
    tangent = attribute4(vertex, geometry.tangent);
  }
  for (var target_index = 0u; target_index < geometry.targets; target_index += 1u) {
    let weight = morph_weights[morph + target_index];
    let i = geometry.first_delta + 9u * (target_index * geometry.vertices + vertex);
    position += weight * vec3f(deltas[i], deltas[i + 1u], deltas[i + 2u]);
    normal += weight * vec3f(deltas[i + 3u], deltas[i + 4u], deltas[i + 5u]);
    tangent += vec4f(weight * vec3f(deltas[i + 6u], deltas[i + 7u], deltas[i + 8u]), 0.0);
  }
  var handed = 1.0;
  if (geometry.skinned != 0u) {
    let m = blended_palette(palette, vertex);
    handed = orientation(m);
    position = transform_point(m, position);
    normal = unit(handed * transform_cofactor(m, normal), unit(normal, vec3f(0.0)));
    tangent = vec4f(unit(transform_direction(m, tangent.xyz), unit(tangent.xyz, vec3f(0.0))), handed * tangent.w);
  } else {
    normal = unit(normal, vec3f(0.0));
    tangent = vec4f(unit(tangent.xyz, vec3f(0.0)), tangent.w);
  }
  if (geometry.normal == ABSENT) {
    normal = vec3f(0.0);
  }
  if (geometry.tangent == ABSENT) {
    tangent = vec4f(0.0);
  }
  return PosedVertex(position, normal, tangent, handed);
}

// The vertex in the world, relative to the frame's origin.
fn placed_vertex(instance: u32, vertex: u32) -> PosedVertex {
  let v = posed_vertex(instances[instance].palette, instances[instance].morph, vertex);
  let place = Affine(instances[instance].row0, instances[instance].row1, instances[instance].row2);
  let mirror = instances[instance].mirror;
  return PosedVertex(
    transform_point(place, v.position),
    unit(mirror * transform_cofactor(place, v.normal), v.normal),
    vec4f(unit(transform_direction(place, v.tangent.xyz), v.tangent.xyz), mirror * v.tangent.w),
    mirror * v.handed,
  );
}

// Where the vertex was in the snapshot before, relative to the same origin.
fn previous_position(instance: u32, vertex: u32) -> vec3f {
  let v = posed_vertex(instances[instance].previous_palette, instances[instance].previous_morph, vertex);
  let place = Affine(instances[instance].previous0, instances[instance].previous1, instances[instance].previous2);
  return transform_point(place, v.position);
}
