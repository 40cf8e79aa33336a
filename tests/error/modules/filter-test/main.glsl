void gather(inout vec4 sum, Centre c, Tap t, Offset o) { sum = fma(vec4(o.weight), t.colour, sum); }
