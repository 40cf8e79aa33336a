#pragma once
// The frames that a user requests, in words.

#include <optional>
#include <string>

#include "graph/config/diagnostics.h"
#include "graph/files/frame_set.h"

namespace lacuna {

struct FrameList {
  enum class Kind { asGraph, all, last, numbers };
  Kind kind = Kind::asGraph;  // nothing: from the graph
  FrameSet numbers = {};
};

// "7", "0-99", "0-99x5" (every fifth), and several of them with commas. "" means all. nullopt if the words
// are wrong, which is reported as of --frames.
std::optional<FrameSet> parseFrames(const std::string& text, Diagnostics& diagnostics);

// The same, "all" or "last".
std::optional<FrameList> parseFrameList(const std::string& text, Diagnostics& diagnostics);

}  // namespace lacuna
