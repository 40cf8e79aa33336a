#pragma once
// The nodes of a scale that is filtered by a search around each pixel, as in the definition of ray histogram
// fusion: the histograms in a layout, the mean of the accepted patches, and the placed means.

#include "shared/kernel_node.h"

struct SearchScale {
  int scale = 0;
  std::string image, histogram;  // its input: "NODE.OUTPUT"
  std::string layout;            // of the parameter
  std::string constants;         // of the shaders, as a TOML table
  std::string output;            // keys of the output
  Size size;
  uint32_t bins = 0;
  int patch = 0;
};

// Rounds of all loops of an invocation: some CPU drivers end loops after 65535, silently.
constexpr int64_t mostTurns = 60000;
inline int64_t turnsOf(int64_t search, int64_t patch, int64_t bins) {
  const int64_t side = 2 * search + 1;
  const int64_t around = 2 * patch + 1;
  const int64_t blocks = (bins + 15) / 16;  // of search/rows.glsl
  return side * side * (around * around * (blocks + 1) + around + 3);
}

inline KernelNode packedNode(const SearchScale& s) {
  const uint64_t pixels = uint64_t{s.size.width} * s.size.height;
  const std::string type =
      s.layout == "histograms" ? fmt::format("format = \"f32\", array = {}", pixels * (s.bins + 1))
      : s.layout == "halves"   ? fmt::format("format = \"u32\", planes = {}", (s.bins + 1) / 2)
                               : fmt::format("format = \"u32\", planes = {}", (s.bins + 3) / 4);
  return {.name = fmt::format("pack{}", s.scale),
          .shader = fmt::format("search/{}.glsl", s.layout),
          .inputs = {{"histogram", s.histogram}},
          .outputs = {{"packed", R"(channels = "y", )" + type}},
          .kernel = "extent_of = \"histogram\""};
}

inline std::string searchNodes(const SearchScale& s) {
  const bool isPacked = s.layout != "bins", isBinWise = s.layout != "histograms";
  const int around = 2 * s.patch + 1;
  const std::string kernel = "constants = " + s.constants;
  KernelNode search{.name = fmt::format("search{}", s.scale),
                    .shader = "search/early.glsl",
                    .inputs = {{"input", s.image},
                               {"histogram", s.histogram},
                               {"packed", isPacked ? fmt::format("pack{}.packed", s.scale) : s.histogram}},
                    .outputs = {{"patches", fmt::format(R"(channels = "y", format = "f32", planes = {})",
                                                        3 * around * around)}},
                    .kernel = kernel};
  if (isBinWise)
    search.inputs.emplace_back("used", fmt::format("used{}.used", s.scale));
  const KernelNode place{.name = fmt::format("place{}", s.scale),
                         .shader = "place.glsl",
                         .inputs = {{"input", s.image}, {"patches", search.name + ".patches"}},
                         .outputs = {{"output", s.output}},
                         .kernel = kernel};
  return (isPacked ? textOf(packedNode(s)) : std::string()) + textOf(search) + textOf(place);
}
