// The scene's arrays (scene/device_scene.h), and functions that read them. Constants for the scene's features
// come from scene_constants.glsl, which native code makes.

#include "scene_constants.glsl"

const uint leafBit = 0x80000000u;
const uint noMaterial = 0xffffffffu;
const uint nodeElements = 4u;
const uint objectElements = 11u;

const uint surfaceDiffuse = 0u;
const uint surfaceGlossy = 1u;
const uint surfaceMirror = 2u;
const uint surfaceGlass = 3u;
const uint surfaceEmissive = 4u;

const float pi = 3.14159265;

vec4 cameraElement(int i) { return uintBitsToFloat(vectors_camera.data[i]); }
vec3 background() { return cameraElement(8).rgb; }
float lightPower() { return cameraElement(8).w; }

uvec4 objectElement(uint object, uint i) { return vectors_objects.data[object * objectElements + i]; }
vec4 objectRow(uint object, uint i) { return uintBitsToFloat(objectElement(object, i)); }

// Rows of an affine map.
struct Map { vec4 x; vec4 y; vec4 z; };
Map objectMap(uint object, uint first) {
  return Map(objectRow(object, first), objectRow(object, first + 1u), objectRow(object, first + 2u));
}
Map toObject(uint object) { return objectMap(object, 0u); }
Map toWorld(uint object) { return objectMap(object, 3u); }
Map toWorldBefore(uint object) { return objectMap(object, 6u); }

float along(vec3 a, vec3 b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }
vec3 mapVector(Map m, vec3 v) { return vec3(along(m.x.xyz, v), along(m.y.xyz, v), along(m.z.xyz, v)); }
vec3 mapPoint(Map m, vec3 p) { return mapVector(m, p) + vec3(m.x.w, m.y.w, m.z.w); }
// Transforms normals by the inverse of their map.
vec3 mapNormal(Map inverse, vec3 n) {
  return fma(inverse.x.xyz, n.xxx, fma(inverse.y.xyz, n.yyy, inverse.z.xyz * n.z));
}

vec3 unit(vec3 v) { return v * inversesqrt(max(along(v, v), 1e-37)); }
float largest(vec3 v) { return max(v.x, max(v.y, v.z)); }
float luminance(vec3 c) { return along(c, vec3(0.212639006, 0.715168679, 0.072192315)); }
float squared(float v) { return v * v; }

// Two directions that are orthogonal to `z` and each other (Duff et al. 2017, Building an Orthonormal Basis,
// Revisited).
mat3 frameOf(vec3 z) {
  float s = z.z >= 0.0 ? 1.0 : -1.0;
  float a = -1.0 / (s + z.z);
  float b = z.x * z.y * a;
  return mat3(vec3(fma(s * z.x * z.x, a, 1.0), s * b, -s * z.x), vec3(b, fma(z.y * z.y, a, s), -z.y), z);
}
vec3 toFrame(mat3 frame, vec3 v) { return vec3(along(frame[0], v), along(frame[1], v), along(frame[2], v)); }
vec3 fromFrame(mat3 frame, vec3 v) { return fma(frame[0], v.xxx, fma(frame[1], v.yyy, frame[2] * v.z)); }
