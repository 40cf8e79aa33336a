#pragma once
// Users' words for a graph: parameters and files.

#include <string>
#include <vector>

#include "graph/load/load.h"

namespace lacuna {

struct GraphWords {
  std::vector<std::string> parameters = {};  // -p module:instance:parameter=value
  std::vector<std::string> inputs = {};      // -i FILE or source:instance=FILE
  std::vector<std::string> outputs = {};     // -o FILE or sink:instance=FILE
};

// Adds the words to the options. Returns what is wrong with them.
std::vector<std::string> addWords(const GraphWords& words, LoadOptions& options);

// "name" and "value" of "name=value", at the first '='.
std::pair<std::string, std::string> splitAtEquals(const std::string& word);

}  // namespace lacuna
