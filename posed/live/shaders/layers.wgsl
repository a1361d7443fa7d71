// The fragment stage of the geometry layers: what is seen through a pixel's centre.

override TEXTURED: bool = true;   // whether there may be textures
override CUT: bool = true;        // whether alpha may decide that a surface is not there

struct Identity {
  @location(0) object: u32,
  @location(1) part: u32,
  @location(2) triangle: u32,
  @location(3) depth: f32,
  @location(4) normal: vec4f,
};

struct Normals {
  @location(0) normal: vec4f,
  @location(1) geometric_normal: vec4f,
};

struct Places {
  @location(0) motion: vec2f,
  @location(1) joint: u32,
};

// Whether the surface is the front's; discards a back that is not seen, and holes. `alpha` has the material's factor.
fn seen_front(
  counter_clockwise: bool, facing: f32, traits: vec4u, instance: u32, uv: vec4f, more_uv: vec4f, alpha: f32
) -> bool {
  let front = counter_clockwise == (facing > 0.0);
  if (!front && traits.x == 0u) {
    discard;
  }
  if (CUT) {
    var found = alpha;
    if (TEXTURED) {
      let how = materials[instances[instance].material].color_use;
      found *= filtered(how, color_place(instance, uv, more_uv)).a;
    }
    let least = select(0.5, bitcast<f32>(traits.z), traits.y == MASK);
    if (traits.y != OPAQUE && found < least) {
      discard;
    }
  }
  return front;
}

// The shading normal, on the side that is seen.
fn shading_normal(s: Surface, front: bool) -> vec3f {
  var n = unit(s.normal.xyz, vec3f(0.0));
  if (TEXTURED) {
    if ((instances[s.numbers.x].flags & BUMPY) != 0u) {
      let how = materials[instances[s.numbers.x].material].normal_use;
      n = bent_normal(how, place_in(how, s.uv, s.more_uv), n, s.tangent.xyz, s.rest.w);
    }
  }
  return select(-n, n, front);
}

fn identity(s: Surface, counter_clockwise: bool, triangle: u32) -> Identity {
  let front = seen_front(counter_clockwise, s.rest.z, s.traits, s.numbers.x, s.uv, s.more_uv, s.color.a);
  return Identity(
    s.numbers.y, s.numbers.z, triangle + 1u, seen_point(s.clip).w, vec4f(shading_normal(s, front), 0.0)
  );
}

@fragment
fn identity_unshared(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Identity {
  return identity(s, counter_clockwise, s.numbers.w);
}

// The triangle's own normal is at right angles to the ways from this pixel's point to its neighbours'.
@fragment
fn normals(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> Normals {
  let point = seen_point(s.clip).xyz;
  let across = cross(dpdy(point), dpdx(point));
  let front = seen_front(counter_clockwise, s.rest.z, s.traits, s.numbers.x, s.uv, s.more_uv, s.color.a);
  return Normals(vec4f(shading_normal(s, front), 0.0), vec4f(unit(across, vec3f(0.0)), 0.0));
}

fn pixels_of(clip: vec4f) -> vec2f {
  return (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.size.xy;
}

// Motion in pixels, right and down: where the surface point is minus where it was; zero where it was not before the
// camera. And the joint that moves the point most.
fn places(m: Moving, counter_clockwise: bool, triangle: u32) -> Places {
  let front = seen_front(counter_clockwise, m.facing, m.traits, m.numbers.x, m.uv, m.more_uv, m.alpha);
  let motion = select(vec2f(0.0), pixels_of(m.now) - pixels_of(m.before), m.before.w > 0.0);
  return Places(motion, strongest_joint(m.numbers.x, triangle, m.weights));
}

@fragment
fn places_unshared(m: Moving, @builtin(front_facing) counter_clockwise: bool) -> Places {
  return places(m, counter_clockwise, m.numbers.y);
}
