// The identity layers of indexed triangles, on adapters that number them for the fragment stage.

@fragment
fn shared_identity(
  s: Surface,
  @builtin(front_facing) counter_clockwise: bool,
  @builtin(primitive_index) primitive: u32,
) -> Identity {
  return identity_of(s, counter_clockwise, primitive % geometries[instances[s.instance].geometry].triangles);
}
