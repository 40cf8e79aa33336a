// What a temporal or guided filter knows of a pixel's surface, in 8 bytes: normal, slope and depth.
//   word 0: octahedral normal, 11 bits each (Cigolle et al. 2014, A Survey of Efficient Representations for
//           Independent Unit Vectors), and the slope as a float of 6 bits of exponent and 4 of mantissa
//   word 1: depth as it is
// The slope is the length of depth's screen-space gradient (Schied et al. 2017, equation 3): the renderer's,
// or found by one-sided differences, of which the smaller one doesn't cross the edge of an object.

struct Surface {
  vec3 normal;  // of unit length; (0, 0, 1) where there is none
  float depth;  // finite
  float slope;  // of depth, for each pixel; above 0
};

// Far enough to differ from every surface, and finite, so that two such pixels compare as equal.
const float farthestDepth = 1e10;
float finiteDepth(float depth) {
  return isnan(depth) ? farthestDepth : clamp(depth, -farthestDepth, farthestDepth);
}

// Depths of the pixel and of its neighbours; infinity for a neighbour outside the image.
vec2 gradientOf(float centre, float left, float right, float up, float down) {
  float infinity = uintBitsToFloat(0x7f800000u);
  float x = min(abs(right - centre), abs(centre - left));
  float y = min(abs(down - centre), abs(centre - up));
  return vec2(x < infinity ? x : 0.0, y < infinity ? y : 0.0);
}

float slopeOf(vec2 gradient, float depth) {
  float slope = sqrt(fma(gradient.x, gradient.x, gradient.y * gradient.y));
  return clamp(slope, 0.0005 * abs(depth), 0.25 * abs(depth));
}

const int slopeBias = 1520;  // (127 - 32) << 4: the least exponent is -32

float signOf(float v) { return v >= 0.0 ? 1.0 : -1.0; }
vec2 foldedOctahedron(vec2 e) { return (1.0 - abs(e.yx)) * vec2(signOf(e.x), signOf(e.y)); }

uint encodeNormal22(vec3 n) {
  float length1 = abs(n.x) + abs(n.y) + abs(n.z);
  // Renderers write zero or NaN where there is no surface.
  bool there = length1 > 1e-20 && length1 < 1e20;
  vec2 e = there ? n.xy / length1 : vec2(0.0);
  if (there && n.z < 0.0) { e = foldedOctahedron(e); }
  uvec2 codes = uvec2(ivec2(floor(fma(clamp(e, -1.0, 1.0), vec2(1023.0), vec2(0.5)))) + 1023);
  return codes.x | codes.y << 11;
}

vec3 decodeNormal22(uint word) {
  vec2 e = (vec2(word & 2047u, (word >> 11) & 2047u) - 1023.0) * (1.0 / 1023.0);
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  float t = max(-n.z, 0.0);
  n.x += n.x >= 0.0 ? -t : t;
  n.y += n.y >= 0.0 ? -t : t;
  return n * inversesqrt(fma(n.x, n.x, fma(n.y, n.y, n.z * n.z)));
}

uvec2 packSurface(vec3 normal, float depth, float slope) {
  int code = clamp((floatBitsToInt(slope) + 0x40000 >> 19) - slopeBias, 0, 1023);
  return uvec2(encodeNormal22(normal) | uint(code) << 22, floatBitsToUint(depth));
}

Surface unpackSurface(uvec2 words) {
  float slope = intBitsToFloat(int(words.x >> 22) + slopeBias << 19);
  return Surface(decodeNormal22(words.x), uintBitsToFloat(words.y), slope);
}

// An id in any format, as 32 bits, folded to 11, which a half float holds exactly.
float foldedId(uint id) {
  id ^= id >> 16;
  id ^= id >> 11;
  return float(id & 2047u);
}
uint bitsOfId(uint id) { return id; }
uint bitsOfId(float id) { return floatBitsToUint(id); }

// Of a surface in two successive frames.
struct Tolerance {
  float depth;   // part of the depth
  float normal;  // least cosine
};

bool isSameSurface(Surface now, Surface last, Tolerance tolerance) {
  float allowed = fma(tolerance.depth, abs(now.depth), 2.0 * now.slope);
  float cosine =
      fma(now.normal.x, last.normal.x, fma(now.normal.y, last.normal.y, now.normal.z * last.normal.z));
  return abs(last.depth - now.depth) <= allowed && cosine >= tolerance.normal;
}
