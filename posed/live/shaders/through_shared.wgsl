// Indexed triangles that are seen through, on adapters that number them for the fragment stage.

@fragment
fn join_shared(
  s: Surface, @builtin(front_facing) counter_clockwise: bool, @builtin(primitive_index) primitive: u32
) {
  join(s, counter_clockwise, primitive % s.traits.w);
}
