#include "shared/camera_numbers.glsl"

// Rows of the matrix from balanced colour to Rec. 2020. Without a camera's, that of Rec. 709.
vec3 fromCamera(int row) {
  vec3 otherwise = row == 0 ? vec3(0.627403896, 0.329283038, 0.043313066)
                 : row == 1 ? vec3(0.069097289, 0.919540395, 0.011362316)
                            : vec3(0.016391439, 0.088013308, 0.895595253);
  int i = 8 + 3 * row;
  return vec3(camera(i, otherwise.x), camera(i + 1, otherwise.y), camera(i + 2, otherwise.z));
}

// The Planckian locus in CIE 1960 u, v, within 0.0001 up to 15000 K. Krystek 1985, An algorithm to calculate
// correlated colour temperature.
vec2 locus(float kelvin) {
  float square = kelvin * kelvin;
  return vec2((0.860117757 + 1.54118254e-4 * kelvin + 1.28641212e-7 * square) /
                  (1.0 + 8.42420235e-4 * kelvin + 7.08145163e-7 * square),
              (0.317398726 + 4.22806245e-5 * kelvin + 4.20481691e-8 * square) /
                  (1.0 - 2.89741816e-5 * kelvin + 1.61456053e-7 * square));
}

// Across the locus, towards green.
vec2 towardsGreen(float kelvin) {
  vec2 along = locus(0.99 * kelvin) - locus(1.01 * kelvin);
  return normalize(vec2(-along.y, along.x));
}

vec2 uvOfRec2020(vec3 light) {
  vec3 xyz = vec3(dot(vec3(0.6369580, 0.1446169, 0.1688810), light), dot(vec3(0.2627002, 0.6779981, 0.0593017), light),
                  dot(vec3(0.0, 0.0280727, 1.0609851), light));
  return vec2(4.0 * xyz.x, 6.0 * xyz.y) / (xyz.x + 15.0 * xyz.y + 3.0 * xyz.z);
}

vec3 rec2020OfUv(vec2 uv) {
  vec3 xyz = vec3(1.5 * uv.x, uv.y, 2.0 - 0.5 * uv.x - 5.0 * uv.y) / uv.y;
  return vec3(dot(vec3(1.7166512, -0.3556708, -0.2533663), xyz), dot(vec3(-0.6666844, 1.6164812, 0.0157685), xyz),
              dot(vec3(0.0176399, -0.0427706, 0.9421031), xyz));
}

// McCamy 1992, Correlated color temperature as an explicit function of chromaticity coordinates.
float kelvinOfUv(vec2 uv) {
  vec2 xy = vec2(3.0 * uv.x, 2.0 * uv.y) / (2.0 * uv.x - 8.0 * uv.y + 4.0);
  float n = (xy.x - 0.3320) / (0.1858 - xy.y);
  return clamp(((449.0 * n + 3525.0) * n + 6823.3) * n + 5520.33, 1000.0, 15000.0);
}

// The factors that make this light white. `daylight`: those for D65, which the matrix maps to white.
vec3 balanceOf(vec2 uv, vec3 daylight) {
  vec3 light = rec2020OfUv(uv);
  vec3 r = fromCamera(0);
  vec3 g = fromCamera(1);
  vec3 b = fromCamera(2);
  vec3 seen = (cross(g, b) * light.r + cross(b, r) * light.g + cross(r, g) * light.b) / dot(r, cross(g, b)) / daylight;
  seen = max(seen, 0.001 * max(seen.r, max(seen.g, seen.b)));
  return seen.g / seen;
}

vec3 balance() {
  vec3 own = vec3(camera(5, param.red), camera(6, param.green), camera(7, param.blue));
  if (param.temperature == 0.0 && param.tint == 0.0) return own;
  vec3 daylight = vec3(camera(24, own.r), camera(25, own.g), camera(26, own.b));
  if (daylight.g == 0.0) daylight = own;
  vec3 seen = daylight / own;  // the light that is white in the file, as Rec. 2020
  vec2 uv = uvOfRec2020(vec3(dot(fromCamera(0), seen), dot(fromCamera(1), seen), dot(fromCamera(2), seen)));
  float kelvin = kelvinOfUv(uv);
  if (param.temperature != 0.0) {
    kelvin = max(param.temperature, 1000.0);
    uv = locus(kelvin);
  }
  return balanceOf(uv + param.tint / 3000.0 * towardsGreen(kelvin), daylight);
}

vec3 gains() { return balance() * exp2(vec3(param.warmth, 0.0, -param.warmth) + param.exposure); }

// a and b of the noise, whose variance is a x + b. Both are 0 if it isn't known.
vec2 knownNoise() {
  vec2 given = vec2(param.noise_a, param.noise_b);
  if (given != vec2(0.0) || param.noise_from == 1) return given;
  return vec2(camera(17, 0.0), camera(18, 0.0));
}
