// Color and names of indexed triangles, on adapters that number them for the fragment stage.

@fragment
fn shade_named_shared(
  s: Surface, @builtin(front_facing) counter_clockwise: bool, @builtin(primitive_index) primitive: u32
) -> Named {
  return named(s, counter_clockwise, primitive % s.traits.w);
}
