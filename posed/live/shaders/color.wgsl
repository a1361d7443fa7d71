// What a surface shows through a pixel's centre, and what it lets through.

override TEXTURED: bool = true;   // whether there may be textures
override CUT: bool = true;        // whether alpha may decide that a surface is not there
override UNLIT: bool = true;      // whether a surface shows its own color alone

struct Shown {
  own: vec3f,           // radiance
  alpha: f32,
  passing: vec3f,       // the share of what lies behind that is seen through it
};

// How far the plane that touches the smooth surface at a corner lies above a point of the triangle, times its weight:
// the point moves there. Planes below it move nothing.
fn lift(touching: vec4f, weight: f32, point: vec3f, side: f32) -> vec3f {
  let above = dot(touching.xyz, point) - touching.w;
  return select(vec3f(0.0), -above / weight * touching.xyz, weight > 0.0 && above * side < 0.0);
}

// A smooth triangle stands for a curved surface, from which shadow rays start: its facets would shade one another
// (Hanika, Hacking the Shadow Terminator, Ray Tracing Gems II, chapter 4).
fn lifted(s: Surface, point: vec3f, side: f32) -> vec3f {
  let p = point - s.anchor;
  let w = weights_of(s);
  return point + lift(s.touching0, w.x, p, side) + lift(s.touching1, w.y, p, side) + lift(s.touching2, w.z, p, side);
}

// The front's normals, of the surface and of its coat.
fn front_normals(s: Surface) -> array<vec3f, 2> {
  let smooth_normal = unit(s.normal.xyz, vec3f(0.0));
  var normals = array(smooth_normal, smooth_normal);
  if (TEXTURED) {
    let material = instances[s.numbers.x].material;
    if ((instances[s.numbers.x].flags & BUMPY) != 0u) {
      let bumps = materials[material].normal_use;
      normals[0] = bent_normal(bumps, place_in(bumps, s.uv, s.more_uv), smooth_normal, s.tangent.xyz, s.rest.w);
    }
    if (LAYERED && (instances[s.numbers.x].flags & COAT_BUMPY) != 0u) {
      let bumps = materials[material].coat_normal_use;
      normals[1] = bent_normal(bumps, place_in(bumps, s.uv, s.more_uv), smooth_normal, s.tangent.xyz, s.rest.w);
    }
  }
  return normals;
}

fn plain_texture(s: Surface, how: TextureUse) -> vec4f {
  return filtered(how, place_in(how, s.uv, s.more_uv));
}

fn color_texture(s: Surface, how: TextureUse) -> vec4f {
  return decoded(how, place_in(how, s.uv, s.more_uv));
}

// Adds what lies on the surface: a reflection of its own color, a sheen, a coat.
fn add_layers(look: ptr<function, Look>, s: Surface, base: vec3f, metallic: f32, side: f32, coat_normal: vec3f, viewer: vec3f) {
  let material = instances[s.numbers.x].material;
  var tint = materials[material].tint;
  var coat = materials[material].coat.xy;
  var sheen = materials[material].sheen;
  if (TEXTURED) {
    tint *= vec4f(
      color_texture(s, materials[material].specular_color_use).rgb,
      plain_texture(s, materials[material].specular_use).a,
    );
    coat *= vec2f(
      plain_texture(s, materials[material].coat_use).r,
      plain_texture(s, materials[material].coat_roughness_use).g,
    );
    sheen *= vec4f(
      color_texture(s, materials[material].sheen_use).rgb,
      plain_texture(s, materials[material].sheen_roughness_use).a,
    );
  }
  let dielectric = min(materials[material].refraction * tint.rgb, vec3f(1.0)) * tint.a;
  let most = max(dielectric.r, max(dielectric.g, dielectric.b));
  (*look).reflectance = mix(dielectric, base, metallic);
  (*look).withheld = mix(vec3f(most), base, metallic);
  (*look).grazing = mix(tint.a, 1.0, metallic);
  (*look).sheen = sheen.rgb;
  let roughness = clamp(sheen.a, LEAST_SHEEN_ROUGHNESS, 1.0);
  (*look).sheen_roughness = roughness * roughness;
  (*look).coat_normal = side * coat_normal;
  (*look).coat = coat.x * mix(0.04, 1.0, schlick(dot((*look).coat_normal, viewer)));
  (*look).coat_roughness = coat.y * coat.y;
}

fn shown(s: Surface, counter_clockwise: bool) -> Shown {
  let point = seen_point(s.clip).xyz;
  let across = dpdx(point);
  let down = dpdy(point);
  let front = counter_clockwise == (s.rest.z > 0.0);
  if (!front && s.traits.x == 0u) {
    discard;
  }
  let side = select(-1.0, 1.0, front);
  var base = s.color;
  var metallic = s.emission.w;
  var roughness = s.rest.x;
  var passes = s.rest.y;
  var emission = s.emission.xyz;
  if (TEXTURED) {
    let material = instances[s.numbers.x].material;
    base *= decoded(materials[material].color_use, color_place(s.numbers.x, s.uv, s.more_uv));
    let map = plain_texture(s, materials[material].metallic_roughness_use);
    roughness *= map.g;
    metallic *= map.b;
    emission *= color_texture(s, materials[material].emission_use).rgb;
    if (LAYERED) {
      passes *= plain_texture(s, materials[material].transmission_use).r;
    }
  }
  var alpha = 1.0;
  if (CUT) {
    if (s.traits.y == MASK && base.a < bitcast<f32>(s.traits.z)) {
      discard;
    }
    alpha = select(1.0, min(base.a, 1.0), s.traits.y == BLEND);
  }
  if (UNLIT) {
    return Shown(base.rgb, alpha, vec3f(1.0 - alpha));
  }
  let normals = front_normals(s);
  let viewer = select(frame.eye.xyz, unit(frame.eye.xyz - point, vec3f(0.0)), frame.eye.w != 0.0);
  let diffuse = base.rgb * (1.0 - metallic);
  var look: Look;
  look.normal = side * normals[0];
  look.diffuse = diffuse * (1.0 - passes);
  look.reflectance = mix(s.dielectric.xyz, base.rgb, metallic);
  look.grazing = mix(s.dielectric.w, 1.0, metallic);
  look.roughness = roughness * roughness;
  var own = emission;
  var passing = alpha * passes * diffuse;
  let around = surrounding(look.normal);
  if (LAYERED) {
    add_layers(&look, s, base.rgb, metallic, side, normals[1], viewer);
    let toward = dot(look.normal, viewer);
    let left = left_by_sheen(look, toward);
    own += (left * (look.diffuse + look.reflectance) + look.sheen * sheen_albedo(toward, look.sheen_roughness)) * around;
    own = (1.0 - look.coat) * own + look.coat * surrounding(look.coat_normal);
    passing *= (1.0 - look.coat) * left;
  } else {
    own += (look.diffuse + look.reflectance) * around;
  }
  let start = Start(lifted(s, point, side), across, down);
  for (var i = 0u; i < light_count(); i += 1u) {
    let arrives = arriving(shine.light[i], point);
    let strength = select(arrives.w, 0.0, is_shadowed(i, start));
    if (strength > 0.0) {
      own += reflected(look, arrives.xyz, viewer) * strength * shine.light[i].color;
    }
  }
  return Shown(own, alpha, vec3f(1.0 - alpha) + passing);
}
