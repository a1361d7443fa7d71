// How a surface reflects the light of one direction: glTF 2.0, appendix B.3, under a sheen and a coat.

const LEAST_COSINE: f32 = 1e-4;   // toward the viewer: smooth normals may lean away from it

override LAYERED: bool = true;    // whether there may be a sheen, a coat or a reflection that is not gray

// What is known of the surface at a point, all but its place.
struct Look {
  normal: vec3f,          // the shading normal, on the viewer's side
  diffuse: vec3f,         // of what is not let through
  reflectance: vec3f,     // at normal incidence
  withheld: vec3f,        // the same, as the diffuse light is kept from it
  grazing: f32,           // reflectance at a grazing angle
  roughness: f32,         // squared: GGX's alpha
  sheen: vec3f,
  sheen_roughness: f32,   // squared
  coat_normal: vec3f,
  coat: f32,              // the share of the light toward the viewer that the coat reflects
  coat_roughness: f32,    // squared
};

// The distribution times the visibility; a mirror shows no punctual light.
fn lobe(alpha: f32, normal: vec3f, toward_light: vec3f, toward_viewer: vec3f, half_way: vec3f) -> f32 {
  let squared = alpha * alpha;
  let light = dot(normal, toward_light);
  let viewer = max(dot(normal, toward_viewer), LEAST_COSINE);
  let middle = dot(normal, half_way);
  let sine = cross(normal, half_way);       // 1 - cosine^2 cancels where a sharp highlight is
  let spread = squared * middle * middle + dot(sine, sine);
  let seen = light * sqrt(viewer * viewer * (1.0 - squared) + squared)
    + viewer * sqrt(light * light * (1.0 - squared) + squared);
  let denominator = PI * spread * spread * seen;
  return select(0.0, 0.5 * squared / denominator, denominator > 0.0);
}

// Schlick's share of the way from normal incidence to grazing.
fn schlick(cosine: f32) -> f32 {
  let away = 1.0 - min(abs(cosine), 1.0);
  return away * away * away * away * away;
}

// Of light from a direction in front of the surface or of its coat, times the light's cosine.
fn reflected(look: Look, toward_light: vec3f, toward_viewer: vec3f) -> vec3f {
  let half_way = unit(toward_light + toward_viewer, vec3f(0.0));
  let light = dot(look.normal, toward_light);
  var sum = vec3f(0.0);
  if (light > 0.0) {
    let away = schlick(dot(toward_viewer, half_way));
    let fresnel = mix(look.reflectance, vec3f(look.grazing), away);
    let kept = select(fresnel, mix(look.withheld, vec3f(look.grazing), away), LAYERED);
    sum = (1.0 - kept) * look.diffuse / PI
      + fresnel * lobe(look.roughness, look.normal, toward_light, toward_viewer, half_way);
    if (LAYERED && any(look.sheen > vec3f(0.0))) {
      let viewer = dot(look.normal, toward_viewer);
      sum *= min(left_by_sheen(look, light), left_by_sheen(look, viewer));
      sum += look.sheen * sheen_lobe(look, light, viewer, half_way);
    }
    sum *= light;
  }
  if (LAYERED && look.coat > 0.0) {
    let coated = dot(look.coat_normal, toward_light);
    sum *= 1.0 - look.coat;
    if (coated > 0.0) {
      let gloss = lobe(look.coat_roughness, look.coat_normal, toward_light, toward_viewer, half_way);
      sum += vec3f(look.coat * gloss * coated);
    }
  }
  return sum;
}
