// Which triangles of a run of instances may cover a pixel's centre: each vertex is posed once, each triangle looked at,
// and the corners of those that are left are listed in their order, for the vertex stage to draw.

struct Piece {
  clip0: vec4f,         // world relative to the frame's origin -> clip space, depth reversed
  clip1: vec4f,
  clip2: vec4f,
  clip3: vec4f,
  reach0: vec4f,        // sums of the absolute values that went into these rows
  reach1: vec4f,
  reach2: vec4f,
  reach3: vec4f,
  size: vec2f,          // of the picture in pixels
  first: u32,           // instance
  triangles: u32,       // of each instance
  count: u32,           // of instances
  vertices: u32,        // of each instance
  first_corner: u32,    // in `indices`
  one_sided: u32,       // whether backs are not seen
};

// Where a vertex is: pixels right and down, how many of these it may be off, and what is known of it.
struct Spot {
  pixel: vec2f,
  off: f32,
  known: u32,           // bits 0 to 5: beyond a side of what is seen; then these:
};

const BEFORE_EYE: u32 = 64u;        // its pixels are numbers
const SURE: u32 = 128u;             // it is certain which side of its triangles is the front,
const CLOCKWISE: u32 = 256u;        // namely, with this bit, the clockwise one
const SIDES: u32 = 63u;

@group(2) @binding(0) var<uniform> piece: Piece;
@group(2) @binding(1) var<storage, read_write> spots: array<Spot>;
// A bit for each triangle that is left.
@group(2) @binding(2) var<storage, read_write> left: array<u32>;
// The arguments of the draw, then for each workgroup how many triangles before its own are left, at first how many of its.
@group(2) @binding(3) var<storage, read_write> counts: array<u32>;
@group(2) @binding(4) var<storage, read_write> corners: array<u32>;

const HEAD: u32 = 8u;               // words of the arguments
const GROUP: u32 = 256u;            // triangles of a workgroup
const WORDS: u32 = 8u;              // and of their bits

// A step of float32, of which every operation rounds by half at most: two ways to compute the same are a step apart.
const STEP: f32 = 0x1p-23;
// Operations from a blended palette to a pixel: three matrices, a division, the viewport.
const OPERATIONS: u32 = 24u;
// Pixels that a rasterizer may move a corner to its grid, 1/256 with the fewest bits in use, and as many again by which
// float32 and hardware's division may be off across 8192 pixels.
const GRID: f32 = 0x1p-7;

fn reach_of(m: Affine, p: vec3f) -> vec3f {
  return transform_point(Affine(abs(m.row0), abs(m.row1), abs(m.row2)), p);
}

// The sums of absolute values of which `posed_vertex` sums a position, and of the matrix that it blends.
fn posed_reach(palette: u32, morph: u32, vertex: u32, blended: ptr<function, Affine>) -> vec3f {
  var position = abs(attribute3(vertex, 0u));
  for (var i = 0u; i < geometry.targets; i += 1u) {
    let delta = geometry.first_delta + 9u * (i * geometry.vertices + vertex);
    position += abs(morph_weights[morph + i] * vec3f(deltas[delta], deltas[delta + 1u], deltas[delta + 2u]));
  }
  if (geometry.skinned == 0u) {
    return position;
  }
  let influences = influences_of(vertex);
  for (var i = 0u; i < influences.y; i += 1u) {
    let weight = abs(influence_weight(influences, i));
    let joint = palette + influence_joint(influences, i);
    (*blended).row0 += weight * abs(palettes[joint].row0);
    (*blended).row1 += weight * abs(palettes[joint].row1);
    (*blended).row2 += weight * abs(palettes[joint].row2);
  }
  return transform_point(*blended, position);
}

// Whether rounding cannot change the sign of a blended matrix's determinant; `reach` has the absolute sums of its entries.
fn is_sure(m: Affine, reach: Affine, deviation: f32) -> bool {
  let a = reach.row1.xyz;
  let b = reach.row2.xyz;
  let most = dot(reach.row0.xyz, vec3f(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x));
  return abs(dot(m.row0.xyz, cross(m.row1.xyz, m.row2.xyz))) > 4.0 * deviation * most;
}

