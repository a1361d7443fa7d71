// What is seen where nothing is: the environment, behind everything.

struct Behind {
  @builtin(position) @invariant clip: vec4f,
};

@vertex
fn sky_vertex(@builtin(vertex_index) i: u32) -> Behind {
  return Behind(vec4f(f32(i % 2u) * 4.0 - 1.0, f32(i / 2u) * 4.0 - 1.0, 0.0, 1.0));
}

@fragment
fn show_sky(behind: Behind) -> @location(0) vec4f {
  let p = frame.projection;
  let screen = (behind.clip.xy / frame.size.xy * 2.0 - 1.0) * vec2f(1.0, -1.0) / vec2f(p[0][0], p[1][1]);
  let v = frame.view;
  let from_eye = transpose(mat3x3f(v[0].xyz, v[1].xyz, v[2].xyz));
  let ahead = select(vec3f(0.0, 0.0, -1.0), vec3f(screen, -1.0), p[2][3] != 0.0);
  return vec4f(sky(normalize(from_eye * ahead)), 0.0);
}
