// Opaque surfaces into the color layer, alone or with the layers that name what is seen and how deep it lies.

fn shaded_color(s: Surface, counter_clockwise: bool) -> vec4f {
  return vec4f(shown(s, counter_clockwise).own, 1.0);
}

@fragment
fn shade_opaque(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4f {
  return shaded_color(s, counter_clockwise);
}

struct Colored {
  @location(0) red_green: vec2f,
  @location(1) blue_alpha: vec2f,
};

@fragment
fn shade_color(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Colored {
  let color = shaded_color(s, counter_clockwise);
  return Colored(color.rg, color.ba);
}

struct Named {
  @location(0) red_green: vec2f,
  @location(1) blue_alpha: vec2f,
  @location(2) names: vec2u,
  @location(3) seen: vec2u,
};

fn named(s: Surface, counter_clockwise: bool, triangle: u32) -> Named {
  let color = shaded_color(s, counter_clockwise);
  let names = names_of(s, triangle);
  return Named(color.rg, color.ba, names.xy, names.zw);
}

@fragment
fn shade_named_unshared(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Named {
  return named(s, counter_clockwise, s.numbers.w);
}
