#pragma once
// The nodes of a scale that is filtered by a search around each pixel, as ray histogram fusion is defined:
// the histograms as a layout has them, the mean of the patches that are accepted, those put in place.

#include <fmt/format.h>

#include <cstdint>
#include <string>

struct SearchScale {
  int scale = 0;
  std::string image, histogram;  // what is read: "NODE.OUTPUT"
  std::string layout;            // of the parameter
  std::string constants;         // of the shaders, as a TOML table
  std::string output;            // keys of the output after its name
  uint32_t width = 0, height = 0, bins = 0;
  int patch = 0;
};

// Turns of all loops of an invocation: some CPU drivers end loops after 65535, silently.
constexpr int64_t mostTurns = 60000;
inline int64_t turnsOf(int64_t search, int64_t patch, int64_t bins) {
  const int64_t side = 2 * search + 1;
  const int64_t around = 2 * patch + 1;
  const int64_t blocks = (bins + 15) / 16;  // of search/rows.glsl
  return side * side * (around * around * (blocks + 1) + around + 3);
}

inline std::string packedNode(const SearchScale& s) {
  const uint64_t pixels = uint64_t{s.width} * s.height;
  const std::string type =
      s.layout == "histograms" ? fmt::format("format = \"f32\", array = {}", pixels * (s.bins + 1))
      : s.layout == "halves"   ? fmt::format("format = \"u32\", planes = {}", (s.bins + 1) / 2)
                               : fmt::format("format = \"u32\", planes = {}", (s.bins + 3) / 4);
  return fmt::format(R"(
[[node]]
name = "pack{}"
kind = "kernel"
shader = "search/{}.glsl"
inputs = [{{ name = "histogram", source = "{}" }}]
outputs = [{{ name = "packed", channels = "y", {} }}]
[node.kernel]
workgroup = [64, 4]
extent_of = "histogram"
)",
                     s.scale, s.layout, s.histogram, type);
}

inline std::string searchNodes(const SearchScale& s) {
  const bool isPacked = s.layout != "bins";
  const int around = 2 * s.patch + 1;
  return (isPacked ? packedNode(s) : std::string()) +
         fmt::format(R"(
[[node]]
name = "search{s}"
kind = "kernel"
shader = "search/early.glsl"
inputs = [
  {{ name = "input", source = "{image}" }},
  {{ name = "histogram", source = "{histogram}" }},
  {{ name = "packed", source = "{packed}" }},
]
outputs = [{{ name = "patches", channels = "y", format = "f32", planes = {planes} }}]
[node.kernel]
workgroup = [32, 8]
constants = {constants}

[[node]]
name = "place{s}"
kind = "kernel"
shader = "place.glsl"
inputs = [{{ name = "input", source = "{image}" }}, {{ name = "patches", source = "search{s}.patches" }}]
outputs = [{{ name = "output"{output} }}]
[node.kernel]
workgroup = [32, 8]
constants = {constants}
)",
                     fmt::arg("s", s.scale), fmt::arg("image", s.image), fmt::arg("histogram", s.histogram),
                     fmt::arg("packed", isPacked ? fmt::format("pack{}.packed", s.scale) : s.histogram),
                     fmt::arg("planes", 3 * around * around), fmt::arg("constants", s.constants),
                     fmt::arg("output", s.output));
}
