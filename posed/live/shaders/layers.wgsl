// The fragment stage of the geometry layers: what is seen through a pixel's centre.

override TEXTURED: bool = true;   // whether there may be textures
override CUT: bool = true;        // whether alpha may decide that a surface is not there

struct Identity {
  @location(0) names: vec2u,
  @location(1) seen: vec2u,
  @location(2) normal_xy: vec2f,
  @location(3) normal_z: f32,
};

struct Normals {
  @location(0) normal_xy: vec2f,
  @location(1) normal_z: f32,
  @location(2) own: vec2f,      // the triangle's own normal, folded
};

struct Rest {
  @location(0) normal_xy: vec2f,
  @location(1) z_joint: vec2u,  // the bits of the normal's z
  @location(2) motion: vec2f,
  @location(3) own: vec2f,
};

// Whether the surface is the front's; discards a back that is not seen, and holes. `alpha` has the material's factor.
fn seen_front(
  counter_clockwise: bool, facing: f32, traits: vec4u, instance: u32, uv: vec4f, more_uv: vec4f, alpha: f32
) -> bool {
  let front = counter_clockwise == (facing > 0.0);
  if (!front && traits.x == 0u) {
    discard;
  }
  if (CUT) {
    var found = alpha;
    if (TEXTURED) {
      let how = materials[instances[instance].material].color_use;
      found *= filtered(how, color_place(instance, uv, more_uv)).a;
    }
    let least = select(0.5, bitcast<f32>(traits.z), traits.y == MASK);
    if (traits.y != OPAQUE && found < least) {
      discard;
    }
  }
  return front;
}

// The shading normal, on the side that is seen.
fn shading_normal(
  normal: vec3f, tangent: vec3f, bitangent: f32, instance: u32, uv: vec4f, more_uv: vec4f, front: bool
) -> vec3f {
  var n = unit(normal, vec3f(0.0));
  if (TEXTURED) {
    if ((instances[instance].flags & BUMPY) != 0u) {
      let how = materials[instances[instance].material].normal_use;
      n = bent_normal(how, place_in(how, uv, more_uv), n, tangent, bitangent);
    }
  }
  return select(-n, n, front);
}

fn surface_normal(s: Surface, front: bool) -> vec3f {
  return shading_normal(s.normal.xyz, s.tangent.xyz, s.rest.w, s.numbers.x, s.uv, s.more_uv, front);
}

fn identity(s: Surface, counter_clockwise: bool, triangle: u32) -> Identity {
  let front = seen_front(counter_clockwise, s.rest.z, s.traits, s.numbers.x, s.uv, s.more_uv, s.color.a);
  let names = names_of(s, triangle);
  let n = surface_normal(s, front);
  return Identity(names.xy, names.zw, n.xy, n.z);
}

@fragment
fn identity_unshared(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Identity {
  return identity(s, counter_clockwise, s.numbers.w);
}

// The triangle's own normal is at right angles to the ways from this pixel's point to its neighbours'.
fn own_normal(clip: vec4f) -> vec3f {
  let point = seen_point(clip).xyz;
  return unit(cross(dpdy(point), dpdx(point)), vec3f(0.0));
}

// A unit direction as two numbers from 1 to 3: a place on the octahedron, its far half folded out (Cigolle and others, A
// Survey of Efficient Representations for Independent Unit Vectors, 2014). Zeros for no direction.
fn folded(n: vec3f) -> vec2f {
  let sum = abs(n.x) + abs(n.y) + abs(n.z);
  let near = n.xy / sum;
  let far = (1.0 - abs(near.yx)) * select(vec2f(-1.0), vec2f(1.0), near >= vec2f(0.0));
  return select(vec2f(0.0), select(far, near, n.z >= 0.0) + 2.0, sum > 0.0);
}

@fragment
fn normals(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Normals {
  let own = own_normal(s.clip);
  let front = seen_front(counter_clockwise, s.rest.z, s.traits, s.numbers.x, s.uv, s.more_uv, s.color.a);
  let n = surface_normal(s, front);
  return Normals(n.xy, n.z, folded(own));
}

fn pixels_of(clip: vec4f) -> vec2f {
  return (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.size.xy;
}

// Motion in pixels, right and down: where the surface point is minus where it was; zero where it was not before the
// camera. And the joint that moves the point most, and both normals.
fn rest(m: Moving, counter_clockwise: bool, triangle: u32) -> Rest {
  let own = own_normal(m.clip);
  let front = seen_front(counter_clockwise, m.sides.x, m.traits, m.numbers.x, m.uv, m.more_uv, m.alpha);
  let moves = m.before.w > 0.0 && any(m.now != m.before);
  let motion = select(vec2f(0.0), pixels_of(m.now) - pixels_of(m.before), moves);
  let weights = vec3f(m.normal.w, m.tangent.w, 1.0 - m.normal.w - m.tangent.w);
  let n = shading_normal(m.normal.xyz, m.tangent.xyz, m.sides.y, m.numbers.x, m.uv, m.more_uv, front);
  let joint = strongest_joint(m.numbers.x, triangle, weights);
  return Rest(n.xy, vec2u(bitcast<u32>(n.z), joint), motion, folded(own));
}

@fragment
fn rest_unshared(m: Moving, @builtin(front_facing) counter_clockwise: bool) -> Rest {
  return rest(m, counter_clockwise, m.numbers.y);
}
