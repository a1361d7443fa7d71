// Opaque surfaces into the color layer, alone or with the layers that name what is seen and how deep it lies.

fn shaded_color(s: Surface, counter_clockwise: bool) -> vec4f {
  return vec4f(shown(s, counter_clockwise).own, 1.0);
}

@fragment
fn shade(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4f {
  return shaded_color(s, counter_clockwise);
}

struct Named {
  @location(0) color: vec4f,
  @location(1) object: u32,
  @location(2) part: u32,
  @location(3) triangle: u32,
  @location(4) depth: f32,
};

fn named(s: Surface, counter_clockwise: bool, triangle: u32) -> Named {
  let color = shaded_color(s, counter_clockwise);
  return Named(color, s.numbers.y, s.numbers.z, triangle + 1u, seen_point(s.clip).w);
}

@fragment
fn shade_named_unshared(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Named {
  return named(s, counter_clockwise, s.numbers.w);
}
