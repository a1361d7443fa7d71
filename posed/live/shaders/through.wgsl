// Surfaces that are seen through: each fragment joins a list of its pixel's.

const NODE: u32 = 12u;        // words of a fragment
// Its place in the list and among fragments that are equally far: what joined before it (from 1, 0: none), reversed
// depth, part, instance, triangle.
const BEFORE: u32 = 0u;
const DEPTH: u32 = 1u;
const PART: u32 = 2u;
const INSTANCE: u32 = 3u;
const TRIANGLE: u32 = 4u;
// What it shows, three words, of what lies behind it what it lets through, three words, and whether it is there at all.
const OWN: u32 = 5u;
const PASSING: u32 = 8u;
const CLEAR: u32 = 11u;

// The counter of fragments, how many there is room for, the first row of the pixels below, then a pixel each.
const COUNT: u32 = 0u;
const ROOM: u32 = 1u;
const FIRST_ROW: u32 = 2u;
const HEADS: u32 = 4u;

@group(3) @binding(3) var<storage, read_write> lists: array<atomic<u32>>;
@group(3) @binding(4) var<storage, read_write> nodes: array<u32>;
@group(3) @binding(5) var opaque_depth: texture_depth_2d;

fn write3(at: u32, v: vec3f) {
  nodes[at] = bitcast<u32>(v.x);
  nodes[at + 1u] = bitcast<u32>(v.y);
  nodes[at + 2u] = bitcast<u32>(v.z);
}

fn join(s: Surface, counter_clockwise: bool, triangle: u32) {
  let pixel = vec2u(s.clip.xy);
  // A fragment that writes to buffers is not told apart by the depth test alone.
  if (s.clip.z <= textureLoad(opaque_depth, pixel, 0)) {
    discard;
  }
  let one = shown(s, counter_clockwise);
  if (one.alpha <= 0.0) {
    discard;
  }
  let number = atomicAdd(&lists[COUNT], 1u);
  if (number >= atomicLoad(&lists[ROOM])) {
    discard;
  }
  let node = NODE * number;
  let row = pixel.y - atomicLoad(&lists[FIRST_ROW]);
  nodes[node + BEFORE] = atomicExchange(&lists[HEADS + row * u32(frame.size.x) + pixel.x], number + 1u);
  nodes[node + DEPTH] = bitcast<u32>(s.clip.z);
  nodes[node + PART] = s.numbers.z;
  nodes[node + INSTANCE] = s.numbers.x;
  nodes[node + TRIANGLE] = triangle;
  write3(node + OWN, one.alpha * one.own);
  write3(node + PASSING, one.passing);
  nodes[node + CLEAR] = bitcast<u32>(1.0 - one.alpha);
}

@fragment
fn join_unshared(s: Surface, @builtin(front_facing) counter_clockwise: bool) {
  join(s, counter_clockwise, s.numbers.w);
}
