// What changes from frame to frame: the camera, where each instance stands, and what poses it.

struct Frame {
  view: mat4x4f,        // world relative to the frame's origin -> camera
  projection: mat4x4f,  // camera -> clip space, depth reversed: 1 at the near plane, 0 at the far one
  previous_view: mat4x4f,        // the same of the snapshot before, from the same origin
  previous_projection: mat4x4f,
  size: vec4f,          // of the picture in pixels, then 1 where both cameras are the same (three numbers)
  eye: vec4f,           // of a perspective camera where it stands, then 1; of an orthographic one the way to it, then 0
  ray: vec4f,           // of a perspective camera the way through pixel (0, 0), one deep; of an orthographic one that pixel
  ray_across: vec4f,    // what is added for each pixel to the right
  ray_down: vec4f,      // and down (three numbers each)
};

const SPRITE: u32 = 1u; // the color texture is an atlas of which `rectangle` is shown
const BUMPY: u32 = 2u;  // a normal map bends the normals
const COAT_BUMPY: u32 = 4u; // another one those of the coat

struct Instance {
  row0: vec4f,          // the space of posed vertices -> world relative to the frame's origin
  row1: vec4f,
  row2: vec4f,
  mirror: f32,          // the sign of the rows' determinant
  palette: u32,         // its first joint in `palettes`
  morph: u32,           // its first weight in `morph_weights`
  object: u32,
  part: u32,
  flags: u32,           // SPRITE, BUMPY, COAT_BUMPY
  geometry: u32,        // its record in `geometries`
  material: u32,        // its record in `materials`
  rectangle: vec4f,     // u0, v0, u1, v1
  previous0: vec4f,     // the rows, the first joint and the first weight in the snapshot before
  previous1: vec4f,
  previous2: vec4f,
  previous_palette: u32,
  previous_morph: u32,
  first_joint: u32,     // the id of the palette's first joint, 0 where nothing is skinned
  reserved: u32,
};

// One joint of a palette: the rows of its matrix, of which the last one is 0 0 0 1.
struct Joint {
  row0: vec4f,
  row1: vec4f,
  row2: vec4f,
};

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> palettes: array<Joint>;
@group(0) @binding(3) var<storage, read> morph_weights: array<f32>;
