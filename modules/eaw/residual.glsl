// The finest wavelet's coefficient without edges: what a B3 spline of the pixel's surroundings leaves of its luminance.
struct Centre { float luminance; };
struct Acc { float sum; float weight; };

float luminance(vec3 c) { return fma(c.r, 0.2126, fma(c.g, 0.7152, c.b * 0.0722)); }

Centre centre(Tap t, Pixel p) { return Centre(luminance(t.colour.rgb)); }
Acc start(Centre c) { return Acc(0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  a.sum = fma(o.weight, luminance(t.colour.rgb), a.sum);
  a.weight += o.weight;
}

State finish(Acc a, Centre c, Pixel p) { return vec4(abs(c.luminance - a.sum * (1.0 / a.weight)), 0.0, 0.0, 0.0); }

void output(State s, inout Outputs o, Pixel p) { o.output = s.x; }
