// What a fragment sees of its surface: side, holes, shading normal.

fn alpha_of(s: Surface) -> f32 {
  let material = instances[s.instance].material;
  let how = materials[material].color_use;
  var at = texel_place(how, s.uv.xy);
  if ((instances[s.instance].flags & SPRITE) != 0u) {
    at = frame_place(how, s.uv.xy, instances[s.instance].rectangle);
  }
  return materials[material].base_color.a * s.color.a * filtered(how, at).a;
}

// Whether geometry layers show a surface of this alpha.
fn is_solid(material: u32, alpha: f32) -> bool {
  return alpha >= select(0.5, materials[material].alpha_cutoff, materials[material].alpha_mode == MASK);
}

// 1 on the surface's front, -1 on a back that is seen because the material has two sides; nothing is seen otherwise.
fn visible_side(s: Surface, counter_clockwise: bool) -> f32 {
  let material = instances[s.instance].material;
  let front = counter_clockwise == (s.facing > 0.0);
  if (!front && materials[material].double_sided == 0u) {
    discard;
  }
  if (materials[material].alpha_mode != OPAQUE) {
    if (!is_solid(material, alpha_of(s))) {
      discard;
    }
  }
  return select(-1.0, 1.0, front);
}

// The front's normal: interpolated, then bent by the normal map where the file has tangents for it.
fn shading_normal(s: Surface) -> vec3f {
  let n = unit(s.normal, vec3f(0.0));
  if ((instances[s.instance].flags & BUMPY) == 0u) {
    return n;
  }
  let how = materials[instances[s.instance].material].normal_use;
  let t = unit(s.tangent, vec3f(0.0));
  let b = s.bitangent * cross(n, t);
  let map = 2.0 * filtered(how, texel_place(how, s.more_uv.xy)).xyz - 1.0;
  return unit(how.scale * (map.x * t + map.y * b) + map.z * n, n);
}
