#pragma once
// A scene file as written: lines of words, each with the keyframes that follow it. Names are not looked up
// here.

#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"

namespace lacuna::pathtrace {

struct SceneLine {
  std::vector<Word> words;              // from the keyword on
  std::vector<std::vector<Word>> keys;  // the `at` lines below, from `at` on
};

struct SceneText {
  int file = -1;       // in the Diagnostics
  std::string folder;  // file names in the scene start there
  std::vector<SceneLine> lines;

  // Lines with a keyword, in order.
  std::vector<const SceneLine*> of(std::string_view keyword) const;
};

// After this, every line has a known keyword and the number of words before its settings that it needs.
SceneText readSceneText(const std::string& text, const std::string& path, Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
