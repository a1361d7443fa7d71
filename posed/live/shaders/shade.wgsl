// Opaque surfaces into the color layer.

@fragment
fn shade(s: Shaded, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4f {
  let point = seen_point(s.clip).xyz;
  return vec4f(shown(s, point, dpdx(point), dpdy(point), counter_clockwise).own, 1.0);
}
