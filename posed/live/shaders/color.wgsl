// What a surface shows through a pixel's centre, and what it lets through.

override TEXTURED: bool = true;

struct Shown {
  own: vec3f,           // radiance
  alpha: f32,
  passing: vec3f,       // the share of what lies behind that is seen through it
};

// From the point to the viewer, unit length.
fn toward_viewer(point: vec3f) -> vec3f {
  let v = frame.view;
  let from_eye = transpose(mat3x3f(v[0].xyz, v[1].xyz, v[2].xyz));
  if (frame.projection[2][3] != 0.0) {
    return normalize(from_eye * -v[3].xyz - point);
  }
  return from_eye * vec3f(0.0, 0.0, 1.0);
}

// How far the plane that touches the smooth surface at a corner lies above a point of the triangle, times its weight:
// the point moves there. Planes below it move nothing.
fn lift(touching: vec4f, point: vec3f, side: f32) -> vec3f {
  let weight = length(touching.xyz);
  let above = dot(touching.xyz, point) - touching.w;
  if (weight == 0.0 || above * side >= 0.0) {
    return vec3f(0.0);
  }
  return -above / weight * touching.xyz;
}

// A smooth triangle stands for a curved surface, from which shadow rays start: its facets would shade one another
// (Hanika, Hacking the Shadow Terminator, Ray Tracing Gems II, chapter 4).
fn lifted(s: Shaded, point: vec3f, side: f32) -> vec3f {
  let p = point - s.anchor;
  return point + lift(s.touching0, p, side) + lift(s.touching1, p, side) + lift(s.touching2, p, side);
}

fn shown(s: Shaded, point: vec3f, across: vec3f, down: vec3f, counter_clockwise: bool) -> Shown {
  let material = instances[s.instance].material;
  let front = counter_clockwise == (s.rest.z > 0.0);
  if (!front && materials[material].double_sided == 0u) {
    discard;
  }
  let side = select(-1.0, 1.0, front);
  var base = s.color;
  var metallic = s.emission.w;
  var roughness = s.rest.x;
  var emission = s.emission.xyz;
  var normal = unit(s.normal, vec3f(0.0));
  if (TEXTURED) {
    base *= decoded(materials[material].color_use, color_place(s.instance, s.uv, s.more_uv));
    let how = materials[material].metallic_roughness_use;
    let map = filtered(how, place_in(how, s.uv, s.more_uv));
    roughness *= map.g;
    metallic *= map.b;
    let glow = materials[material].emission_use;
    emission *= decoded(glow, place_in(glow, s.uv, s.more_uv)).rgb;
    if ((instances[s.instance].flags & BUMPY) != 0u) {
      let bumps = materials[material].normal_use;
      normal = bent_normal(bumps, place_in(bumps, s.uv, s.more_uv), normal, s.tangent, s.rest.w);
    }
  }
  var alpha = 1.0;
  if (materials[material].alpha_mode == MASK) {
    if (base.a < materials[material].alpha_cutoff) {
      discard;
    }
  } else if (materials[material].alpha_mode == BLEND) {
    alpha = min(base.a, 1.0);
  }
  if (materials[material].unlit != 0u) {
    return Shown(base.rgb, alpha, vec3f(1.0 - alpha));
  }
  normal *= side;
  let diffuse = base.rgb * (1.0 - metallic);
  let passes = s.rest.y;
  let look = Look(
    normal,
    diffuse * (1.0 - passes),
    mix(s.dielectric.xyz, base.rgb, metallic),
    mix(s.dielectric.w, 1.0, metallic),
    roughness * roughness,
  );
  let viewer = toward_viewer(point);
  let start = Start(lifted(s, point, side), across, down);
  var own = emission + (look.diffuse + look.reflectance) * surrounding(normal);
  for (var i = 0u; i < shine.lights; i += 1u) {
    let arrives = arriving(shine.light[i], point);
    let cosine = dot(normal, arrives.xyz);
    if (cosine > 0.0 && arrives.w > 0.0 && !is_shadowed(shine.light[i], start)) {
      own += reflected(look, arrives.xyz, viewer) * (cosine * arrives.w) * shine.light[i].color;
    }
  }
  return Shown(own, alpha, (1.0 - alpha) + alpha * passes * diffuse);
}
