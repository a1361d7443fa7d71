// The fragment stage of the geometry layers: what is seen through a pixel's centre.

struct Identity {
  @location(0) object: u32,
  @location(1) part: u32,
  @location(2) triangle: u32,
  @location(3) depth: f32,
  @location(4) normal: vec4f,
};

struct Shape {
  @location(0) geometric_normal: vec4f,
  @location(1) position: vec4f,   // relative to the origin, then 1 where something is seen
};

fn base_color(s: Surface) -> vec4f {
  var texture_color: vec4f;
  if (instances[s.instance].sprite != 0u) {
    texture_color = sample_atlas(color_texture, material.color_use, s.uv, instances[s.instance].rectangle);
  } else {
    texture_color = sample_texture(color_texture, material.color_use, s.uv);
  }
  return material.base_color * s.color * texture_color;
}

// 1 on the surface's front, -1 on a back that is seen because the material has two sides; nothing is seen otherwise.
fn visible_side(s: Surface, counter_clockwise: bool) -> f32 {
  let front = counter_clockwise == (s.facing > 0.0);
  if (!front && material.double_sided == 0u) {
    discard;
  }
  if (material.alpha_mode != OPAQUE) {
    if (!is_solid(base_color(s).a)) {
      discard;
    }
  }
  return select(-1.0, 1.0, front);
}

fn identity_of(s: Surface, counter_clockwise: bool, triangle: u32) -> Identity {
  let side = visible_side(s, counter_clockwise);
  let instance = s.instance;
  return Identity(
    instances[instance].object,
    instances[instance].part,
    triangle + 1u,
    s.depth,
    vec4f(side * unit(s.normal, vec3f(0.0)), 0.0),
  );
}

@fragment
fn unshared_identity(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Identity {
  return identity_of(s, counter_clockwise, s.triangle);
}

@fragment
fn unshared_shape(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Shape {
  let side = visible_side(s, counter_clockwise);
  return Shape(vec4f(side * s.flat_normal, 0.0), vec4f(s.world, 1.0));
}
