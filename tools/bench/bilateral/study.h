#pragma once
// Figures of Larsson 2015, A Case Study of Parallel Bilateral Filtering on the GPU, chapter 6: eight versions
// of the filter on a GeForce GTX 760, and a sequential one on a Core i5-4670. Colour images, each channel
// filtered alone, sigma_space 3, sigma_range 30, without a frame of `radius` pixels (section 5.1.3); block
// sizes of 4, 8, 16, 32 were tried (5.1.4), and times are the best ones.

#include <array>
#include <optional>
#include <string_view>

#include "graph/module/image_type.h"

namespace lacuna {

constexpr const char* studyTitle =
    "Larsson 2015, A Case Study of Parallel Bilateral Filtering on the GPU, tables 6.4 to 6.9";
constexpr const char* studyDevice = "GeForce GTX 760";
constexpr const char* studyProcessor = "Core i5-4670";  // of the sequential filter
constexpr int studyTileSize = 16;  // the block size of every fastest version, in both directions

// Table 6.3, from 1; 0 is the sequential one.
struct StudyVersion {
  int number;
  const char* abbreviation;
  const char* variant;  // of our module, that does the same
};
constexpr int studyVersionCount = 8;
const StudyVersion& studyVersion(int number);  // 1 to 8
// Null: the study had none like it.
const StudyVersion* studyVersionOf(std::string_view variant);

// Of one size and radius, milliseconds.
struct StudyFigures {
  double sequentialMs = 0.0;
  int fastest = 0;       // number of a version
  int tilingFactor = 0;  // of that one, N of 1xN tiling; 0: it has no tiling
  // By number - 1. 0: the study doesn't say; of radii other than 1, 7 and 15 it says the fastest one's alone.
  std::array<double, studyVersionCount> ms{};

  double msOf(int number) const { return ms[static_cast<size_t>(number - 1)]; }
};
std::optional<StudyFigures> studyFigures(Extent size, int radius);

}  // namespace lacuna
