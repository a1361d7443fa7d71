// What is seen where nothing is: the environment, behind everything.

struct Behind {
  @builtin(position) @invariant clip: vec4f,
};

@vertex
fn sky_vertex(@builtin(vertex_index) i: u32) -> Behind {
  return Behind(vec4f(f32(i % 2u) * 4.0 - 1.0, f32(i / 2u) * 4.0 - 1.0, 0.0, 1.0));
}

fn sky_color(behind: Behind) -> vec4f {
  let ray = frame.ray.xyz + behind.clip.x * frame.ray_across.xyz + behind.clip.y * frame.ray_down.xyz;
  return vec4f(sky(normalize(select(-frame.eye.xyz, ray, frame.eye.w != 0.0))), 0.0);
}

@fragment
fn show_sky_whole(behind: Behind) -> @location(0) vec4f {
  return sky_color(behind);
}

struct Pairs {
  @location(0) red_green: vec2f,
  @location(1) blue_alpha: vec2f,
};

@fragment
fn show_sky(behind: Behind) -> Pairs {
  let color = sky_color(behind);
  return Pairs(color.rg, color.ba);
}
