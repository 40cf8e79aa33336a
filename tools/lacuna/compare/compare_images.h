#pragma once
// What comparisons of pictures, of sequences and of blocks share.

#include <nlohmann/json.hpp>
#include <string>

#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

struct Named {
  std::string file;
  const ColourImage* image = nullptr;
};

// A file of that very name is a picture, whatever is in it.
bool isSequence(const std::string& name);
// Of a file with several view layers the one that is named, or else the first one.
ColourImage loadCompared(const std::string& file, const std::string& layer);
// Warns of files with several view layers of which none was named; of a sequence `files` has the first one.
// Throws FileError where a layer was named and no file has several.
void checkLayers(const std::vector<std::string>& files, const std::string& layer);
// Throws FileError where sizes or colour tags differ.
void checkComparable(const Named& image, const Named& reference);
void warnOfAlpha(const Named& image, const Named& reference);  // where one has it and the other has not
void warnNotFinite(uint64_t values);                           // where there are any

// "12.3 times": by how much an error is below the baseline's; "-" where it is 0.
std::string timesText(double baseline, double error);
nlohmann::ordered_json timesJson(double baseline, double error);  // null there
nlohmann::ordered_json finiteJson(double value);                  // null where it is NaN or infinite
// A metric as fmt's `format` has it; "-" where it can't be measured.
std::string metricText(double value, const char* format);

nlohmann::ordered_json toJson(const Metrics& metrics);
void printJson(const nlohmann::ordered_json& json);  // to stdout; names of files need not be UTF-8

}  // namespace lacuna
