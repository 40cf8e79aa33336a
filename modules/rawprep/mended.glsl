// Hot pixels, and highlights. A full colour is at least as bright as the sensor can measure, and gets the
// value of the neighbouring colours that aren't full: if only green is full, white stays white. If all are
// full, all become the largest value of the three, which is neutral.

// Share of a colour's largest value from which it counts as full: sensors aren't full at the same value
// everywhere.
const float nearlyFull = 0.985;
const float hotFactor = 4.0;      // factor: stars, too, spread to their neighbours
const float hotLeast = 0.02;
const float weightOfWhite = 0.05;  // the gain of each colour; and 1 if the colour is not full

vec3 gains() { return vec3(param.red, param.green, param.blue); }

struct Centre { float value; ivec2 position; int colour; vec3 full; };
// Taps within one pixel, of each colour; and within two, of the pixel's own colour.
struct Acc { vec3 sum; vec3 full; vec3 count; float brightest; float same; float sameCount; };

Centre centre(Tap t, Pixel p) {
  return Centre(t.value, p.position, colourAt_state(p.position), nearlyFull * gains());
}
Acc start(Centre c) { return Acc(vec3(0.0), vec3(0.0), vec3(0.0), 0.0, 0.0, 0.0); }

// Without branches and indices by colour: processors compute both sides, and keep what is indexed in memory.
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  if (o.steps == ivec2(0) || o.weight == 0.0) return;
  int colour = colourAt_state(c.position + o.pixels);
  a.brightest = max(a.brightest, t.value);
  bool isSame = colour == c.colour;
  a.same += isSame ? t.value : 0.0;
  a.sameCount += float(isSame);
  if (max(abs(o.steps.x), abs(o.steps.y)) == 1) {
    bvec3 isOf = equal(ivec3(colour), ivec3(0, 1, 2));
    a.sum += mix(vec3(0.0), vec3(t.value), isOf);
    a.full += vec3(isOf) * vec3(greaterThanEqual(vec3(t.value), c.full));
    a.count += vec3(isOf);
  }
}

// Full colours are at least that bright: they count if they are above those that are not full.
float rebuilt(Acc a, Centre c) {
  vec3 g = gains();
  vec3 isOther = vec3(c.colour != 0, c.colour != 1, c.colour != 2) * vec3(greaterThan(a.count, vec3(0.0)));
  vec3 count = max(a.count, vec3(1.0));
  vec3 mean = a.sum / count;
  vec3 full = a.full / count;
  vec3 open = isOther * (1.0 - full);
  float sum = dot(open, mean) + weightOfWhite * max(g.r, max(g.g, g.b));
  float weight = dot(open, vec3(1.0)) + weightOfWhite;
  vec3 above = isOther * full * vec3(greaterThan(mean, vec3(sum / weight)));
  return max(c.value, (sum + dot(above, mean)) / (weight + dot(above, vec3(1.0))));
}

State finish(Acc a, Centre c, Pixel p) {
  bool isHot = param.hot_pixels && a.sameCount > 0.0 && c.value > hotFactor * a.brightest + hotLeast;
  if (isHot) return a.same / a.sameCount;
  bool isFull = param.highlights == 0 && c.value >= c.full[c.colour];
  return isFull ? rebuilt(a, c) : c.value;
}
