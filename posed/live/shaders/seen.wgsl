// What a fragment sees of its surface: where it lies, its holes, its side, its shading normal.

// Where the ray through a fragment's pixel meets the surface, relative to the origin, then its depth: from the fragment's
// own depth, which hardware keeps to float32. An interpolated position has only some 16 bits on it.
fn seen_point(fragment: vec4f) -> vec4f {
  let ray = frame.ray.xyz + fragment.x * frame.ray_across.xyz + fragment.y * frame.ray_down.xyz;
  let p = frame.projection;
  if (frame.eye.w != 0.0) {   // perspective: the fragment's w is one over the depth
    let depth = 1.0 / fragment.w;
    return vec4f(frame.eye.xyz + depth * ray, depth);
  }
  let depth = (p[3][2] - fragment.z) / p[2][2];
  return vec4f(ray - depth * frame.eye.xyz, depth);
}

// Where in its image a texture is read, in texels; `uv` and `more_uv` are the material's four sets of coordinates.
fn place_in(how: TextureUse, uv: vec4f, more_uv: vec4f) -> vec2f {
  let pair = select(uv, more_uv, how.uv_set >= 2u);
  return texel_place(how, select(pair.xy, pair.zw, (how.uv_set & 1u) == 1u));
}

// The same of the color texture, which may be an atlas.
fn color_place(instance: u32, uv: vec4f, more_uv: vec4f) -> vec2f {
  let how = materials[instances[instance].material].color_use;
  if ((instances[instance].flags & SPRITE) != 0u) {
    let pair = select(uv, more_uv, how.uv_set >= 2u);
    return frame_place(how, select(pair.xy, pair.zw, (how.uv_set & 1u) == 1u), instances[instance].rectangle);
  }
  return place_in(how, uv, more_uv);
}

// The alpha of a surface whose vertices' is `alpha`.
fn alpha_at(instance: u32, uv: vec4f, more_uv: vec4f, alpha: f32) -> f32 {
  let material = instances[instance].material;
  let how = materials[material].color_use;
  return materials[material].base_color.a * alpha * filtered(how, color_place(instance, uv, more_uv)).a;
}

// Whether geometry layers and shadows have a surface of this alpha.
fn is_solid(material: u32, alpha: f32) -> bool {
  return alpha >= select(0.5, materials[material].alpha_cutoff, materials[material].alpha_mode == MASK);
}

// The front's unit normal `n` bent by a normal map, read at `place`.
fn bent_normal(how: TextureUse, place: vec2f, n: vec3f, tangent: vec3f, bitangent: f32) -> vec3f {
  let t = unit(tangent, vec3f(0.0));
  let b = bitangent * cross(n, t);
  let map = 2.0 * filtered(how, place).xyz - 1.0;
  return unit(how.scale * (map.x * t + map.y * b) + map.z * n, n);
}
