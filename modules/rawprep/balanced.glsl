// Converts the sensor's values to light: black 0, and white at each colour's gain.
float blackAt(ivec2 p) {
  return (p.y & 1) == 0 ? ((p.x & 1) == 0 ? param.black_00 : param.black_10)
                        : ((p.x & 1) == 0 ? param.black_01 : param.black_11);
}

void apply(Inputs i, inout Outputs o, Pixel p) {
  float black = blackAt(p.position);
  vec3 gains = vec3(param.red, param.green, param.blue);
  float value = (i.input - black) / (param.white - black) * gains[colourAt_input(p.position)];
  o.output = param.highlights == 1 ? min(value, min(gains.r, min(gains.g, gains.b))) : value;
}
