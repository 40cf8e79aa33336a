// A place on a surface where a ray meets it, and its material there.

struct Place {
  vec3 point;
  vec3 local;       // the same in the object's space
  vec3 geometric;   // of unit length, on the side that the ray comes from
  vec3 shading;     // likewise, interpolated; never faces away from the ray
  float reach;      // largest of the numbers that `point` comes from: its rounding is in proportion
  bool isFront;
  vec2 uv;
  uint material;
  uint object;
  uint id;
};

// Rays leave surfaces by a few times the rounding error of points (Waechter, Binder 2019, A Fast and Robust
// Method for Avoiding Self-Intersection). We use the rounding of the corners from which a point is
// interpolated, not of the point, so that it holds at every scale, and where coordinates cancel.
const float leaving = 2e-6;  // 32 times half a unit in the last place
vec3 leave(vec3 point, vec3 normal, float reach) { return fma(normal, vec3(leaving * reach), point); }

float reachOf(Map map, vec3 most) {
  vec3 reach = vec3(along(abs(map.x.xyz), most), along(abs(map.y.xyz), most), along(abs(map.z.xyz), most));
  return largest(reach + abs(vec3(map.x.w, map.y.w, map.z.w)));
}

// To the world; `normal` is the geometric one, of any length, and `place.shading` is interpolated, in the
// object's space.
void toWorld(inout Place place, vec3 normal, vec3 most, vec3 direction) {
  if (hasObjects) {
    Map map = toWorld(place.object);
    Map inverse = toObject(place.object);
    place.point = mapPoint(map, place.local);
    place.reach = reachOf(map, most);
    place.geometric = unit(mapNormal(inverse, normal));
    place.shading = unit(mapNormal(inverse, place.shading));
  } else {
    place.point = place.local;
    place.reach = largest(most);
    place.geometric = unit(normal);
    place.shading = unit(place.shading);
  }
  place.isFront = along(place.geometric, direction) < 0.0;
  place.geometric = place.isFront ? place.geometric : -place.geometric;
  place.shading = along(place.shading, place.geometric) < 0.0 ? -place.shading : place.shading;
  place.shading = along(place.shading, direction) < 0.0 ? place.shading : place.geometric;
}

// atan(v.y, v.x) within 3e-7, by the polynomial of Moshier's Cephes library (atanf.c). The built-in functions
// aren't enough for texture coordinates: Vulkan allows them 4096 units in the last place. Mesa's CPU device
// has asin within 3.9e-4, which is a fifth of a texel if 256 texels repeat 6 times.
float angleOf(vec2 v) {
  vec2 a = abs(v);
  float low = min(a.x, a.y);
  float high = max(a.x, a.y);
  bool isWide = low > 0.41421356 * high;  // tan(pi / 8)
  float t = isWide ? (low - high) / (low + high) : low / max(high, 1e-37);
  float z = t * t;
  float series =
      fma(fma(fma(8.05374449538e-2, z, -1.38776856032e-1), z, 1.99777106478e-1), z, -3.33329491539e-1);
  float angle = fma(series * z, t, t) + (isWide ? 0.25 * pi : 0.0);
  angle = a.y > a.x ? 0.5 * pi - angle : angle;
  angle = v.x < 0.0 ? pi - angle : angle;
  return v.y < 0.0 ? -angle : angle;
}

// Longitude and latitude. By both coordinates the latitude is as precise at the poles as elsewhere; by the
// sine alone it isn't.
vec2 sphereUv(vec3 p) {
  return fma(vec2(angleOf(p.zx), angleOf(vec2(length(p.xz), p.y))), vec2(0.5, 1.0) / pi, vec2(0.0, 0.5));
}

Place onSphere(Ray ray, Hit hit, uvec4 kind) {
  Map map = toObject(hit.object);
  Place place;
  place.object = hit.object;
  place.local = unit(fma(mapVector(map, ray.direction), vec3(hit.t), mapPoint(map, ray.origin)));
  place.shading = place.local;
  place.uv = sphereUv(place.local);
  place.material = kind.z;
  place.id = kind.w;
  toWorld(place, place.local, vec3(1.0), ray.direction);
  return place;
}

