// Alpha is not a colour: it is unchanged.
vec4 scaled(vec4 v, float factor) { return vec4(v.rgb * factor, v.a); }
vec3 scaled(vec3 v, float factor) { return v * factor; }
float scaled(float v, float factor) { return v * factor; }

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = scaled(i.input, exp2(param.stops)); }
