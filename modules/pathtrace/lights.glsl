// One light, and one point on it (Veach 1997, 8.2): lights have a probability in proportion to luminance
// times area; points are uniform over triangles, and over the cone under which a sphere is seen.

struct LightSample {
  vec3 target;    // a little before the light
  vec3 towards;   // of unit length, from where it is seen
  vec3 radiance;
  float density;  // by solid angle; 0: no light comes from there
};

uint lightCount() { return vectors_camera.data[9].x; }
vec4 lightElement(uint light, uint i) { return uintBitsToFloat(vectors_lights.data[4u * light + i]); }

uint pickLight(float u) {
  uint low = 0u;
  uint high = lightCount() - 1u;
  while (low < high) {
    uint middle = (low + high) / 2u;
    if (u < lightElement(middle, 0u).w) {
      high = middle;
    } else {
      low = middle + 1u;
    }
  }
  return low;
}

// Solid angle over 2 pi of the cone under which a sphere is seen, from the squares of its radius and
// distance.
float coneOf(float radius2, float distance2) {
  float sine2 = radius2 / distance2;
  return sine2 / (1.0 + sqrt(max(0.0, 1.0 - sine2)));
}

LightSample onTriangleLight(uint light, vec3 from, vec2 u) {
  vec3 v0 = lightElement(light, 0u).xyz;
  vec3 edge1 = lightElement(light, 1u).xyz;
  vec4 edge2 = lightElement(light, 2u);
  vec4 radiance = lightElement(light, 3u);
  // Heitz 2019, A Low-Distortion Map Between Triangle and Square.
  vec2 b = u.y > u.x ? vec2(0.5 * u.x, u.y - 0.5 * u.x) : vec2(u.x - 0.5 * u.y, 0.5 * u.y);
  vec3 normal = unit(cross(edge1, edge2.xyz));
  vec3 point = fma(edge1, b.xxx, fma(edge2.xyz, b.yyy, v0));
  vec3 target = leave(point, normal, largest(abs(v0) + abs(edge1) + abs(edge2.xyz)));
  vec3 way = point - from;
  float distance2 = along(way, way);
  vec3 towards = unit(way);
  float cosine = -along(normal, towards);
  return LightSample(target, towards, radiance.rgb,
                     cosine > 0.0 ? edge2.w * distance2 / (radiance.w * cosine) : 0.0);
}

LightSample onSphereLight(uint light, vec3 from, vec2 u) {
  vec3 centre = lightElement(light, 0u).xyz;
  float radius = lightElement(light, 1u).x;
  vec3 way = centre - from;
  float distance2 = along(way, way);
  float radius2 = radius * radius;
  float cone = coneOf(radius2, distance2);
  float x = u.x * cone;  // 1 - cosine
  float sine2 = x * (2.0 - x);
  float angle = 2.0 * pi * u.y;
  vec3 towards = fromFrame(frameOf(unit(way)), vec3(sqrt(sine2) * vec2(cos(angle), sin(angle)), 1.0 - x));
  float t = fma(sqrt(distance2), 1.0 - x, -sqrt(max(0.0, fma(-distance2, sine2, radius2))));
  vec3 normal = unit(fma(towards, vec3(t), -way));
  vec3 target = leave(fma(normal, vec3(radius), centre), normal, largest(abs(centre)) + radius);
  float p = lightElement(light, 2u).w;
  return LightSample(target, towards, lightElement(light, 3u).rgb,
                     distance2 > radius2 ? p / (2.0 * pi * cone) : 0.0);
}

LightSample sampleLight(vec3 from, float choice, vec2 u) {
  uint light = pickLight(choice);
  if (hasSphereLights && vectors_lights.data[4u * light + 1u].w == 1u) {
    return onSphereLight(light, from, u);
  }
  return onTriangleLight(light, from, u);
}

// The density with which sampleLight() finds the point that a ray of unit direction has met on a light's
// front.
float densityOfFound(Ray ray, Hit hit, Place place, vec3 radiance) {
  float p = luminance(radiance) / lightPower();  // an area
  if (hasSphereLights && objectElement(hit.object, 9u).x == 1u) {
    vec4 size = objectRow(hit.object, 10u);
    vec3 way = mapPoint(toWorld(hit.object), vec3(0.0)) - ray.origin;
    return p * size.x / (2.0 * pi * coneOf(size.y * size.y, along(way, way)));
  }
  return p * hit.t * hit.t / max(-along(place.geometric, ray.direction), 1e-20);
}
