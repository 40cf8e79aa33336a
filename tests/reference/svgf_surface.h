#pragma once
// Steps 1 and 2 of svgf's definition (modules/svgf/README.md, 'How'): geometry as the filter knows it, and
// colour without its albedo.

#include "tests/reference/svgf.h"

namespace lacuna::test {

// Normals unchanged, or with those of emitters turned around, as in svgf.
enum class Emitters { asTheyAre, turnedAround };
std::vector<SvgfSurface> svgfSurfaces(const SvgfFrame& frame, Emitters emitters);

// The two codes of a normal, -1023 to 1023, before they are rounded down: whole numbers are where rounding
// decides.
void svgfNormalCodes(const double* normal, float out[2]);

// Whether the slope of a pixel is far from the values where rounding decides between two codes, which are a
// 16th apart. `gradient`: null where it is not connected.
bool svgfSlopeIsClear(const Picture& depth, const Picture* gradient, int x, int y);

// d of 2, of a pixel with this albedo and radiance.
void svgfDivisor(const double* albedo, const double* radiance, Format precision, double out[3]);

// rgb without albedo and fireflies, and 1 where the pixel is missing, else 0.
Picture svgfDemodulated(const SvgfFrame& frame, double firefly, Format precision);
// What is stored at most.
double svgfLargest(Format precision);

double svgfLuminance(const double* colour);

}  // namespace lacuna::test
