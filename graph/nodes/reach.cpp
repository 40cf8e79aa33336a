#include "graph/nodes/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr double wholeImage = std::numeric_limits<double>::infinity();

// The reach of a stencil: each level steps by 2^level, or by one.
double reachOfLevels(const Node& node) {
  const int steps = node.description->stencil.dilated ? (1 << node.levels) - 1 : node.levels;
  return static_cast<double>(node.radius + node.patch) * steps;  // the larger one of both axes
}

double longerSide(const NodeGraph& graph, ValueId value) {
  const Extent extent = graph.values[value].type.extent;
  return std::max(extent.width, extent.height);
}

// Pixels of the input on a pixel of the outputs.
double pixelsOnOne(const NodeGraph& graph, const Node& node, ValueId input) {
  const auto isImage = [&](ValueId value) { return value && !graph.values[value].type.isArray(); };
  const auto output = std::ranges::find_if(node.outputs, isImage, &NamedValue::value);
  return isImage(input) && output != node.outputs.end()
             ? longerSide(graph, input) / longerSide(graph, output->value)
             : 1.0;
}

}  // namespace

const Footprint& footprintOf(const Node& node, std::string_view input) {
  const NodeInput* own = findNamed(node.description->inputs, input);
  return own != nullptr && own->footprint ? *own->footprint : node.description->footprint;
}

double reachBefore(const NodeGraph& graph, const Node& node, const NamedValue& input, double needed) {
  if (node.kind == NodeKind::stencil)
    return needed + reachOfLevels(node);
  const Footprint& footprint = footprintOf(node, input.name);
  if (footprint.kind == FootprintKind::global)
    return wholeImage;
  // Of the pixels of other sizes those count that have a part in common.
  const double pixels = pixelsOnOne(graph, node, input.value);
  return (pixels == 1.0 ? needed : needed * pixels + std::max(pixels, 1.0)) +
         (footprint.kind == FootprintKind::halo ? footprint.amount : 0.0);
}

Reach reachOf(const NodeGraph& graph) {
  Table<ValueId, double> needed(graph.values.size(),
                                -1.0);  // around a pixel of each value; below 0: unused
  Reach reach;
  const auto need = [&](ValueId value, double pixels, const Node& node, bool isFinite) {
    if (!value || graph.values[value].feedback)
      return;
    double& known = needed[value];
    known = std::max(known, graph.values[value].type.isArray() ? wholeImage : pixels);
    if (known == wholeImage && isFinite)
      reach.reason = node.name;
  };
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    double most = node->kind == NodeKind::sink ? 0.0 : -1.0;
    for (const NamedValue& output : node->outputs)
      most = std::max(most, output.value ? needed[output.value] : -1.0);
    if (most < 0.0)
      continue;
    if (node->kind == NodeKind::source) {
      reach.pixels =
          reach.pixels && most < wholeImage ? std::optional(std::max(*reach.pixels, most)) : std::nullopt;
      continue;
    }
    for (const NamedValue& input : node->inputs)
      need(input.value, reachBefore(graph, *node, input, most), *node, most < wholeImage);
    for (const BoundParameter& bound : node->bound)
      need(bound.value, wholeImage, *node, most < wholeImage);
  }
  if (reach.pixels)
    reach.reason.clear();
  return reach;
}

std::string print(const Reach& reach) {
  return reach.pixels ? fmt::format("up to {:.0f} away", std::ceil(*reach.pixels))
                      : fmt::format("all ({})", reach.reason);
}

}  // namespace lacuna
