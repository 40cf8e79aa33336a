// One axis: the place of an output pixel among the input's, and their weights. Pixels are squares, their
// values stand at the centres: input position = (output + 1/2) * input size / output size - 1/2.

struct Axis {
  int base;        // the input pixel at or before that position...
  float fraction;  // ...and its distance behind it, in [0, 1)
  float ratio;     // input pixels an output pixel
  int nearest;     // the input pixel that the output's centre lies in
};

// (2 x + 1) from / (2 to), as quotient and remainder: exact for sides up to 2^19; a product in float, or in
// 32 bits, would be off by pixels at the far end.
void position(uint x, uint from, uint to, out uint whole, out uint remainder) {
  uint a = 2u * x + 1u;
  uint b = from % to;
  uint d = 2u * to;
  uint high = (a >> 10u) * b;
  uint low = ((high % d) << 10u) + (a & 1023u) * b;
  remainder = (a * (from / to) & 1u) * to + low % d;
  whole = (a * (from / to) >> 1u) + ((high / d) << 10u) + low / d + remainder / d;
  remainder %= d;
}

Axis axisAt(int x, int from, int to) {
  uint whole;
  uint remainder;
  position(uint(x), uint(from), uint(to), whole, remainder);
  float ratio = float(from) / float(to);
  bool before = remainder < uint(to);  // less than half a pixel inside, so nearer to the previous pixel
  float fraction = (before ? float(remainder + uint(to)) : float(remainder - uint(to))) / float(2 * to);
  return Axis(int(whole) - (before ? 1 : 0), fraction, ratio, int(whole));
}

// Robert Keys, 1981, equation 15: a = -1/2.
float keys(float d) {
  float x = abs(d);
  if (x < 1.0) return (1.5 * x - 2.5) * x * x + 1.0;
  return x < 2.0 ? ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0 : 0.0;
}

// Width of the filter, relative to that for enlarging.
float stretch(float ratio) { return param.antialias ? max(ratio, 1.0) : 1.0; }

float radius(float ratio) {
  return param.filter == 0 ? 2.0 * stretch(ratio) : param.filter == 1 ? stretch(ratio) : 0.5 * (ratio + 1.0);
}

// The weight of an input pixel d away, up to a common factor.
float weight(float d, float ratio) {
  if (param.filter == 0) return keys(d / stretch(ratio));
  if (param.filter == 1) return max(1.0 - abs(d) / stretch(ratio), 0.0);
  return clamp(0.5 * (ratio + 1.0) - abs(d), 0.0, min(ratio, 1.0));  // the overlap of both pixels
}

vec4 texel(ivec2 at);  // each pass's own

// The mean of texels around an output pixel along one axis, by weight. Beyond the edge the last texel
// repeats. `direction`: (1, 0) or (0, 1); `size`: the input's along it. Pixels without weight are not read.
// Long sums are made of short ones, so that rounding does not grow with them.
vec4 filtered(ivec2 at, ivec2 direction, Axis axis, int size) {
  ivec2 across = at * (1 - direction);
  if (param.filter == 3) {
    return texel(across + direction * axis.nearest);
  }
  float reach = radius(axis.ratio);
  int last = int(floor(axis.fraction + reach));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int k = int(ceil(axis.fraction - reach)); k <= last;) {
    vec4 part = vec4(0.0);
    float partWeights = 0.0;
    for (int end = min(k + 32, last + 1); k < end; ++k) {
      float w = weight(float(k) - axis.fraction, axis.ratio);
      if (w != 0.0) {
        part = fma(vec4(w), texel(across + direction * clamp(axis.base + k, 0, size - 1)), part);
        partWeights += w;
      }
    }
    sum += part;
    weights += partWeights;
  }
  return sum / weights;
}
