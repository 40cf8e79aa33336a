#include "tools/lacuna/run/connector_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/page/page.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

struct Tap {
  std::string output;  // "eaw:01:output"
  std::string sink;    // "o-memory:report-3"
};

bool writesFile(const ModuleInstance& module) {
  const ModuleDescription& described = *module.description;
  return described.parameter("filename") != nullptr &&
         std::ranges::any_of(described.nodes, [](const auto& node) { return node.kind == NodeKind::sink; });
}

// The graph with its own sinks writing into `folder`, and more lines behind it.
GraphArguments withLines(const RunArguments& arguments, const Graph& graph, const std::string& folder,
                         const std::string& lines) {
  GraphArguments tapped = arguments.graph;
  if (tapped.text.empty())
    tapped.text = readTextFile(tapped.graph).text;
  tapped.text += "\n" + lines;
  tapped.outputs.clear();
  const std::vector<std::string> files = graph.outputFiles(graph.frames().front());
  size_t sinks = 0;
  for (const ModuleInstance& module : door::Access::of(graph)->loaded.graph.modules.modules) {
    if (module.builtFrom.empty() && writesFile(module) && sinks < files.size()) {
      tapped.outputs.push_back(fmt::format("{}={}/{}{}", module.name(), folder, sinks,
                                           std::filesystem::path(files[sinks]).extension().string()));
      ++sinks;
    }
  }
  return tapped;
}

std::shared_ptr<door::GraphState> loadTapped(const RunArguments& arguments, const Graph& graph,
                                             const std::string& folder, const std::string& lines) {
  GraphOptions options = arguments;
  options.frames = Frames({graph.frames().front()});
  options.resume = options.keepOutputs = options.records = false;
  return loadState(withLines(arguments, graph, folder, lines), arguments.graph.graph, options);
}

std::string linesOf(const std::vector<Tap>& taps) {
  std::string lines;
  for (const Tap& tap : taps)
    lines += fmt::format("module:{}\nconnect:{}:{}:input\n", tap.sink, tap.output, tap.sink);
  return lines;
}

// Outputs that a sink in memory takes: images, of numbers.
std::vector<Tap> tapsOf(const RunArguments& arguments, const Graph& graph, const std::string& folder) {
  std::vector<Tap> taps;
  for (const ModuleInstance& module : door::Access::of(graph)->loaded.graph.modules.modules) {
    if (!module.builtFrom.empty())
      continue;
    for (const ConnectorDescription& connector : module.description->connectors) {
      if (connector.direction != Direction::output || !contains(module.connectedOutputs, connector.name))
        continue;
      const Tap tap{module.name() + ":" + connector.name, fmt::format("o-memory:report-{}", taps.size())};
      if (loadTapped(arguments, graph, folder, linesOf({tap}))->loaded.ok())
        taps.push_back(tap);
    }
  }
  return taps;
}

constexpr int largestSide = 320;

// Halved until it is small; the mean of what is finite.
struct Small {
  int width = 0, height = 0;
  std::vector<float> values;
};

Small shrink(const std::vector<float>& values, int width, int height, int components) {
  const int by = std::max(1, (std::max(width, height) + largestSide - 1) / largestSide);
  Small small{(width + by - 1) / by, (height + by - 1) / by, {}};
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x)
      for (int c = 0; c < components; ++c) {
        double sum = 0.0;
        int count = 0;
        for (int v = y * by; v < std::min((y + 1) * by, height); ++v)
          for (int u = x * by; u < std::min((x + 1) * by, width); ++u) {
            const float value = values[static_cast<size_t>((v * width + u) * components + c)];
            sum += std::isfinite(value) ? value : 0.0;
            count += std::isfinite(value) ? 1 : 0;
          }
        small.values.push_back(count > 0 ? static_cast<float>(sum / count)
                                         : std::numeric_limits<float>::quiet_NaN());
      }
  return small;
}

