#pragma once
// One line of a graph file -> its words: name:name:"quoted value", with # comments.

#include <string_view>
#include <vector>

#include "graph/config/config.h"

namespace lacuna {

// `line` has no line end. `where` gives file and line number. Empty lines and comments have no words; a line
// with an error has none either, and `wrong` is set.
struct LexedLine {
  std::vector<Word> words;
  std::string comment = {};  // from its '#' on, without spaces at its end
  bool wrong = false;
};
LexedLine lexLine(std::string_view line, Location where, Diagnostics& diagnostics);

}  // namespace lacuna
