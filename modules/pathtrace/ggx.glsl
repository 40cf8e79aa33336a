// The glossy lobe: GGX (Walter et al. 2007) without Fresnel's effect, height-correlated masking (Heitz 2014),
// and multiple scattering by Kulla and Conty 2017: the directional albedo is that of the material, at every
// angle. Directions are in a frame whose z is the normal. For reflectance 1; values include the cosine.

struct Glossy {
  float alpha;
  uint row;      // first word of its energies
  float lost;    // share of the light that single scattering sends into `out`
  float share;   // for samples that follow the lobe
};

float energyAt(uint row, float cosine) {
  float place = sqrt(clamp(cosine, 0.0, 1.0)) * float(energySize - 1u);
  uint low = min(uint(place), energySize - 2u);
  float a = array_energy.data[row + low];
  return fma(array_energy.data[row + low + 1u] - a, place - float(low), a);
}

Glossy glossyOf(Material m, vec3 outward) {
  uint row = m.row * (energySize + 1u);
  float energy = energyAt(row, outward.z);
  return Glossy(m.alpha, row, 1.0 - energy, clamp(energy, 0.1, 1.0));
}

float slopeOf(float alpha, float cosine) {
  float a2 = alpha * alpha;
  return sqrt(fma((1.0 - a2) * cosine, cosine, a2));
}

// Value and density of a direction.
vec2 answerGlossy(Glossy g, vec3 outward, vec3 inward) {
  if (!(inward.z > 0.0 && outward.z > 0.0)) { return vec2(0.0); }
  vec3 h = unit(outward + inward);
  float a2 = g.alpha * g.alpha;
  // Not 1 - cosine^2, which loses precision for smooth surfaces.
  float sharp = fma(h.x, h.x, fma(h.y, h.y, a2 * h.z * h.z));
  float facets = a2 / (pi * sharp * sharp);
  float slopeOut = slopeOf(g.alpha, outward.z);
  float slopeIn = slopeOf(g.alpha, inward.z);
  float single = 0.5 * facets * inward.z / fma(outward.z, slopeIn, inward.z * slopeOut);
  float density = 0.5 * facets / (outward.z + slopeOut);
  float lostMean = max(1.0 - array_energy.data[g.row + energySize], 1e-6);
  float more = g.lost * (1.0 - energyAt(g.row, inward.z)) / lostMean;
  float lambert = inward.z / pi;
  return vec2(fma(more, lambert, single), mix(lambert, density, g.share));
}

// Heitz 2018, listing 1.
vec3 visibleNormal(float alpha, vec3 outward, vec2 u) {
  vec3 stretched = unit(vec3(alpha * outward.xy, outward.z));
  float across = along(vec3(stretched.xy, 0.0), vec3(stretched.xy, 0.0));
  vec3 t1 = across > 0.0 ? vec3(-stretched.y, stretched.x, 0.0) * inversesqrt(across) : vec3(1.0, 0.0, 0.0);
  vec3 t2 = cross(stretched, t1);
  float r = sqrt(u.x);
  float angle = 2.0 * pi * u.y;
  float p1 = r * cos(angle);
  float s = 0.5 * (1.0 + stretched.z);
  float p2 = fma(1.0 - s, sqrt(max(1.0 - p1 * p1, 0.0)), s * r * sin(angle));
  vec3 h = fma(t1, vec3(p1), fma(t2, vec3(p2), stretched * sqrt(max(0.0, 1.0 - p1 * p1 - p2 * p2))));
  return unit(vec3(alpha * h.xy, max(1e-7, h.z)));
}

vec3 sampleGlossy(Glossy g, vec3 outward, vec2 u) {
  vec3 h = visibleNormal(g.alpha, outward, u);
  return unit(fma(h, vec3(2.0 * along(outward, h)), -outward));
}