Place onTriangle(Ray ray, Hit hit, uvec4 kind) {
  uvec4 corner = vectors_triangles.data[3u * hit.primitive];
  vec3 v0 = uintBitsToFloat(corner.xyz);
  vec3 v1 = uintBitsToFloat(vectors_triangles.data[3u * hit.primitive + 1u].xyz);
  vec3 v2 = uintBitsToFloat(vectors_triangles.data[3u * hit.primitive + 2u].xyz);
  uvec4 last = vectors_shading.data[4u * hit.primitive + 3u];
  vec4 n0 = uintBitsToFloat(vectors_shading.data[4u * hit.primitive]);
  vec4 n1 = uintBitsToFloat(vectors_shading.data[4u * hit.primitive + 1u]);
  vec4 n2 = uintBitsToFloat(vectors_shading.data[4u * hit.primitive + 2u]);
  vec3 w = vec3(1.0 - hit.weights.x - hit.weights.y, hit.weights);
  Place place;
  place.object = hit.object;
  place.local = fma(v0, w.xxx, fma(v1, w.yyy, v2 * w.z));
  place.shading = fma(n0.xyz, w.xxx, fma(n1.xyz, w.yyy, n2.xyz * w.z));
  vec3 tail = uintBitsToFloat(last.xyz);
  place.uv = fma(vec2(n0.w, n1.w), w.xx, fma(vec2(n2.w, tail.x), w.yy, tail.yz * w.z));
  place.material = last.w == noMaterial ? kind.z : last.w;
  place.id = corner.w == 0u ? kind.w : corner.w;
  toWorld(place, cross(v1 - v0, v2 - v0), max(abs(v0), max(abs(v1), abs(v2))), ray.direction);
  return place;
}

Place placeOf(Ray ray, Hit hit) {
  uvec4 kind = hasObjects ? objectElement(hit.object, 9u) : uvec4(0u);
  if (hasSpheres && kind.x == 1u) { return onSphere(ray, hit, kind); }
  return onTriangle(ray, hit, kind);
}

struct Material {
  uint surface;
  float alpha;
  float ior;
  uint row;     // of `energy`
  vec3 colour;  // albedo, or radiance
};

vec3 texel(uint at) {
  uvec2 halves = vectors_texels.data[at];
  return vec3(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y).x);
}

// Bilinear and repeating; v up, rows from the top.
vec3 imageColour(uvec3 image, vec2 uv) {
  ivec2 size = ivec2(image.yz);
  vec2 at = fma(vec2(fract(uv.x), 1.0 - fract(uv.y)), vec2(size), vec2(-0.5));
  ivec2 low = ivec2(floor(at));
  vec2 t = at - vec2(low);
  uvec2 a = uvec2((low + size) % size);
  uvec2 b = uvec2((low + size + 1) % size);
  uvec2 row = image.x + uvec2(a.y, b.y) * image.y;
  vec3 upper = mix(texel(row.x + a.x), texel(row.x + b.x), t.x);
  vec3 lower = mix(texel(row.y + a.x), texel(row.y + b.x), t.x);
  return mix(upper, lower, t.y);
}

Material materialAt(Place place) {
  uvec4 head = vectors_materials.data[4u * place.material];
  vec4 first = uintBitsToFloat(vectors_materials.data[4u * place.material + 1u]);
  Material m = Material(head.x, uintBitsToFloat(head.y), uintBitsToFloat(head.z), 0u, first.rgb);
  if (hasGlossy || hasImages) {
    uvec4 last = vectors_materials.data[4u * place.material + 3u];
    m.row = last.w;
    if (hasImages && head.w == 2u) {
      float scale = uintBitsToFloat(vectors_materials.data[4u * place.material + 2u].w);
      m.colour = imageColour(last.xyz, place.uv * vec2(first.w, scale));
    }
  }
  if (hasCheckers && head.w == 1u) {
    vec4 second = uintBitsToFloat(vectors_materials.data[4u * place.material + 2u]);
    vec2 square = floor(place.uv * vec2(first.w, second.w));
    m.colour = fract(0.5 * (square.x + square.y)) == 0.0 ? first.rgb : second.rgb;
  }
  return m;
}
