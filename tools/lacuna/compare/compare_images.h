#pragma once
// Common parts of comparing pictures, sequences and blocks.

#include <nlohmann/json_fwd.hpp>
#include <string>

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

}  // namespace lacuna
