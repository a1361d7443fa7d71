// Surfaces as a light sees them: their depth alone, and their holes.

struct Casting {
  row0: vec4f,          // world relative to the origin -> clip space, depth reversed
  row1: vec4f,
  row2: vec4f,
  row3: vec4f,
};

@group(3) @binding(0) var<uniform> casting: Casting;

struct Cast {
  @builtin(position) clip: vec4f,
  @location(0) uv: vec4f,
  @location(1) more_uv: vec4f,
  @location(2) alpha: f32,
  @location(3) @interpolate(flat, first) instance: u32,
};

fn cast_clip(position: vec3f) -> vec4f {
  let h = vec4f(position, 1.0);
  return vec4f(dot(casting.row0, h), dot(casting.row1, h), dot(casting.row2, h), dot(casting.row3, h));
}

@vertex
fn cast_solid(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
  use_geometry(instance);
  return cast_clip(placed_vertex(instance, vertex_of(corner)).position);
}

@vertex
fn cast_cut(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Cast {
  use_geometry(instance);
  let vertex = vertex_of(corner);
  let sets = materials[instances[instance].material].sets;
  return Cast(
    cast_clip(placed_vertex(instance, vertex).position),
    vec4f(uv_of(vertex, sets.x), uv_of(vertex, sets.y)),
    vec4f(uv_of(vertex, sets.z), uv_of(vertex, sets.w)),
    color_of(vertex).a,
    instance,
  );
}

@fragment
fn cut(c: Cast) {
  if (!is_solid(instances[c.instance].material, alpha_at(c.instance, c.uv, c.more_uv, c.alpha))) {
    discard;
  }
}
