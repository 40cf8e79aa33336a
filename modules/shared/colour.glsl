// Colour: the sRGB transfer curve (IEC 61966-2-1), primaries, luminance, alpha.

// Values of files, from 0 up; gamma 0 means the curve of sRGB. One power serves both: CPUs compute all sides of
// a choice.
vec3 decoded(vec3 v, float gamma) {
  bool isSrgb = gamma <= 0.0;
  vec3 base = isSrgb ? (max(v, vec3(0.0)) + 0.055) / 1.055 : v;
  vec3 curve = pow(base, vec3(isSrgb ? 2.4 : gamma));
  return mix(v / 12.92, curve, greaterThan(v, vec3(isSrgb ? 0.04045 : -1.0)));
}

vec3 encoded(vec3 v, float gamma) {
  bool isSrgb = gamma <= 0.0;
  vec3 power = pow(max(v, vec3(0.0)), vec3(1.0 / (isSrgb ? 2.4 : gamma)));
  vec3 curve = isSrgb ? fma(vec3(1.055), power, vec3(-0.055)) : power;
  return mix(v * 12.92, curve, greaterThan(v, vec3(isSrgb ? 0.0031308 : -1.0)));
}

vec3 srgbToLinear(vec3 v) { return decoded(v, 0.0); }
vec3 linearToSrgb(vec3 v) { return encoded(v, 0.0); }

// [0, 1], and 0 for NaN: a comparison with NaN is false.
float toUnit(float v) { return v > 0.0 ? min(v, 1.0) : 0.0; }
vec3 toUnit(vec3 v) { return vec3(toUnit(v.r), toUnit(v.g), toUnit(v.b)); }

// Luminance weights: the row of Y in the matrices from RGB to XYZ.
const vec3 luminanceRec709 = vec3(0.212639006, 0.715168679, 0.072192315);
const vec3 luminanceRec2020 = vec3(0.262700212, 0.677998072, 0.059301716);

// By way of XYZ, from the primaries of ITU-R BT.709 (.640 .330, .300 .600, .150 .060) and BT.2020 (.708 .292,
// .170 .797, .131 .046), both with white D65 (.3127 .3290); computed in double. Columns are what red,
// green and blue become.
const mat3 rec2020FromRec709 = mat3(vec3(0.627403896, 0.069097289, 0.016391439),
                                    vec3(0.329283038, 0.919540395, 0.088013308),
                                    vec3(0.043313066, 0.011362316, 0.895595253));
const mat3 rec709FromRec2020 = mat3(vec3(1.660491002, -0.124550475, -0.018150763),
                                    vec3(-0.587641139, 1.132899897, -0.100578898),
                                    vec3(-0.072849863, -0.008349423, 1.118729661));

// Between modules colour is multiplied by alpha. Straight colour is for curves and files: where alpha is 0 it
// is read as black, and written unchanged.
vec4 multiplied(vec4 straight) {
  return straight.a == 0.0 ? vec4(0.0) : vec4(straight.rgb * straight.a, straight.a);
}
vec4 straightened(vec4 v) { return v.a > 0.0 ? vec4(v.rgb / v.a, v.a) : v; }

// Images without alpha or colour, as colour: grey, or vectors unchanged.
vec4 asColour(vec4 v) { return v; }
vec4 asColour(vec3 v) { return vec4(v, 1.0); }
vec4 asColour(vec2 v) { return vec4(v, 0.0, 1.0); }
vec4 asColour(float v) { return vec4(v, v, v, 1.0); }
// And back.
void narrow(vec4 v, out vec4 to) { to = v; }
void narrow(vec4 v, out vec3 to) { to = v.rgb; }
void narrow(vec4 v, out vec2 to) { to = v.rg; }
void narrow(vec4 v, out float to) { to = v.r; }

// Tags as `colour_INPUT` gives them. Data counts as Rec. 709.
const int tagRec2020 = 0;
vec3 luminanceWeights(int tag) { return tag == tagRec2020 ? luminanceRec2020 : luminanceRec709; }

// Luminance of an image of any kind; a single component is its own.
float luminanceOf(vec3 v, int tag) {
  vec3 w = luminanceWeights(tag);
  return fma(v.r, w.r, fma(v.g, w.g, v.b * w.b));
}
float luminanceOf(vec4 v, int tag) { return luminanceOf(v.rgb, tag); }
float luminanceOf(float v, int tag) { return v; }
