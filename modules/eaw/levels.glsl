// Edge-avoiding à-trous wavelets: Dammertz et al. 2010 (section 3: the transform, its edge-stopping weight on
// colour) and Hanika et al. 2011 (section 3: thresholds and gains per level, synthesis of all levels). We
// differ: the edge-stopping distance and the thresholds are in units of the noise, which is given or
// estimated, so that one set of parameters serves images of any exposure. The including file defines
// noiseOfState(), the noise of a state's components; thresholdsOf(level); Edges, a float or, if colours have
// their own edges, a vec2; edgesOf(level); and logWeight(falloff, difference, start), a weight's logarithm.

struct Centre {
  vec3 colour;
  float alpha;
  Edges falloff;  // of the weight's base-two logarithm, by squared colour distance
};

struct Acc {
  vec3 colour;
  float weight;
};

// Smaller noise counts as none; this keeps the falloff finite.
const float leastNoise = 1e-6;

Centre centre(Tap t, Pixel p) {
  Edges inverse = 1.0 / (edgesOf(p.level) * max(noiseOfState(), leastNoise));
  return Centre(t.colour.rgb, t.colour.a, 0.72134752 * inverse * inverse);  // log2(e) / 2
}

Acc start(Centre c) { return Acc(vec3(0.0), 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  vec3 d = t.colour.rgb - c.colour;
  float w = exp2(logWeight(c.falloff, d, o.log2Weight));
  a.colour = fma(vec3(w), t.colour.rgb, a.colour);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(a.colour * (1.0 / a.weight), c.alpha); }

// The detail that level l removed, shrunk towards zero by its threshold and scaled by its gain. Alpha is the
// last level's.
State detail(State fine, State coarse, Pixel p) {
  vec3 d = fine.rgb - coarse.rgb;
  vec3 threshold = thresholdsOf(p.level);
  vec3 kept = d - clamp(d, -threshold, threshold);
  return vec4(kept * param.gains[p.level], 0.0);
}
