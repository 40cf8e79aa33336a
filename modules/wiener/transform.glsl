// Orthonormal transforms of a group: the DCT along columns, then rows of its blocks, and Haar's along the
// group.

// cos(k pi / 16) / 2
const float c1 = 0.49039264, c2 = 0.46193977, c3 = 0.41573481, c4 = 0.35355339, c5 = 0.27778512, c6 = 0.19134172,
            c7 = 0.097545161;

#define EIGHT(Value)                                                                  \
  void transformEight(inout Value v[8]) {                                             \
    Value s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];     \
    Value d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];     \
    Value e0 = s0 + s3, e1 = s1 + s2, f0 = s0 - s3, f1 = s1 - s2;                     \
    v[0] = c4 * (e0 + e1);                                                            \
    v[4] = c4 * (e0 - e1);                                                            \
    v[2] = c2 * f0 + c6 * f1;                                                         \
    v[6] = c6 * f0 - c2 * f1;                                                         \
    v[1] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;                                     \
    v[3] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;                                     \
    v[5] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;                                     \
    v[7] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;                                     \
  }                                                                                   \
  void restoreEight(inout Value v[8]) {                                               \
    Value e0 = c4 * (v[0] + v[4]), e1 = c4 * (v[0] - v[4]);                           \
    Value f0 = c2 * v[2] + c6 * v[6], f1 = c6 * v[2] - c2 * v[6];                     \
    Value s0 = e0 + f0, s3 = e0 - f0, s1 = e1 + f1, s2 = e1 - f1;                     \
    Value d0 = c1 * v[1] + c3 * v[3] + c5 * v[5] + c7 * v[7];                         \
    Value d1 = c3 * v[1] - c7 * v[3] - c1 * v[5] - c5 * v[7];                         \
    Value d2 = c5 * v[1] - c1 * v[3] + c7 * v[5] + c3 * v[7];                         \
    Value d3 = c7 * v[1] - c5 * v[3] + c3 * v[5] - c1 * v[7];                         \
    v[0] = s0 + d0;                                                                   \
    v[7] = s0 - d0;                                                                   \
    v[1] = s1 + d1;                                                                   \
    v[6] = s1 - d1;                                                                   \
    v[2] = s2 + d2;                                                                   \
    v[5] = s2 - d2;                                                                   \
    v[3] = s3 + d3;                                                                   \
    v[4] = s3 - d3;                                                                   \
  }
EIGHT(float)
EIGHT(vec4)

const float rootOfHalf = 0.70710678;

// The sum of two neighbours stays at the first one's place, their difference at the second one's. (Drivers don't
// unroll a loop in a loop whose bounds depend on it.)
#define HAAR(apart)                                                           \
  [[unroll]] for (int i = 0; i < GROUP / (2 * apart); ++i) {                  \
    Value first = v[2 * apart * i], second = v[2 * apart * i + apart];        \
    v[2 * apart * i] = rootOfHalf * (first + second);                         \
    v[2 * apart * i + apart] = rootOfHalf * (first - second);                 \
  }

void transformGroup(inout Value v[GROUP]) { HAAR(1) HAAR(2) HAAR(4) HAAR(8) HAAR(16) }
void restoreGroup(inout Value v[GROUP]) { HAAR(16) HAAR(8) HAAR(4) HAAR(2) HAAR(1) }
