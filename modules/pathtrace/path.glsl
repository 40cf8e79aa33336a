// One path from the camera (Kajiya 1986), with next-event estimation, combined with scattered rays that meet
// lights by the power heuristic (Veach 1997, 9.2.4). Emission after k scatterings is direct for k <= 1,
// otherwise indirect.

struct Seen {
  vec3 direct;
  vec3 indirect;
  vec3 albedo;
  vec3 normal;  // of the first surface
  vec2 rays;  // for the nearest surface, and towards lights
};

void add(inout Seen seen, int scatterings, vec3 light) {
  if (scatterings <= 1) {
    seen.direct += light;
  } else {
    seen.indirect += light;
  }
}

float heuristic(float chosen, float other) { return chosen * chosen / fma(chosen, chosen, other * other); }

// The contribution of one sample of the lights to an opaque surface, without its albedo.
vec3 fromLights(Place place, Opaque o, vec3 from, Points points, uint pair, inout vec2 rays) {
  LightSample s = sampleLight(from, pointOf(points, pair).x, pointOf(points, pair + 1u));
  if (!(s.density > 0.0)) { return vec3(0.0); }
  vec2 a = answer(o, place, s.towards);
  if (!(a.x > 0.0)) { return vec3(0.0); }
  rays.y += 1.0;
  if (isBlocked(Ray(from, s.target - from, 1.0))) { return vec3(0.0); }
  return s.radiance * (a.x / s.density * heuristic(s.density, a.y));
}

// Whether a surface shows others so sharply that their albedo is more useful than its own.
bool showsOthers(Material m) {
  const float sharpest = 0.075;  // alpha of the roughness 0.27
  return m.surface == surfaceMirror || m.surface == surfaceGlass ||
         (m.surface == surfaceGlossy && m.alpha < sharpest);
}

// Pairs of dimensions that each scattering takes, after those of the camera.
const uint cameraPairs = 2u;
const uint pairsEach = 4u;

Seen followPath(Ray ray, Points points, int bounces, int roulette) {
  Seen seen = Seen(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec2(0.0));
  vec3 throughput = vec3(1.0);
  bool hasAlbedo = false;
  // density of the direction in which the ray was scattered; 0: no light is sampled that way
  float density = 0.0;
  for (int k = 0; k <= bounces; ++k) {
    Hit hit;
    seen.rays.x += 1.0;
    if (!closestHit(ray, hit)) {
      add(seen, k, throughput * background());
      if (!hasAlbedo) { seen.albedo = min(throughput * background(), vec3(1.0)); }
      break;
    }
    Place place = placeOf(ray, hit);
    Material m = materialAt(place);
    if (k == 0) { seen.normal = place.shading; }
    if (!hasAlbedo && (k == bounces || !param.reflected || !showsOthers(m))) {
      seen.albedo = min(throughput * m.colour, vec3(1.0));
      hasAlbedo = true;
    }
    if (m.surface == surfaceEmissive) {
      if (!place.isFront) { break; }
      float weight = density > 0.0 ? heuristic(density, densityOfFound(ray, hit, place, m.colour)) : 1.0;
      add(seen, k, throughput * m.colour * weight);
      break;
    }
    if (k == bounces) { break; }
    uint pair = cameraPairs + pairsEach * uint(k);
    vec3 outward = -ray.direction;
    float choice = pointOf(points, pair).y;
    throughput *= m.colour;
    if (hasSpecular && (m.surface == surfaceMirror || m.surface == surfaceGlass)) {
      Specular s = scatterSpecular(place, m, outward, choice);
      if (!s.carries) { break; }
      ray = Ray(leave(place.point, s.crosses ? -place.geometric : place.geometric, place.reach), s.towards,
                missed);
      density = 0.0;
    } else {
      Opaque o = opaqueAt(place, m, outward);
      vec3 from = leave(place.point, place.geometric, place.reach);
      if (hasLights && lightPower() > 0.0) {
        add(seen, k + 1, throughput * fromLights(place, o, from, points, pair, seen.rays));
      }
      vec3 towards = sampleOpaque(o, pointOf(points, pair + 2u), choice);
      vec2 a = answer(o, place, towards);
      if (!(a.x > 0.0 && a.y > 0.0)) { break; }
      throughput *= a.x / a.y;
      density = a.y;
      ray = Ray(from, towards, missed);
    }
    if (k >= roulette) {
      float survival = min(largest(throughput), 0.95);
      if (!(pointOf(points, pair + 3u).x < survival)) { break; }
      throughput /= survival;
    }
  }
  return seen;
}
