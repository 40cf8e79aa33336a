#pragma once
// A mistake of a body, at its place in the author's files.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"

namespace lacuna {

struct BodyMistake {
  std::string file;
  int line = 0;  // 0: the file as a whole
  int column = 0;
  int length = 1;
  std::string message;  // lines after the first one stand below the excerpt
  std::string hint;
  int lastLine = 0;    // the last line in which a compiler's messages may be consequences of this mistake
  bool hides = false;  // no compiler is asked: all that it reports may follow from this mistake
};
using BodyMistakes = std::vector<BodyMistake>;

// Text of files that are not on disk, by path: shaders that native code made.
using MadeFiles = std::map<std::string, std::string>;

// Adds mistakes to others; each file once. A line that has an error already gets no second one, and neither
// do those in which errors may follow from another, by its `lastLine`.
class MistakeReporter {
 public:
  explicit MistakeReporter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  void report(const BodyMistakes& mistakes, const MadeFiles& made);

 private:
  void add(const BodyMistake& mistake, const MadeFiles& made);
  int fileIndex(const std::string& path, const MadeFiles& made);

  Diagnostics& diagnostics_;
  std::map<std::string, int> files_;
  std::map<std::string, std::vector<std::pair<int, int>>> lines_;  // first and last, of each file
};

// A mistake that keeps a shader from being made.
struct ShaderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A body that can't be used. Its text is that of Diagnostics::render().
struct ShaderSourceError : ShaderError {
  explicit ShaderSourceError(BodyMistakes all, MadeFiles madeFiles = {});
  BodyMistakes mistakes;
  MadeFiles made;
};

}  // namespace lacuna
