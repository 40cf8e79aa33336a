#pragma once
// The frames that a user requests, in words.

#include <optional>
#include <string>

#include "graph/files/frame_set.h"

namespace lacuna {

struct FrameList {
  enum class Kind { asGraph, all, last, numbers };
  Kind kind = Kind::asGraph;  // nothing: from the graph
  FrameSet numbers = {};
};

// "7", "0-99", "0-99x5" (every fifth), and several of them with commas. "" means all. nullopt if the words
// are wrong, as `mistake` describes.
std::optional<FrameSet> parseFrames(const std::string& text, std::string& mistake);

// The same, "all" or "last".
std::optional<FrameList> parseFrameList(const std::string& text, std::string& mistake);

}  // namespace lacuna