fn spot_of(instance: u32, vertex: u32) -> Spot {
  let palette = instances[instance].palette;
  let v = placed_vertex(instance, vertex);
  var blended = Affine(vec4f(0.0), vec4f(0.0), vec4f(0.0));
  let posed = posed_reach(palette, instances[instance].morph, vertex, &blended);
  var operations = OPERATIONS + geometry.targets;
  var sure = true;
  if (geometry.skinned != 0u) {
    operations += influences_of(vertex).y;
    sure = is_sure(blended_palette(palette, vertex), blended, f32(operations) * STEP);
  }
  let place = Affine(instances[instance].row0, instances[instance].row1, instances[instance].row2);
  let p = vec4f(v.position, 1.0);
  let r = vec4f(reach_of(place, posed), 1.0);
  let clip = vec4f(dot(piece.clip0, p), dot(piece.clip1, p), dot(piece.clip2, p), dot(piece.clip3, p));
  let reach = vec4f(dot(piece.reach0, r), dot(piece.reach1, r), dot(piece.reach2, r), dot(piece.reach3, r));
  let off = f32(operations) * STEP * reach;
  var spot = Spot(vec2f(0.0), 0.0, 0u);
  let beyond = vec4<bool>(
    clip.w + clip.x < -(off.w + off.x), clip.w - clip.x < -(off.w + off.x),
    clip.w + clip.y < -(off.w + off.y), clip.w - clip.y < -(off.w + off.y),
  );
  spot.known = dot(select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), beyond), vec4u(1u));
  spot.known |= select(0u, 16u, clip.z < -off.z) | select(0u, 32u, clip.w - clip.z < -(off.w + off.z));
  spot.known |= select(0u, SURE, sure) | select(CLOCKWISE, 0u, v.handed > 0.0);
  if (clip.w > 4.0 * off.w) {
    let half = 0.5 * piece.size;
    let ratio = clip.xy / clip.w;
    spot.pixel = (ratio * vec2f(1.0, -1.0) + 1.0) * half;
    let moved = 2.0 * (off.xy + abs(ratio) * off.w) / clip.w * half;
    // What float32 leaves of pixels far outside of the picture.
    spot.off = GRID + max(moved.x, moved.y) + 4.0 * STEP * max(abs(spot.pixel.x), abs(spot.pixel.y));
    // None of these are numbers that cannot be compared.
    let whole = abs(spot.pixel.x) < 1e9 && abs(spot.pixel.y) < 1e9 && spot.off < 1e9;
    spot.known |= select(0u, BEFORE_EYE, whole);
  }
  return spot;
}

@compute @workgroup_size(64)
fn find_spots(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= piece.vertices) {
    return;
  }
  use_geometry(piece.first + id.y);
  spots[id.y * piece.vertices + id.x] = spot_of(piece.first + id.y, id.x);
}

fn crossed(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

// What rounding may change of the cross product of two differences of corners that are off by `off`.
fn crossed_off(a: vec2f, b: vec2f, off: f32) -> f32 {
  return 2.0 * off * (abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y) + 4.0 * off)
    + 4.0 * STEP * (abs(a.x * b.y) + abs(a.y * b.x));
}

