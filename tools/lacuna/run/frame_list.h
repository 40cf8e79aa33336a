#pragma once
// --frames: which numbers a user asks for.

#include <optional>
#include <string>
#include <vector>

#include "graph/load/missing_files.h"

namespace lacuna {

// What --frames asks for.
struct FrameList {
  enum class Kind { asGraph, all, last, numbers };
  Kind kind = Kind::asGraph;  // nothing: as the graph says
  std::vector<int> numbers = {};
};

// "7", "0-99", "0-99x5" (every fifth), and several of them with commas. Ascending, each once; "": none, which
// stands for all. Prints what is wrong; nullopt then.
std::optional<std::vector<int>> parseFrames(const std::string& text);

// The same, "all" or "last".
std::optional<FrameList> parseFrameList(const std::string& text);

// As frames of a graph, which count from 0. With MissingFiles::skip the last one is the last that has files.
std::vector<int> framesOf(const ModuleGraph& graph, const FrameList& list,
                          MissingFiles missing = MissingFiles::error);

}  // namespace lacuna
