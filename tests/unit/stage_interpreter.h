#pragma once
// The results of graphs of pointwise nodes and stencils, without a device, to show that rewrites change
// nothing.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Integers in place of pixels: node functions are hashes of their names and inputs, and a format keeps its
// bits.
using Pixels = std::array<uint64_t, 5>;

inline uint64_t mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ULL;
  return a ^ (a >> 29U);
}

inline uint64_t hashOf(const std::string& text) {
  uint64_t hash = 1;
  for (char c : text)
    hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

inline Pixels rounded(Pixels pixels, const ValueType& type) {
  const std::map<Format, unsigned> bits = {
      {Format::u8, 8}, {Format::u16, 16}, {Format::f16, 11}, {Format::f32, 24}};
  for (uint64_t& pixel : pixels)
    pixel &= (uint64_t{1} << bits.at(type.format)) - 1;
  return pixels;
}

class Interpreter {
 public:
  explicit Interpreter(const NodeGraph& graph) : graph_(graph), values_(graph.values.size(), Pixels{}) {}

  // The values of each sink in the next frame.
  std::map<std::string, Pixels> frame() {
    const Table<ValueId, Pixels> before = values_;
    for (const ValueId value : values_.ids())
      if (graph_.values[value].feedback)
        values_[value] = before[graph_.values[value].feedbackOf];
    std::map<std::string, Pixels> sinks;
    for (const Node& node : graph_.nodes)
      if (node.kind == NodeKind::sink)
        sinks[node.name] = at(node.inputs[0].value);
      else if (!node.parts.empty())
        parts(node);
      else
        other(node);
    ++frame_;
    return sinks;
  }

 private:
  Pixels& at(ValueId value) { return values_[value]; }
  const ValueType& type(ValueId value) const { return graph_.values[value].type; }

  Pixels function(const NodeDescription& node, const Node& owner, int part, const std::string& output,
                  const std::map<std::string, Pixels>& inputs) {
    Pixels result;
    for (size_t p = 0; p < result.size(); ++p) {
      uint64_t value = hashOf(node.name + "/" + output);
      for (const auto& [name, pixels] : inputs)
        value = mix(mix(value, hashOf(name)), pixels[p]);
      for (const BoundParameter& bound : owner.bound)
        if (bound.part == part)
          value = mix(mix(value, hashOf(bound.parameter)), at(bound.value)[0]);
      result[p] = value;
    }
    return result;
  }

  // A stencil's own part sees neighbours, the others one pixel.
  void parts(const Node& node) {
    std::vector<std::map<std::string, Pixels>> made;
    for (size_t p = 0; p < node.parts.size(); ++p) {
      const NodePart& part = node.parts[p];
      const int index = static_cast<int>(p);
      const bool stencil = node.kind == NodeKind::stencil && index == node.own;
      std::map<std::string, Pixels> inputs;
      for (const PartInput& input : part.inputs) {
        if (input.value) {
          EXPECT_EQ(input.part, -1);
          EXPECT_TRUE(std::any_of(node.inputs.begin(), node.inputs.end(),
                                  [&](const NamedValue& each) { return each.value == input.value; }));
          inputs[input.name] = at(input.value);
        } else if (input.part >= 0) {
          EXPECT_LT(input.part, index);
          EXPECT_TRUE(node.kind != NodeKind::stencil || input.part != node.own || input.output != "o1")
              << "a tapped level's value is not to be had";
          EXPECT_TRUE(!stencil || input.name == "state" ||
                      (input.name == "i2" && part.description->stencil.init));
          EXPECT_TRUE(node.kind != NodeKind::stencil || index <= node.own || input.part >= node.own)
              << "what makes the first state is not there in the last pass";
          inputs[input.name] = made.at(static_cast<size_t>(input.part)).at(input.output);
        }
        if (stencil && inputs.count(input.name) > 0)
          inputs[input.name] = neighbours(inputs[input.name]);
      }
      made.emplace_back();
      for (size_t i = 0; i < part.outputs.size(); ++i) {
        const NamedValue& output = part.outputs[i];
        made.back()[output.name] =
            rounded(function(*part.description, node, index, output.name, inputs), part.outputTypes[i]);
        if (output.value)
          at(output.value) = made.back()[output.name];
      }
    }
  }

  static Pixels neighbours(Pixels pixels) {
    std::rotate(pixels.begin(), pixels.begin() + 1, pixels.end());
    return pixels;
  }

  // Sources change with the frame; kernels and reductions see their neighbours.
  void other(const Node& node) {
    std::map<std::string, Pixels> inputs;
    for (const NamedValue& input : node.inputs) {
      if (!input.value)
        continue;
      inputs[input.name] = neighbours(at(input.value));
    }
    if (node.kind == NodeKind::source)
      for (uint64_t p = 0; p < Pixels{}.size(); ++p)
        inputs["frame"][p] = mix(frame_, p);
    for (const NamedValue& output : node.outputs)
      at(output.value) =
          rounded(function(*node.description, node, 0, output.name, inputs), type(output.value));
  }

  const NodeGraph& graph_;
  Table<ValueId, Pixels> values_;
  uint64_t frame_ = 0;
};

}  // namespace lacuna
