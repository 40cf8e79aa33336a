// Temporal accumulation of colour and of the moments of luminance (Schied et al. 2017, sections 4.1 and 4.2).
// Moments are kept as mean and standard deviation: second moments would cancel in half floats.
#include "svgf/demodulate.glsl"
#include "svgf/history.glsl"

const float largest = format_state == format_f16 ? largestHalf : largestFloat;

struct Sample1 {
  vec3 colour;  // demodulated
  float luminance;
  bool there;  // false if a component was not finite
};

Sample1 sampleAt(ivec2 p) {
  vec3 radiance = load_input(p).rgb;
  bool finite = !any(isnan(radiance)) && !any(isinf(radiance));
  vec3 colour = finite ? radiance / divisorOf(load_albedo(p).rgb, radiance, largest) : vec3(0.0);
  return Sample1(colour, luminanceOf(colour, colour_input), finite);
}

// Luminances of the workgroup's pixels and of those around it: each is computed once, not by nine neighbours.
const int columns = int(gl_WorkGroupSize.x), rows = int(gl_WorkGroupSize.y);
const int tileColumns = columns + 2, tileRows = rows + 2;
const float missing = -1e30;  // below all others
shared float luminances[tileColumns * tileRows];

int ownCell() { return (int(gl_LocalInvocationID.y) + 1) * tileColumns + int(gl_LocalInvocationID.x) + 1; }

// The k-th cell around those of the workgroup's pixels.
ivec2 rimCell(int k) {
  if (k < 2 * tileColumns) { return ivec2(k % tileColumns, k < tileColumns ? 0 : tileRows - 1); }
  k -= 2 * tileColumns;
  return ivec2(k < rows ? 0 : tileColumns - 1, (k < rows ? k : k - rows) + 1);
}

void fillTile(Pixel p, Sample1 own) {
  bool inside = all(lessThan(p.position, p.extent));
  luminances[ownCell()] = inside && own.there ? own.luminance : missing;
  ivec2 corner = p.position - ivec2(gl_LocalInvocationID.xy) - 1;
  for (int k = int(gl_LocalInvocationIndex); k < 2 * (tileColumns + rows); k += columns * rows) {
    ivec2 cell = rimCell(k);
    ivec2 q = corner + cell;
    ivec2 within = clamp(q, ivec2(0), p.extent - 1);
    Sample1 s = sampleAt(within);
    luminances[cell.y * tileColumns + cell.x] = q == within && s.there ? s.luminance : missing;
  }
}

// At most `firefly` times as bright as the brightest of the 8 neighbours.
void clampFirefly(inout Sample1 s) {
  int own = ownCell();
  float most = missing;
  for (int k = 0; k < 9; ++k) {
    if (k != 4) { most = max(most, luminances[own + (k / 3 - 1) * tileColumns + k % 3 - 1]); }
  }
  float limit = HISTORY.firefly * max(most, 0.0);
  if (most > missing && s.luminance > limit) {
    s.colour *= limit / s.luminance;
    s.luminance = luminanceOf(s.colour, colour_input);
  }
}

struct Seen {
  vec3 colour;
  float mean;
  float variance;
  float frames;
};

Seen gatherHistory(Reprojection r, ivec2 extent) {
  Seen h = Seen(vec3(0.0), 0.0, 0.0, 0.0);
  vec4 means = vec4(0.0);
  vec4 squares = vec4(0.0);
  for (int k = 0; k < 4; ++k) {
    bool counts = r.weights[k] > 0.0;
    ivec2 at = tapPosition(r.base, k, extent);
    vec4 moments = load_last_moments(at);
    vec3 colour = load_history(at).rgb;
    h.colour = counts ? fma(vec3(r.weights[k]), colour, h.colour) : h.colour;
    h.frames = counts ? fma(r.weights[k], moments.z, h.frames) : h.frames;
    means[k] = counts ? moments.x : 0.0;
    squares[k] = counts ? moments.y * moments.y : 0.0;
  }
  h.mean = dot(r.weights, means);
  vec4 off = means - h.mean;
  h.variance = dot(r.weights, fma(off, off, squares));
  h.frames = wholeLength(h.frames);
  return h;
}

Seen accumulated(Seen h, bool found, Sample1 s) {
  float frames = min(h.frames + (s.there ? 1.0 : 0.0), float(HISTORY.history));
  float a = s.there ? 1.0 / max(frames, 1.0) : 0.0;
  float off = s.luminance - h.mean;
  Seen both = Seen(fma(vec3(a), s.colour - h.colour, h.colour), fma(a, off, h.mean),
                   (1.0 - a) * fma(a * off, off, h.variance), frames);
  return found ? both : Seen(s.colour, s.luminance, 0.0, s.there ? 1.0 : 0.0);
}

// A pixel's history.
struct Past {
  uvec2 geometry;
  float id;
  Reprojection taps;  // in the last frame
  Seen seen;          // with this frame
};

// All invocations of a workgroup must call it; outside the extent the result is undefined. Everything that
// needs no neighbours comes before the barrier, so that its loads are under way together.
Past pastOf(Pixel p, bool cut) {
  bool inside = all(lessThan(p.position, p.extent));
  Sample1 s = sampleAt(min(p.position, p.extent - 1));
  if (HISTORY.firefly > 0.0) { fillTile(p, s); }
  Past past;
  past.taps = noHistory;
  Seen before = Seen(vec3(0.0), 0.0, 0.0, 0.0);
  if (inside) {
    past.geometry = packedSurface(p.position, p.extent);
    past.id = idAt(p.position);
    if (!cut) { past.taps = historyOf(p.position, unpackSurface(past.geometry), past.id, p.extent); }
    before = gatherHistory(past.taps, p.extent);
  }
  if (HISTORY.firefly > 0.0) {
    barrier();
    if (inside && s.there) { clampFirefly(s); }
  }
  past.seen = accumulated(before, past.taps.found, s);
  return past;
}

float deviationOf(Seen seen) { return min(sqrt(seen.variance), largest); }
