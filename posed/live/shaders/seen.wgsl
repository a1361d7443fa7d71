// What a fragment sees of its surface: color, side, holes, shading normal.

fn base_color(s: Surface) -> vec4f {
  var texture_color: vec4f;
  if (instances[s.instance].sprite != 0u) {
    texture_color = sample_atlas(color_texture, material.color_use, s.uv.xy, instances[s.instance].rectangle);
  } else {
    texture_color = sample_texture(color_texture, material.color_use, s.uv.xy);
  }
  return material.base_color * s.color * texture_color;
}

// 1 on the surface's front, -1 on a back that is seen because the material has two sides; nothing is seen otherwise.
fn visible_side(s: Surface, counter_clockwise: bool) -> f32 {
  let front = counter_clockwise == (s.facing > 0.0);
  if (!front && material.double_sided == 0u) {
    discard;
  }
  if (material.alpha_mode != OPAQUE) {
    if (!is_solid(base_color(s).a)) {
      discard;
    }
  }
  return select(-1.0, 1.0, front);
}

// The front's normal: interpolated, then bent by the normal map where the file has tangents for it.
fn shading_normal(s: Surface) -> vec3f {
  let n = unit(s.normal, vec3f(0.0));
  if (material.normal_use.present == 0u || geometry.tangent == ABSENT || geometry.normal == ABSENT) {
    return n;
  }
  let t = unit(s.tangent, vec3f(0.0));
  let b = s.bitangent * cross(n, t);
  let map = 2.0 * sample_texture(normal_texture, material.normal_use, s.more_uv.xy).xyz - 1.0;
  return unit(material.normal_use.scale * (map.x * t + map.y * b) + map.z * n, n);
}
