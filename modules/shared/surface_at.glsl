// The surface at a pixel of this frame, for kernels with the inputs `depth` and `id`, whose body defines
// `normalAt` and `gradientAt`.
#include "shared/surface.glsl"

vec3 normalAt(ivec2 p);
vec2 gradientAt(ivec2 p, float depth, ivec2 extent);  // of depth; for kernels without it: gradientOfDepths

float depthAt(ivec2 p, ivec2 extent) {
  bool inside = p == clamp(p, ivec2(0), extent - 1);
  float depth = finiteDepth(load_depth(clamp(p, ivec2(0), extent - 1)));
  return inside ? depth : uintBitsToFloat(0x7f800000u);
}

vec2 gradientOfDepths(ivec2 p, float depth, ivec2 extent) {
  return gradientOf(depth, depthAt(p - ivec2(1, 0), extent), depthAt(p + ivec2(1, 0), extent),
                    depthAt(p - ivec2(0, 1), extent), depthAt(p + ivec2(0, 1), extent));
}

uvec2 packedSurface(ivec2 p, ivec2 extent) {
  float depth = depthAt(p, extent);
  return packSurface(normalAt(p), depth, slopeOf(gradientAt(p, depth, extent), depth));
}

float idAt(ivec2 p) { return has_id ? foldedId(bitsOfId(load_id(p))) : 0.0; }
