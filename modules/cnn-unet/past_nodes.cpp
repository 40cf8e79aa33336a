#include "cnn-unet/past_nodes.h"

#include <fmt/format.h>

#include "cnn-unet/layer_nodes.h"

namespace lacuna::unet {
namespace {

// Planes that svgf's code expects and for which cnn-unet has no connectors.
constexpr const char* missingPlanes = R"(const bool has_gradient = false, has_id = false;
vec2 load_gradient(ivec2 p) { return vec2(0.0); }
uint load_id(ivec2 p) { return 0u; }
)";

std::string settingsText(const HistorySettings& settings) {
  return fmt::format(
      "struct HistorySettings {{ int history; float firefly, depth_tolerance, normal_tolerance, cut_share; "
      "}};\n"
      "const HistorySettings historySettings = HistorySettings({}, {:e}, {:e}, {:e}, {:e});\n"
      "#define HISTORY historySettings\n",
      settings.frames, settings.firefly, settings.depthTolerance, settings.normalTolerance,
      settings.cutShare);
}

// svgf's nodes `failed` and `share`: the part of the picture that has no history.
constexpr const char* shareNodes = R"toml(
[[node]]
name = "failed"
kind = "kernel"
shader = "failed_of.glsl"
footprint = "halo(1)"
inputs = [
  { name = "input", source = "input" },
  { name = "depth", source = "depth" },
  { name = "albedo", source = "albedo" },
  { name = "normal", source = "normal" },
  { name = "motion", source = "motion" },
  { name = "last_geometry", source = "past.geometry", feedback = true },
  { name = "last_moments", source = "past.moments", feedback = true },
]
outputs = [{ name = "mask", channels = "y", format = "f32", shape = ["(shape_input.z + 7) / 8", "(shape_input.w + 7) / 8"] }]
[node.kernel]
extent_of = "mask"

[[node]]
name = "share"
kind = "kernel"
shader = "share_of.glsl"
inputs = [{ name = "mask", source = "failed.mask" }]
outputs = [{ name = "failed", channels = "y", format = "f32", colour = "data", array = 1 }]
[node.kernel]
workgroup = [256, 1]
)toml";

constexpr const char* pastNode = R"toml(
[[node]]
name = "past"
kind = "kernel"
shader = "past_of.glsl"
footprint = "halo(1)"
inputs = [
  { name = "input", source = "input" },
  { name = "albedo", source = "albedo" },
  { name = "normal", source = "normal" },
  { name = "depth", source = "depth" },
  { name = "motion", source = "motion" },
  { name = "failed", source = "share.failed" },
EXPOSURE  { name = "history", source = "past.state", feedback = true },
  { name = "last_geometry", source = "past.geometry", feedback = true },
  { name = "last_moments", source = "past.moments", feedback = true },
  { name = "last", source = "finish.output", feedback = true },
  { name = "last_divisor", source = "past.divisor", feedback = true },
]
outputs = [
  { name = "state", channels = "rgba", format = "f32", colour = "data" },
  { name = "moments", channels = "rgba", format = "f32", colour = "data" },
  { name = "geometry", channels = "any2", format = "u32", colour = "data" },
  { name = "divisor", channels = "rgb", format = "f16", colour = "data" },
  { name = "accumulated", channels = "rgba", format = "f16", colour = "data" },
  { name = "warped", channels = "rgba", format = "f16", colour = "data" },
  { name = "relit", channels = "rgba", format = "f16", colour = "data" },
]
[node.kernel]
workgroup = [16, 16]
)toml";

}  // namespace

std::string pastNodes(const Network& network, const native::Builder& builder) {
  const std::string head = settingsText(*network.history) + missingPlanes;
  builder.shader("failed_of.glsl", head + "#include \"svgf/failed.glsl\"\n");
  builder.shader("share_of.glsl", "#include \"svgf/share.glsl\"\n");
  builder.shader("past_of.glsl", head + transferText(network) + "#include \"past.glsl\"\n");
  std::string past = pastNode;
  const std::string mark = "EXPOSURE";
  past.replace(past.find(mark), mark.size(),
               network.exposure ? "  { name = \"exposure\", source = \"exposure.exposure\" },\n" : "");
  return shareNodes + past;
}

}  // namespace lacuna::unet
