#pragma once
// The RMS of blocks of several pictures, printed, and as pictures of blocks in colours from green to red.

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "tools/metrics/block_rms.h"

namespace lacuna {

struct BlockPicture {
  std::string file;
  BlockRms errors = {};
  std::string output = {};  // for its false colours, or empty
};

struct BlockComparison {
  Blocks blocks;
  Extent extent;
  std::string reference;
  std::vector<BlockPicture> pictures;
  size_t baseline = 0;  // the picture by whose errors the others' are divided

  bool hasRatios() const { return pictures.size() > 1; }
};

// The smallest and largest RMS in all pictures, which false colours show as green and red. NaN if there is
// none.
struct Interval {
  double smallest, largest;
};
Interval intervalOf(const BlockComparison& comparison);

// A picture's blocks against those of the baseline.
struct BlockRatios {
  double ofMeans = 0.0;  // the picture's mean RMS by the baseline's; NaN if either has none
  // The block with the largest ratio; none if no block can be measured in both.
  std::optional<size_t> worst;
  double worstRatio = 0.0;  // infinite if the baseline's error is 0
  size_t worse = 0;         // blocks with a larger error than the baseline's
};
BlockRatios ratiosOf(const BlockRms& picture, const BlockRms& baseline);

void printText(const BlockComparison& comparison);
nlohmann::ordered_json toJson(const BlockComparison& comparison);

void warnOfBlocks(const BlockComparison& comparison);  // of those without RMS
// exitOk; or exitFailed, with a line for each picture in which nothing can be measured or a block's ratio is
// above `most`. A block without RMS fails every limit.
int checkBlockLimits(const BlockComparison& comparison, const std::optional<double>& most);

// Sets the pictures' outputs. `output` is a PNG file, for one picture; a folder, there or with / at its end,
// for files such as STEM.png; or a name with {stem} (a picture's name without extension) or {name}. Adds a
// line to `mistakes` for each output that is no PNG, can't be written, or is a compared file.
void nameFalseColours(const std::string& output, BlockComparison& comparison, Diagnostics& mistakes);

// Writes pictures of the compared ones' size to the named outputs; makes their folders. Throws FileError.
void writeFalseColours(const BlockComparison& comparison);

}  // namespace lacuna
