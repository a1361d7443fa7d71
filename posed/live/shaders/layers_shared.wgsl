// The layers of indexed triangles that name them, on adapters that number them for the fragment stage.

@fragment
fn identity_shared(
  s: Surface, @builtin(front_facing) counter_clockwise: bool, @builtin(primitive_index) primitive: u32
) -> Identity {
  return identity(s, counter_clockwise, primitive % s.traits.w);
}

@fragment
fn rest_shared(
  m: Moving, @builtin(front_facing) counter_clockwise: bool, @builtin(primitive_index) primitive: u32
) -> Rest {
  return rest(m, counter_clockwise, primitive % m.traits.w);
}
