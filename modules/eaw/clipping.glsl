// Noise that was cut off at black or at white leaves a mean that is too bright or too dark. For normal noise
// of standard deviation 1 around u, cut off below 0, the mean isn't u but m = u cdf(u) + pdf(u) (Foi 2009,
// Clipped noisy images: heteroskedastic modeling and practical denoising, section 2). We differ: m - u, which
// the paper tabulates, is exp(-2.3 m), within 0.005 of the exact one; m of less than 0.4, which no light has,
// counts as black; and white is the mirror image of black, so both are added up. From a distance of 4
// standard deviations between black and white on the sum is as exact; it is off by up to 0.008 at 2 and 0.04
// at 1, where hardly anything of the picture is left. All values are in standard deviations of the noise.

// What noise cut off at a bound adds to a mean that lies so far within it.
vec3 addedAtBound(vec3 m) {
  vec3 inside = max(m, vec3(0.0));
  return min(exp(-2.3 * inside), inside);
}

// A mean less the light that it was before: black is at 0, where a share `below` of noise was cut off (0 or
// 1); `white` is where noise was cut off above. Nothing was, if it is 0 or less.
vec3 addedByClipping(vec3 m, float below, float white) {
  vec3 added = below * addedAtBound(m);
  return white > 0.0 ? added - addedAtBound(white - m) : added;
}

// The light from the mean of clipped noise. From 0 to `white` if that is above 0. Grows with m.
vec3 unclipped(vec3 m, float below, float white) {
  vec3 u = m - addedByClipping(m, below, white);
  return white > 0.0 ? clamp(u, 0.0, white) : u;
}
