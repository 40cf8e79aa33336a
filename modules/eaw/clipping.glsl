// Noise that was cut off at black or at white leaves a mean that is too bright or too dark. For normal noise
// of standard deviation 1 around u, cut off below 0, the mean isn't u but m = u cdf(u) + pdf(u) (Foi 2009,
// Clipped noisy images: heteroskedastic modeling and practical denoising, section 2). We differ: m - u is
// taken for exp(-2.3 m), which is within 0.005 of it. A mean of less than 0.4, which no light has, is black.
// White is the mirror image of black, and both are added up: the error is still 0.005 if they are 4 standard
// deviations apart, 0.01 at 2 and 0.04 at 1. There the mean grows by 0.4 where light grows by 1, so what is
// left of noise counts 2.6 times. All values are in standard deviations of the noise.

// What noise cut off at a bound adds to a mean that lies so far within it.
vec3 addedAtBound(vec3 m) { return exp(-2.3 * max(m, vec3(0.0))); }

// A mean less the light that it was before. `white` is above 0 in bounded pictures, whose noise was cut off
// below 0 and above white. In others noise was cut off below 0 if `below` is 1, and not if it is 0.
vec3 addedByClipping(vec3 m, float below, float white) {
  return white > 0.0 ? addedAtBound(m) - addedAtBound(white - m)
                     : below * min(addedAtBound(m), max(m, vec3(0.0)));
}

// The light from the mean of clipped noise, which grows with it; from 0 to `white` in bounded pictures.
vec3 unclipped(vec3 m, float below, float white) {
  vec3 u = m - addedByClipping(m, below, white);
  return white > 0.0 ? clamp(u, 0.0, white) : u;
}

// The same from the light: pdf(u) - u (1 - cdf(u)), within 0.001 for lights of 0 and more.
vec3 addedAtBoundToLight(vec3 u) {
  u = max(u, vec3(0.0));
  return 0.3989 * exp(-u * (1.2075 + 0.3585 * u));
}

vec3 addedToLight(vec3 u, float below, float white) {
  return white > 0.0 ? addedAtBoundToLight(u) - addedAtBoundToLight(white - u) : below * addedAtBoundToLight(u);
}