// Whether a triangle may cover a pixel's centre with a side that is seen; false only where that is certain.
fn may_be_seen(instance: u32, triangle: u32) -> bool {
  let corner = piece.first_corner + 3u * triangle;
  let base = instance * piece.vertices;
  let a = spots[base + vertex_of(indices[corner])];
  let b = spots[base + vertex_of(indices[corner + 1u])];
  let c = spots[base + vertex_of(indices[corner + 2u])];
  let all = a.known & b.known & c.known;
  if ((all & SIDES) != 0u) {
    return false;
  }
  if ((all & BEFORE_EYE) == 0u) {
    return true;
  }
  let off = max(a.off, max(b.off, c.off));
  let low = min(a.pixel, min(b.pixel, c.pixel)) - off;
  let high = max(a.pixel, max(b.pixel, c.pixel)) + off;
  let first = max(ceil(low - 0.5), vec2f(0.0));
  let last = min(floor(high - 0.5), piece.size - 1.0);
  if (any(last < first)) {
    return false;
  }
  let turn = crossed(b.pixel - a.pixel, c.pixel - a.pixel);
  if (abs(turn) <= crossed_off(b.pixel - a.pixel, c.pixel - a.pixel, off)) {
    return true;
  }
  // Rows of pixels go down, so that what turns to the left there is clockwise on the screen.
  if (piece.one_sided != 0u && (a.known & SURE) != 0u && (turn > 0.0) != ((a.known & CLOCKWISE) != 0u)) {
    return false;
  }
  if (any(last > first + 3.0)) {
    return true;
  }
  for (var y = first.y; y <= last.y; y += 1.0) {
    for (var x = first.x; x <= last.x; x += 1.0) {
      let center = vec2f(x, y) + 0.5;
      if (
        !is_outside(a.pixel, b.pixel, center, turn, off)
        && !is_outside(b.pixel, c.pixel, center, turn, off)
        && !is_outside(c.pixel, a.pixel, center, turn, off)
      ) {
        return true;
      }
    }
  }
  return false;
}

// Whether a point is certainly beyond the edge from `a` to `b` of a triangle that turns as `turn`.
fn is_outside(a: vec2f, b: vec2f, point: vec2f, turn: f32, off: f32) -> bool {
  return sign(turn) * crossed(b - a, point - a) < -crossed_off(b - a, point - a, off);
}

var<workgroup> group_left: array<atomic<u32>, WORDS>;

@compute @workgroup_size(GROUP)
fn sift(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  if (local < WORDS) {
    atomicStore(&group_left[local], 0u);
  }
  workgroupBarrier();
  let number = GROUP * group.x + local;
  if (number < piece.count * piece.triangles) {
    if (may_be_seen(number / piece.triangles, number % piece.triangles)) {
      atomicOr(&group_left[local / 32u], 1u << (local % 32u));
    }
  }
  workgroupBarrier();
  if (local < WORDS) {
    left[WORDS * group.x + local] = atomicLoad(&group_left[local]);
  }
  if (local == 0u) {
    var count = 0u;
    for (var word = 0u; word < WORDS; word += 1u) {
      count += countOneBits(atomicLoad(&group_left[word]));
    }
    counts[HEAD + group.x] = count;
  }
}

var<workgroup> sums: array<u32, GROUP>;

// One workgroup turns the counts of all into sums of those before.
@compute @workgroup_size(GROUP)
fn add_up(@builtin(local_invocation_index) local: u32) {
  let groups = (piece.count * piece.triangles + GROUP - 1u) / GROUP;
  let each = (groups + GROUP - 1u) / GROUP;
  let first = min(local * each, groups);
  let end = min(first + each, groups);
  var own = 0u;
  for (var i = first; i < end; i += 1u) {
    own += counts[HEAD + i];
  }
  sums[local] = own;
  for (var reach = 1u; reach < GROUP; reach *= 2u) {
    workgroupBarrier();
    var before = 0u;
    if (local >= reach) {
      before = sums[local - reach];
    }
    workgroupBarrier();
    sums[local] += before;
  }
  var sum = sums[local] - own;
  for (var i = first; i < end; i += 1u) {
    let count = counts[HEAD + i];
    counts[HEAD + i] = sum;
    sum += count;
  }
  if (local == GROUP - 1u) {
    counts[0] = 3u * sums[local];   // corners, one instance, and nothing to begin at
    counts[1] = 1u;
    counts[2] = 0u;
    counts[3] = 0u;
    counts[4] = 0u;
  }
}

@compute @workgroup_size(GROUP)
fn list_corners(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let own = local / 32u;
  let bits = left[WORDS * group.x + own];
  if ((bits >> (local % 32u) & 1u) == 0u) {
    return;
  }
  var place = counts[HEAD + group.x] + countOneBits(bits & ((1u << (local % 32u)) - 1u));
  for (var word = 0u; word < own; word += 1u) {
    place += countOneBits(left[WORDS * group.x + word]);
  }
  let number = GROUP * group.x + local;
  for (var i = 0u; i < 3u; i += 1u) {
    corners[3u * place + i] = 3u * number + i;
  }
}
