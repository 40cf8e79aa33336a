#pragma once
// What the connectors between a graph's modules hold in a frame: ranges, counts of values that are not
// finite, and small pictures.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "tools/shell/graph_arguments.h"

namespace lacuna {

struct ConnectorValues {
  // For each output of a module that is an image or an array of numbers: "name" ("eaw:01:output"), "type",
  // "least", "most" and "mean" for each component, "nan", "infinite", and of images "picture", a PNG as a
  // data URL.
  nlohmann::ordered_json connectors = nlohmann::ordered_json::array();
  std::string reason;  // why there are none
};

// A PNG of at most this width: colours as a screen shows them, other values from the least (black) to the
// most (white), NaN magenta. Throws FileError.
std::string pngOf(const ConstImageView& view, const ImageType& type, int width);

// Runs the first frame once more, with a sink in memory at each output, and without the graph's own sinks.
ConnectorValues connectorValues(const RunArguments& arguments, Device& device, const Graph& graph);

}  // namespace lacuna
