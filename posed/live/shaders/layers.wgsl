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

// Where the ray through the pixel's centre meets the surface, relative to the origin, then its depth: from the fragment's
// own depth, which hardware keeps to float32. An interpolated position has only some 16 bits on it.
fn seen_point(s: Surface) -> vec4f {
  let p = frame.projection;
  let screen = (s.clip.xy / frame.size.xy * 2.0 - 1.0) * vec2f(1.0, -1.0) / vec2f(p[0][0], p[1][1]);
  var eye: vec3f;
  if (p[2][3] != 0.0) {   // perspective: the fragment's w is one over the depth
    let depth = 1.0 / s.clip.w;
    eye = vec3f(screen * depth, -depth);
  } else {
    eye = vec3f(screen, (s.clip.z - p[3][2]) / p[2][2]);
  }
  let v = frame.view;
  let from_eye = transpose(mat3x3f(v[0].xyz, v[1].xyz, v[2].xyz));
  return vec4f(from_eye * (eye - v[3].xyz), -eye.z);
}

fn identity_of(s: Surface, counter_clockwise: bool, triangle: u32) -> Identity {
  let side = visible_side(s, counter_clockwise);
  let instance = s.instance;
  return Identity(
    instances[instance].object,
    instances[instance].part,
    triangle + 1u,
    seen_point(s).w,
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
  return Shape(vec4f(side * s.flat_normal, 0.0), vec4f(seen_point(s).xyz, 1.0));
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
