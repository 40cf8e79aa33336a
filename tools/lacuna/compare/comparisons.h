#pragma once
// `lacuna compare`: pictures, sequences, blocks, and limits for scripts.

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

struct Named {
  std::string file;
  const ColourImage* image = nullptr;
};

// A file with exactly this name is a picture, whatever the name contains.
bool isSequence(const std::string& name);
// Loads an image. Of a file with several view layers it is the named one, or else the first one.
ColourImage loadCompared(const std::string& file, const std::string& layer);
// Warns of files with several view layers of which none was named; for a sequence `files` has the first one.
// Throws FileError if a layer was named and no file has several.
void checkLayers(const std::vector<std::string>& files, const std::string& layer);
// Throws FileError if sizes or colour tags differ.
void checkComparable(const Named& image, const Named& reference);
void warnOfAlpha(const Named& image, const Named& reference);  // if only one has it
void warnNotFinite(uint64_t values);                           // where there are any

// "12.3 times": the baseline's error divided by an error; "-" if it is 0.
std::string timesText(double baseline, double error);
nlohmann::ordered_json timesJson(double baseline, double error);  // null there
nlohmann::ordered_json finiteJson(double value);                  // null if it is NaN or infinite
// A metric in fmt's `format`; "-" if it can't be measured.
std::string metricText(double value, const char* format);

nlohmann::ordered_json toJson(const Metrics& metrics);

// A B ... REFERENCE --blocks 10x10: differences from a reference, block by block (tools/metrics/block_rms.h).
// All mistakes in the arguments and in the files' sizes are printed at once, before anything is written.
int compareBlocks(const CompareArguments& arguments, nlohmann::ordered_json& out);

// A_%04d.exr B_%04d.exr: a row for each frame, and means; with the temporal error (graph/pictures/compare.h)
// of each frame that follows another one. All names are of sequences. Throws FileError.
int compareSequences(const CompareArguments& arguments, nlohmann::ordered_json& out);

// Limits for scripts: exitOk; or exitFailed, with a line for each limit that is exceeded or metric that can't
// be measured. If values are NaN or infinite, limits on relative errors, which omit them, count as exceeded.
// `temporal`: for sequences, whose metrics are means over the frames.
int checkLimits(const CompareLimits& limits, const Metrics& metrics,
                const std::optional<double>& temporal = std::nullopt);

// The files of frames of sequences: of all images, then the baseline, if there is one. Throws FileError.
std::vector<std::vector<std::string>> filesOfSequences(const CompareArguments& arguments,
                                                       const std::vector<int>& frames);

void checkDifferenceFile(const std::string& file, const std::vector<std::string>& inputs);

// --html: compares each image with the reference by `compareOne` (comparePictures(), compareSequences()),
// then writes the page. Throws FileError.
using CompareOne = int(const CompareArguments& arguments, nlohmann::ordered_json& out);
int comparePage(const CompareArguments& arguments, bool areSequences, CompareOne& compareOne,
                nlohmann::ordered_json& out);

// A PNG of 8 times the difference of each component on screen (clipped to [0, 1], on the curve of sRGB):
// black where both are equal, white from 32 of 255 steps on, magenta where a value is NaN or infinite. Makes
// the file's folder. Needs: equal extents. Throws FileError.
void writeDifference(const std::string& file, const ColourImage& a, const ColourImage& b);

}  // namespace lacuna
