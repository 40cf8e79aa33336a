#include "tools/bench/bilateral/study.h"

#include <algorithm>

namespace lacuna {
namespace {

constexpr StudyVersion versions[studyVersionCount] = {
    {1, "CUDA", "naive"},
    {2, "CM", "constant"},
    {3, "SM", "shared"},
    {4, "PD", "padded"},
    {5, "TL-PD", "tiles"},
    {6, "TL+PD", "tiles-padded"},
    {7, "TL2+PD", "tiles-reloaded"},
    {8, "UL", "unrolled"},
};

constexpr Extent image1{512, 512};
constexpr Extent image2{1920, 1080};
constexpr Extent image3{5522, 3651};

// Tables 6.4 to 6.6, in seconds, as printed.
struct Fastest {
  Extent size;
  int radius;
  double sequential;
  int version;
  double time;
  int tilingFactor;  // 0: N/A
};
constexpr Fastest fastestTimes[] = {
    {image1, 1, 0.062, 4, 0.00180024, 0}, {image1, 3, 0.344, 4, 0.00892978, 0},
    {image1, 5, 0.828, 4, 0.0214979, 0},  {image1, 7, 1.516, 4, 0.0394262, 0},
    {image1, 9, 2.391, 4, 0.0601966, 0},  {image1, 11, 3.438, 4, 0.0871645, 0},
    {image1, 13, 4.625, 4, 0.118996, 0},  {image1, 15, 6, 4, 0.156193, 0},
    {image2, 1, 0.532, 4, 0.0140122, 0},  {image2, 3, 2.75, 4, 0.0707598, 0},
    {image2, 5, 6.75, 4, 0.170991, 0},    {image2, 7, 12.392, 4, 0.314089, 0},
    {image2, 9, 19.704, 4, 0.496465, 0},  {image2, 11, 28.643, 4, 0.724649, 0},
    {image2, 13, 39.19, 4, 0.984764, 0},  {image2, 15, 51.285, 4, 1.29131, 0},
    {image3, 1, 5.172, 4, 0.13292, 0},    {image3, 3, 26.909, 8, 0.665448, 4},
    {image3, 5, 66.348, 8, 1.60866, 4},   {image3, 7, 122.353, 8, 2.9652, 4},
    {image3, 9, 195.406, 4, 4.74923, 0},  {image3, 11, 285.037, 4, 6.92436, 0},
    {image3, 13, 391.468, 4, 9.51281, 0}, {image3, 15, 514.588, 4, 12.5168, 0},
};

// Tables 6.7 to 6.9, in seconds, by version.
struct Times {
  Extent size;
  int radius;
  std::array<double, studyVersionCount> seconds;
};
constexpr Times allTimes[] = {
    {image1,
     1,
     {0.00187809, 0.00183448, 0.0018051, 0.00180024, 0.00204914, 0.00202799, 0.00213972, 0.00187982}},
    {image1, 7, {0.0419822, 0.0410349, 0.0397063, 0.0394262, 0.0433843, 0.0438378, 0.0441124, 0.0407951}},
    {image1, 15, {0.165683, 0.161773, 0.156998, 0.156193, 0.171034, 0.180457, 0.17083, 0.179943}},
    {image2, 1, {0.0146601, 0.014283, 0.014054, 0.0140122, 0.0157043, 0.0155314, 0.0163254, 0.0144374}},
    {image2, 7, {0.334711, 0.327136, 0.31658, 0.314089, 0.345841, 0.343644, 0.345981, 0.314637}},
    {image2, 15, {1.37305, 1.34032, 1.30017, 1.29131, 1.40947, 1.42569, 1.40918, 1.41922}},
    {image3, 1, {0.138826, 0.135381, 0.133291, 0.13292, 0.147222, 0.145597, 0.153328, 0.135977}},
    {image3, 7, {3.16396, 3.08927, 3.00274, 2.98024, 3.22675, 3.21392, 3.2293, 2.9652}},
    {image3, 15, {13.2725, 12.9592, 12.6202, 12.5168, 13.5052, 13.6019, 13.4706, 13.5452}},
};

// The row of a table; null: there is none.
template <typename Row, size_t count>
const Row* find(const Row (&table)[count], Extent size, int radius) {
  const Row* found = std::find_if(std::begin(table), std::end(table),
                                  [&](const Row& row) { return row.size == size && row.radius == radius; });
  return found == std::end(table) ? nullptr : found;
}

}  // namespace

const StudyVersion& studyVersion(int number) {
  return versions[number - 1];
}

const StudyVersion* studyVersionOf(std::string_view variant) {
  const auto* found = std::find_if(std::begin(versions), std::end(versions),
                                   [&](const StudyVersion& version) { return version.variant == variant; });
  return found == std::end(versions) ? nullptr : found;
}

std::optional<StudyFigures> studyFigures(Extent size, int radius) {
  const Fastest* best = find(fastestTimes, size, radius);
  if (best == nullptr) {
    return std::nullopt;
  }
  StudyFigures figures{1e3 * best->sequential, best->version, best->tilingFactor, {}};
  figures.ms[static_cast<size_t>(best->version - 1)] = 1e3 * best->time;
  if (const Times* all = find(allTimes, size, radius); all != nullptr) {
    std::transform(all->seconds.begin(), all->seconds.end(), figures.ms.begin(),
                   [](double seconds) { return 1e3 * seconds; });
  }
  return figures;
}

}  // namespace lacuna
