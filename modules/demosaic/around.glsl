// Green less red, and green less blue, in the mean of the surrounding pixels with these colours. State:
// green, value, colour.
struct Centre { vec4 own; };
struct Acc { vec2 sum; vec2 weight; };

Centre centre(Tap t, Pixel p) { return Centre(t.own); }
Acc start(Centre c) { return Acc(vec2(0.0), vec2(0.0)); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  vec2 w = o.weight * vec2(int(t.own.z) == 0, int(t.own.z) == 2);
  a.sum = fma(w, vec2(t.own.x - t.own.y), a.sum);
  a.weight += w;
}

vec2 differences(Acc a) { return a.sum / max(a.weight, vec2(1e-6)); }

// The measured colour keeps its value, and the others follow from the differences.
vec3 colourOf(Acc a, Centre c) {
  vec2 d = differences(a);
  int colour = int(c.own.z);
  float green = c.own.y + (colour == 0 ? d.x : colour == 2 ? d.y : 0.0);
  return vec3(green - d.x, green, green - d.y);
}
