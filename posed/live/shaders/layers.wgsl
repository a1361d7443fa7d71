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

// 1 on the surface's front, -1 on a back that is seen because the material has two sides; nothing is seen otherwise.
fn visible_side(s: Surface, counter_clockwise: bool) -> f32 {
  let material = instances[s.instance].material;
  let front = counter_clockwise == (s.facing > 0.0);
  if (!front && materials[material].double_sided == 0u) {
    discard;
  }
  if (materials[material].alpha_mode != OPAQUE) {
    if (!is_solid(material, alpha_at(s.instance, s.uv, s.more_uv, s.color.a))) {
      discard;
    }
  }
  return select(-1.0, 1.0, front);
}

// The front's normal: interpolated, then bent by the normal map where the file has tangents for it.
fn shading_normal(s: Surface) -> vec3f {
  let n = unit(s.normal, vec3f(0.0));
  if ((instances[s.instance].flags & BUMPY) == 0u) {
    return n;
  }
  let how = materials[instances[s.instance].material].normal_use;
  return bent_normal(how, place_in(how, s.uv, s.more_uv), n, s.tangent, s.bitangent);
}

fn identity_of(s: Surface, counter_clockwise: bool, triangle: u32) -> Identity {
  let side = visible_side(s, counter_clockwise);
  let instance = s.instance;
  return Identity(
    instances[instance].object,
    instances[instance].part,
    triangle + 1u,
    seen_point(s.clip).w,
    vec4f(side * shading_normal(s), 0.0),
  );
}

@fragment
fn unshared_identity(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Identity {
  return identity_of(s, counter_clockwise, s.triangle);
}

@fragment
fn unshared_shape(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Shape {
  let side = visible_side(s, counter_clockwise);
  return Shape(vec4f(side * s.flat_normal, 0.0), vec4f(seen_point(s.clip).xyz, 1.0));
}

fn pixels_of(clip: vec4f) -> vec2f {
  return (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.size.xy;
}

// In pixels, right and down: where the surface point is minus where it was; zero where it was not before the camera.
@fragment
fn moving_movement(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec2f {
  let side = visible_side(s, counter_clockwise);
  if (!(s.before.w > 0.0)) {
    return vec2f(0.0);
  }
  return pixels_of(s.now) - pixels_of(s.before);
}
