#pragma once
// From the words behind `lacuna denoise` to stills and sequences.

#include <map>
#include <string>
#include <vector>

#include "modules/codecs/image_info.h"

namespace lacuna {

struct DenoiseInput {
  std::string file;          // of a still; else with %04d for the frame
  std::vector<int> numbers;  // of the files, ascending; empty: a still
  ImageInfo info = {};       // of the first file
  bool isSummed = false;     // frames of one sample a pixel, which become one picture

  bool isSequence() const { return !numbers.empty(); }
  std::string fileOf(int number) const;
};

// A file name as a pattern without a frame's number: %% for a percent sign.
std::string withPercentSigns(const std::string& name);

// A word is - for standard input, a file, a name with %04d or ####, a folder (its images), or a glob pattern
// that the shell left alone: their files, in the order of the words, each file once. Adds what is wrong to
// `problems`, a line each. Nothing is read.
std::vector<DenoiseInput> namedInputs(const std::vector<std::string>& words,
                                      std::vector<std::string>& problems);

// The same, and what the files hold. OpenEXR files with motion whose names differ in their last number alone
// become a sequence; all others are stills. With `sums` files without ray histograms become one, too, which
// is summed. Of a file that can't be read, `damaged` says why; of a sequence only if none can. `layers`: of
// OpenEXR planes, as in ReadOptions.
std::vector<DenoiseInput> findInputs(const std::vector<std::string>& words, bool sums,
                                     const std::map<std::string, std::string>& layers,
                                     std::vector<std::string>& problems, std::vector<std::string>& damaged);

}  // namespace lacuna
