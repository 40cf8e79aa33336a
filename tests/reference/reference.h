#pragma once
// How far a device's image is from that of a CPU version.

#include <functional>
#include <string>

#include "graph/pictures/compare.h"
#include "tests/references/picture.h"
#include "tests/support/random_case.h"

namespace lacuna::test {

inline constexpr double largestHalf = 65504.0;

Picture pictureOf(const Image& image);

// Distance of neighbouring half floats around a value.
double halfStep(double value);

// Distance of neighbouring values of a format around a value; 0 of f32, which counts as exact.
double stepOf(Format format, double value);

struct Deviation {
  double worst = 0.0;  // in units
  size_t beyond = 0;   // values more than one unit away
  size_t count = 0;    // of all values
  std::string where;   // the worst one
};

// |device - reference| in units that may differ from value to value. A value that is finite in only one image
// is infinitely far.
using Unit = std::function<double(int x, int y, int component, double reference)>;
Deviation deviation(const Image& device, const Picture& reference, const Unit& unit);

// The deviation in units of max(|reference|, 0.01).
Deviation relativeDeviation(const Image& device, const Picture& reference);

// The deviation in steps of half at the reference.
Deviation halfDeviation(const Image& device, const Picture& reference);

// 1e-4 relative for f32, one step of half for f16.
void expectAgrees(const Image& device, const Picture& reference);

// Without alpha, tagged as Rec. 709: for the metrics of graph/pictures/compare.h.
ColourImage coloursOf(const Image& image);

// Within `error`: absolute, of each value, as running error analysis gives it (device_float.h).
void expectWithinError(const Image& device, const Picture& reference, const Picture& error);

// The bounds are tight: all but 1% of them, and three more, are below 1e-3 relative.
void expectSmall(const Picture& error, const Picture& reference);

// 1x1, 17x1, 127x509, then random ones.
Extent extentOfCase(int index, std::mt19937_64& random);

// Source `in`, module, sink `out`.
MemoryGraph graphAround(const std::string& module, const Image& image, const std::string& parameters);

}  // namespace lacuna::test
