// Which joint moves a point most: strongest.py has seen to it that most triangles have but one to ask about.

const ALONE: u32 = 0x80000000u;

// The id of the joint with the largest interpolated weight, the smaller one of two that are equal; 0 where nothing is
// skinned. `weights` are those of the triangle's corners by their slots.
fn strongest_joint(instance: u32, triangle: u32, weights: vec3f) -> u32 {
  let table = geometries[instances[instance].geometry].first_strongest;
  if (table == ABSENT) {
    return 0u;
  }
  let entry = indices[table + triangle];
  var joint = entry & ~ALONE;
  if ((entry & ALONE) == 0u) {
    var most = -1.0;
    let first = table + entry;
    for (var i = 0u; i < indices[first]; i += 1u) {
      let row = first + 1u + 4u * i;
      let corners = vec3f(bitcast<f32>(indices[row + 1u]), bitcast<f32>(indices[row + 2u]), bitcast<f32>(indices[row + 3u]));
      let weight = dot(weights, corners);
      joint = select(joint, indices[row], weight > most);
      most = max(most, weight);
    }
  }
  return instances[instance].first_joint + joint;
}
