// Sheen: KHR_materials_sheen's lobe, and what it leaves to what lies under it.
// Conty and Kulla, Production Friendly Microfacet Sheen BRDF, SIGGRAPH 2017; docs/materials.md has the fit.

const LEAST_SHEEN_ROUGHNESS: f32 = 0.07;

fn sheen_curve(x: f32, alpha: f32) -> f32 {
  let t = (1.0 - alpha) * (1.0 - alpha);
  let p = mix(21.5473, 25.3245, t);
  let q = mix(3.82987, 3.32435, t);
  let s = mix(0.19823, 0.16801, t);
  return p / (1.0 + q * pow(x, s)) + mix(-1.97760, -1.27393, t) * x + mix(-4.32054, -4.85967, t);
}

fn sheen_shadowing(cosine: f32, alpha: f32) -> f32 {
  if (cosine < 0.5) {
    return exp(sheen_curve(cosine, alpha));
  }
  return exp(2.0 * sheen_curve(0.5, alpha) - sheen_curve(1.0 - cosine, alpha));
}

// The distribution times the visibility.
fn sheen_lobe(look: Look, toward_light: f32, toward_viewer: f32, half_way: vec3f) -> f32 {
  let alpha = look.sheen_roughness;
  let light = max(toward_light, LEAST_COSINE);
  let viewer = max(toward_viewer, LEAST_COSINE);
  let sine = cross(look.normal, half_way);
  let spread = (2.0 + 1.0 / alpha) * pow(dot(sine, sine), 0.5 / alpha) / (2.0 * PI);
  return spread / ((1.0 + sheen_shadowing(viewer, alpha) + sheen_shadowing(light, alpha)) * 4.0 * viewer * light);
}

// The share of light from everywhere that a sheen of color 1 sends to a viewer at a cosine.
fn sheen_albedo(cosine: f32, alpha: f32) -> f32 {
  let x = sqrt(sqrt(max(cosine, LEAST_COSINE)));
  let y = sqrt(sqrt(alpha));
  let powers = vec4f(1.0, y, y * y, y * y * y);
  let fourth = y * y * y * y;
  let a = dot(vec4f(2.153, -2.938, -17.631, 33.432), powers) - 15.524 * fourth;
  let b = dot(vec4f(14.262, -88.604, 258.167, -294.506), powers) + 113.973 * fourth;
  let c = dot(vec4f(-46.178, 306.993, -912.813, 1061.035), powers) - 416.253 * fourth;
  let d = dot(vec4f(29.172, -237.928, 864.175, -1102.827), powers) + 451.98 * fourth;
  let e = dot(vec4f(-55.149, 270.327, -648.47, 688.393), powers) - 256.993 * fourth;
  return exp((((e * x + d) * x + c) * x + b) * x + a);
}

// What the sheen leaves of light to or from a cosine.
fn left_by_sheen(look: Look, cosine: f32) -> f32 {
  let most = max(look.sheen.r, max(look.sheen.g, look.sheen.b));
  return max(1.0 - most * sheen_albedo(cosine, look.sheen_roughness), 0.0);
}
