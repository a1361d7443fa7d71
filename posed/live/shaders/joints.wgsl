// The joint layer: which joint moves a surface point most.

// The weight of a joint at the point, over all three corners; a joint may be listed twice.
fn weight_of(joint: u32, corners: vec3u, weights: vec3f) -> f32 {
  var sum = 0.0;
  for (var corner = 0u; corner < 3u; corner += 1u) {
    let influences = influences_of(corners[corner]);
    for (var i = 0u; i < influences.y; i += 1u) {
      if (influence_joint(influences, i) == joint) {
        sum += weights[corner] * influence_weight(influences, i);
      }
    }
  }
  return sum;
}

@fragment
fn unshared_binding(s: Surface, @builtin(front_facing) counter_clockwise: bool) -> @location(0) u32 {
  let side = visible_side(s, counter_clockwise);
  use_geometry(s.instance);
  if (geometry.skinned == 0u) {
    return 0u;
  }
  let first = 3u * s.triangle;
  let corners = vec3u(corner_vertex(first), corner_vertex(first + 1u), corner_vertex(first + 2u));
  var strongest = 0u;
  var most = -1.0;
  for (var corner = 0u; corner < 3u; corner += 1u) {
    let influences = influences_of(corners[corner]);
    for (var i = 0u; i < influences.y; i += 1u) {
      let joint = influence_joint(influences, i);
      let weight = weight_of(joint, corners, s.weights);
      if (weight > most || (weight == most && joint < strongest)) {
        strongest = joint;
        most = weight;
      }
    }
  }
  return instances[s.instance].first_joint + strongest;
}
