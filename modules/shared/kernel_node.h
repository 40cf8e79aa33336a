#pragma once
// A kernel as [[node]] text, in the form of module.toml.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct Size {
  uint32_t width = 0, height = 0;
};

inline std::string extentText(Size size) {
  return fmt::format("extent = {{ width = {}, height = {} }}", size.width, size.height);
}

struct KernelNode {
  std::string name = {}, shader = {};
  std::vector<std::pair<std::string, std::string>> inputs = {};   // name, source
  std::vector<std::pair<std::string, std::string>> outputs = {};  // name, the other keys
  std::string kernel = {};                                        // keys of [node.kernel]
  std::string variant = {};  // keys of one with this shader, whose body is written for workgroups
  std::string footprint = "global";
};

inline std::string textOf(const KernelNode& node) {
  std::string text = fmt::format(
      "\n[[node]]\nname = \"{}\"\nkind = \"kernel\"\nshader = \"{}\"\nfootprint = \"{}\"\ninputs = [\n",
      node.name, node.shader, node.footprint);
  for (const auto& [name, source] : node.inputs)
    text += fmt::format("  {{ name = \"{}\", source = \"{}\" }},\n", name, source);
  text += "]\noutputs = [\n";
  for (const auto& [name, keys] : node.outputs)
    text += fmt::format("  {{ name = \"{}\", {} }},\n", name, keys);
  text += "]\n[node.kernel]\n" + node.kernel + "\n";
  if (!node.variant.empty())
    text += fmt::format("\n[[variant]]\nnodes = [\"{}\"]\n{}\n", node.name, node.variant);
  return text;
}

// Keys of outputs.
inline std::string planesOf(const char* format, uint64_t count, Size size) {
  return fmt::format(R"(channels = "y", format = "{}", planes = {}, {})", format, count, extentText(size));
}
// A key of `kernel`, if invocations aren't an output's pixels or elements.
inline std::string invocationsText(uint64_t rows, uint64_t columns) {
  return fmt::format("\ninvocations = [{}, {}]", rows, columns);
}
inline std::string invocationsText(Size size) {
  return invocationsText(size.height, size.width);
}