// Colours as a screen shows them; other values from the least (black) to the most (white). NaN is magenta.
std::string pictureOf(const Small& small, int components, bool isColour, const std::vector<double>& least,
                      const std::vector<double>& most, const std::string& folder) {
  ColourImage image{
      {static_cast<uint32_t>(small.width), static_cast<uint32_t>(small.height)}, ColourTag::rec709, {}};
  const double low = *std::ranges::min_element(least), high = *std::ranges::max_element(most);
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, image.extent, 0};
  std::vector<std::byte> pixels(byteSize(type), std::byte{255});
  for (size_t i = 0; i < static_cast<size_t>(small.width) * static_cast<size_t>(small.height); ++i)
    for (size_t c = 0; c < 3; ++c) {
      const size_t from = components == 1 ? 0 : c;
      const float value = from < static_cast<size_t>(components)
                              ? small.values[i * static_cast<size_t>(components) + from]
                              : 0.0F;
      const double shown = isColour ? value : high > low ? (value - low) / (high - low) : .5;
      const double bounded = std::clamp(shown, 0.0, 1.0);
      const double screen =
          isColour ? (bounded <= .0031308 ? 12.92 * bounded : 1.055 * std::pow(bounded, 1 / 2.4) - .055)
                   : bounded;
      pixels[4 * i + c] = static_cast<std::byte>(std::isfinite(value) ? std::lround(255 * screen)
                                                 : c == 1             ? 0
                                                                      : 255);
    }
  const std::string file = folder + "/value.png";
  writeImage("png", file, {{"output", type, pixels}}, {.compression = 6});
  return "data:image/png;base64," + base64(readBytes(file));
}

Json measured(const Tap& tap, const ConstImageView& view, const ImageType& type, const std::string& folder) {
  const int components = std::min(componentCount(type.channels), 3);
  std::vector<float> values(static_cast<size_t>(view.width) * static_cast<size_t>(view.height) *
                            static_cast<size_t>(components));
  const ChannelOrder order = components == 1   ? ChannelOrder::x
                             : components == 2 ? ChannelOrder::xy
                                               : ChannelOrder::rgb;
  copy(view, {values.data(), view.width, view.height, order, PixelFormat::f32});
  std::vector<double> least(static_cast<size_t>(components), std::numeric_limits<double>::infinity()),
      most(least.size(), -least[0]), sum(least.size());
  uint64_t nan = 0, infinite = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t c = i % least.size();
    nan += std::isnan(values[i]) ? 1 : 0;
    infinite += std::isinf(values[i]) ? 1 : 0;
    if (std::isfinite(values[i])) {
      least[c] = std::min<double>(least[c], values[i]);
      most[c] = std::max<double>(most[c], values[i]);
      sum[c] += values[i];
    }
  }
  const double count = static_cast<double>(view.width) * view.height;
  for (size_t c = 0; c < least.size(); ++c) {
    sum[c] /= std::max(count, 1.0);
    if (least[c] > most[c])
      least[c] = most[c] = 0.0;
  }
  const bool isColour = type.channels == Channels::rgba || type.channels == Channels::rgb;
  const bool hasColours = isColour && type.colour != ColourTag::data;
  return {
      {"name", tap.output},
      {"type", fmt::format("{} {} {}x{}", name(type.channels), name(type.colour), type.width, type.height)},
      {"least", least},
      {"most", most},
      {"mean", sum},
      {"nan", nan},
      {"infinite", infinite},
      {"picture", pictureOf(shrink(values, view.width, view.height, components), components, hasColours,
                            least, most, folder)}};
}

}  // namespace

ConnectorValues connectorValues(const RunArguments& arguments, Device& device, const Graph& graph) {
  ConnectorValues found;
  if (arguments.graph.graph == standardStream && arguments.graph.text.empty())
    return {Json::array(), "The graph came from standard input, which can't be read again."};
  try {
    const TemporaryFolder folder;
    const std::vector<Tap> taps = tapsOf(arguments, graph, folder.path());
    const auto state = loadTapped(arguments, graph, folder.path(), linesOf(taps));
    if (!state->loaded.ok())
      return {Json::array(), state->loaded.diagnostics.render()};
    PipelineOptions options = arguments.graph.pipeline;
    options.startsFast = true;
    const Graph tapped = door::openGraph(state);
    Pipeline pipeline(device, tapped, options);
    RunOptions run;
    run.take = [&](const Frame& frame) {
      for (const Tap& tap : taps)
        found.connectors.push_back(
            measured(tap, frame.sink(tap.sink), pipeline.imageType(tap.sink), folder.path()));
    };
    pipeline.run(run);
  } catch (const std::exception& error) {
    return {Json::array(), fmt::format("The run for the values failed: {}", error.what())};
  }
  return found;
}

}  // namespace lacuna
