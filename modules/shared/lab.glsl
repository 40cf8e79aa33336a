// CIE 1976 L*a*b* (CIE 15:2004, 8.2.1.1) of linear colour, with white D65 (.3127 .3290); L* of white is 100.
// The matrices go to XYZ over the white's, from the primaries of colour.glsl; computed in double. Columns are
// what red, green and blue become.

#include "shared/colour.glsl"

const mat3 xyzFromRec709 = mat3(vec3(0.433887346, 0.212639006, 0.017750040),
                                vec3(0.376224009, 0.715168679, 0.109447621),
                                vec3(0.189888645, 0.072192315, 0.872802339));
const mat3 rec709FromXyz = mat3(vec3(3.080399091, -0.921223359, 0.052873939),
                                vec3(-1.537383178, 1.875967502, -0.203976959),
                                vec3(-0.543015913, 0.045255857, 1.151103020));
const mat3 xyzFromRec2020 = mat3(vec3(0.670160531, 0.262700212, 0.000000000),
                                 vec3(0.152155297, 0.677998072, 0.025777047),
                                 vec3(0.177684173, 0.059301716, 0.974222953));
const mat3 rec2020FromXyz = mat3(vec3(1.631601296, -0.633654094, 0.016765907),
                                 vec3(-0.355670784, 1.616481237, -0.042770613),
                                 vec3(-0.275930513, 0.017172857, 1.026004706));

// The cube root, replaced by a straight line below (6 / 29)^3, where its slope would grow without bound.
float labCurve(float t) { return t > 0.008856452 ? pow(t, 1.0 / 3.0) : fma(7.787037037, t, 0.137931034); }
float labCurveBack(float f) { return f > 0.206896552 ? f * f * f : (f - 0.137931034) * 0.128418549; }

vec3 labFrom(vec3 linear, int tag) {
  vec3 xyz = (tag == tagRec2020 ? xyzFromRec2020 : xyzFromRec709) * linear;
  vec3 f = vec3(labCurve(xyz.x), labCurve(xyz.y), labCurve(xyz.z));
  return vec3(fma(116.0, f.y, -16.0), 500.0 * (f.x - f.y), 200.0 * (f.y - f.z));
}

vec3 labToLinear(vec3 lab, int tag) {
  float y = (lab.x + 16.0) / 116.0;
  vec3 xyz = vec3(labCurveBack(fma(lab.y, 0.002, y)), labCurveBack(y), labCurveBack(fma(lab.z, -0.005, y)));
  return (tag == tagRec2020 ? rec2020FromXyz : rec709FromXyz) * xyz;
}
