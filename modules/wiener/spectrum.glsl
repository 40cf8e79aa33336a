// The noise's variance at each coefficient of a block, and the filter of a group's coefficients (Dabov et al.
// 2007, equation 8).

float levelsNoise(int i, float otherwise) {
  return count_levels_noise > i && array_levels_noise.data[0] > 0.0 ? array_levels_noise.data[i] : otherwise;
}

// Standard deviations of eaw's levels become those of frequencies by the response of its finest level.
// Brightness that is noisy in coarse details, too, counts more, since the pilot keeps some of that.
struct Spectrum { vec2 fine; vec2 coarse; };  // variances of brightness and colours

Spectrum spectrumOfNoise() {
  vec2 fine = vec2(levelsNoise(0, param.fine), levelsNoise(2, param.colour_fine));
  vec2 coarse = vec2(levelsNoise(1, param.coarse), levelsNoise(3, param.colour_coarse));
  float both = max(min(coarse.x, coarse.y), 1.0);
  vec2 factor = param.strength * param.strength * vec2(both * sqrt(both), 1.0);
  return Spectrum(fine * fine * factor, coarse * coarse * factor);
}

// (6 + 8 cos(pi u / 8) + 2 cos(pi u / 4)) / 16: of a B3 spline
const float lowPass[8] = float[](1.0, 0.92532831, 0.72855339, 0.47930806, 0.25, 0.093917098, 0.021446609, 0.0014464);

float varianceAt(Spectrum s, int plane, int u, int v) {
  float detail = 1.0 - lowPass[u] * lowPass[v];
  int which = min(plane, 1);
  return max(mix(s.coarse[which], s.fine[which], detail * detail), 1e-6);
}

// The sum of the squares of the gains at a frequency's coefficients; `pilot` becomes those.
Value squaresOf(inout Value pilot[GROUP], Value variance) {
  transformGroup(pilot);
  Value sum = Value(0.0);
  [[unroll]] for (int k = 0; k < GROUP; ++k) {
    Value power = pilot[k] * pilot[k], gain = power / (power + variance);
    sum = fma(gain, gain, sum);
  }
  return sum;
}

// The noisy values of a frequency become what filtered blocks have more than the pilot, whose coefficients
// these are.
void filterGroup(inout Value v[GROUP], Value pilot[GROUP], Value variance) {
  transformGroup(v);
  [[unroll]] for (int k = 0; k < GROUP; ++k) {
    Value power = pilot[k] * pilot[k], gain = power / (power + variance);
    v[k] = fma(v[k], gain, -pilot[k]);
  }
  restoreGroup(v);
}
