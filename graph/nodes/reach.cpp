#include "graph/nodes/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna {
namespace {

constexpr double wholeImage = std::numeric_limits<double>::infinity();

// The reach of a stencil: each level steps by 2^level, or by one.
double reachOfLevels(const Node& node) {
  const int steps = node.description->stencil.dilated ? (1 << node.levels) - 1 : node.levels;
  return static_cast<double>(node.radius + node.patch) * steps;  // the larger one of both axes
}

}  // namespace

const Footprint& footprintOf(const Node& node, std::string_view input) {
  const NodeInput* own = findNamed(node.description->inputs, input);
  return own != nullptr && own->footprint ? *own->footprint : node.description->footprint;
}

double reachBefore(const Node& node, std::string_view input, double needed) {
  if (node.kind == NodeKind::stencil) {
    return needed + reachOfLevels(node);
  }
  const Footprint& footprint = footprintOf(node, input);
  switch (footprint.kind) {
    case FootprintKind::local:
      return needed;
    case FootprintKind::halo:
      return needed + footprint.amount;
    case FootprintKind::scale:
      return (needed + 1.0) / footprint.amount;  // a pixel of the output is 1 / amount wide
    case FootprintKind::global:
      break;
  }
  return wholeImage;
}

Reach reachOf(const NodeGraph& graph) {
  Table<ValueId, double> needed(graph.values.size(),
                                -1.0);  // around a pixel of each value; below 0: unused
  Reach reach;
  const auto need = [&](ValueId value, double pixels, const Node& node, bool isFinite) {
    if (!value || graph.values[value].feedback) {
      return;
    }
    double& known = needed[value];
    known = std::max(known, graph.values[value].type.isArray() ? wholeImage : pixels);
    if (known == wholeImage && isFinite) {
      reach.reason = node.name;
    }
  };
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    double most = node->kind == NodeKind::sink ? 0.0 : -1.0;
    for (const NamedValue& output : node->outputs) {
      most = std::max(most, output.value ? needed[output.value] : -1.0);
    }
    if (most < 0.0) {
      continue;
    }
    if (node->kind == NodeKind::source) {
      reach.pixels =
          reach.pixels && most < wholeImage ? std::optional(std::max(*reach.pixels, most)) : std::nullopt;
      continue;
    }
    for (const NamedValue& input : node->inputs) {
      need(input.value, reachBefore(*node, input.name, most), *node, most < wholeImage);
    }
    for (const BoundParameter& bound : node->bound) {
      need(bound.value, wholeImage, *node, most < wholeImage);
    }
  }
  if (reach.pixels) {
    reach.reason.clear();
  }
  return reach;
}

std::string print(const Reach& reach) {
  return reach.pixels ? fmt::format("up to {:.0f} away", std::ceil(*reach.pixels))
                      : fmt::format("all ({})", reach.reason);
}

}  // namespace lacuna
