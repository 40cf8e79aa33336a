#include "shared/colour.glsl"
#include "shared/random.glsl"

// Converts light in Rec. 2020 to the values of a camera's pixels, before white balance.
vec3 seen(vec3 light) {
  mat3 rows = mat3(param.matrix[0], param.matrix[1], param.matrix[2], param.matrix[3], param.matrix[4],
                   param.matrix[5], param.matrix[6], param.matrix[7], param.matrix[8]);
  return (inverse(transpose(rows)) * light) / vec3(param.red, 1.0, param.blue);
}

const int noColours = 5;  // of `pattern`

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec3 light = vec3(i.input.rgb);
  int colour = colourAt_output(p.position);
  float x = param.pattern == noColours ? luminanceOf(light, colour_input) : seen(light)[colour];
  uvec4 key = uvec4(uvec2(p.position), uint(param.seed), uint(frame.index));
  float noise = sqrt(max(fma(param.a, x, param.b), 0.0)) * toNormal(hash4(key)).x;
  float black = param.black[(p.position.y & 1) * 2 + (p.position.x & 1)];
  o.output = clamp(floor(fma(x + noise, param.white - black, black) + 0.5), 0.0, param.white);
}
