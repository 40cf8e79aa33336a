#include "tools/lacuna/run/connector_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "graph/config/text.h"
#include "graph/files/standard_streams.h"
#include "graph/pictures/compare.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

struct Tap {
  std::string output;  // "eaw:01:output"
  std::string sink;    // "o-memory:report-3"
};

const NodeGraph& loadedOf(const Graph& graph) {
  return door::Access::of(graph)->loaded.graph;
}

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
  for (const ModuleInstance& module : loadedOf(graph).modules.modules) {
    if (module.builtFrom.empty() && writesFile(module) && sinks < files.size()) {
      tapped.outputs.push_back(fmt::format("{}={}/{}{}", module.name(), folder, sinks,
                                           std::filesystem::path(files[sinks]).extension().string()));
      ++sinks;
    }
  }
  return tapped;
}

std::string linesOf(const std::vector<Tap>& taps) {
  std::string lines;
  for (const Tap& tap : taps)
    lines += fmt::format("module:{}\nconnect:{}:{}:input\n", tap.sink, tap.output, tap.sink);
  return lines;
}

constexpr int largestSide = 320;

struct Numbers {
  int width = 0, height = 0, components = 0;
  std::vector<float> values;
  std::vector<double> least, most, mean;  // of what is finite, for each component
  uint64_t nan = 0, infinite = 0;
};

// Means of what is finite in squares of pixels.
std::vector<float> shrink(const Numbers& all, int by) {
  std::vector<float> small;
  for (int top = 0; top < all.height; top += by)
    for (int left = 0; left < all.width; left += by)
      for (int c = 0; c < all.components; ++c) {
        double sum = 0.0;
        int count = 0;
        for (int y = top; y < std::min(top + by, all.height); ++y)
          for (int x = left; x < std::min(left + by, all.width); ++x) {
            const float value = all.values[(static_cast<size_t>(y) * all.width + x) * all.components + c];
            sum += std::isfinite(value) ? value : 0.0;
            count += std::isfinite(value) ? 1 : 0;
          }
        small.push_back(count > 0 ? static_cast<float>(sum / count)
                                  : std::numeric_limits<float>::quiet_NaN());
      }
  return small;
}

Numbers numbersOf(const ConstImageView& view, const ImageType& type) {
  Numbers numbers{view.width, view.height, std::min(componentCount(type.channels), 3), {}, {}, {}, {}};
  const auto count = static_cast<size_t>(numbers.components);
  numbers.values.resize(static_cast<size_t>(view.width) * static_cast<size_t>(view.height) * count);
  const ChannelOrder order = count == 1 ? ChannelOrder::x : count == 2 ? ChannelOrder::xy : ChannelOrder::rgb;
  copy(view, {numbers.values.data(), view.width, view.height, order, PixelFormat::f32});
  numbers.least.assign(count, std::numeric_limits<double>::infinity());
  numbers.most.assign(count, -std::numeric_limits<double>::infinity());
  numbers.mean.assign(count, 0.0);
  std::vector<uint64_t> finite(count);
  for (size_t i = 0; i < numbers.values.size(); ++i) {
    const float value = numbers.values[i];
    const size_t c = i % count;
    numbers.nan += std::isnan(value) ? 1 : 0;
    numbers.infinite += std::isinf(value) ? 1 : 0;
    if (std::isfinite(value)) {
      numbers.least[c] = std::min<double>(numbers.least[c], value);
      numbers.most[c] = std::max<double>(numbers.most[c], value);
      numbers.mean[c] += value;
      ++finite[c];
    }
  }
  for (size_t c = 0; c < count; ++c) {
    if (finite[c] == 0)
      numbers.least[c] = numbers.most[c] = 0.0;
    numbers.mean[c] /= static_cast<double>(std::max<uint64_t>(finite[c], 1));
  }
  return numbers;
}

std::string pngOf(const Numbers& numbers, const ImageType& type, int by) {
  const bool isColour = numbers.components == 3 && type.colour != PixelColour::data;
  const std::vector<float> small = shrink(numbers, by);
  const Extent extent{static_cast<uint32_t>((numbers.width + by - 1) / by),
                      static_cast<uint32_t>((numbers.height + by - 1) / by)};
  const double low = *std::ranges::min_element(numbers.least), high = *std::ranges::max_element(numbers.most);
  const ColourTag colour = isColour ? type.colour : ColourTag::rec709;
  std::vector<double> shown =
      isColour ? onScreen({extent, colour, small}) : std::vector<double>(3 * pixelCount(extent));
  const auto count = static_cast<size_t>(numbers.components);
  for (size_t i = 0; i < shown.size(); ++i) {
    const size_t c = i % 3, from = count == 1 ? 0 : c;
    const float value = from < count ? small[i / 3 * count + from] : static_cast<float>(low);
    if (!std::isfinite(value))
      shown[i] = c == 1 ? 0.0 : 1.0;  // magenta
    else if (!isColour)
      shown[i] = high > low ? (value - low) / (high - low) : .5;
  }
  return pngOf(shown, colour, extent, 1);  // soon
}

Json measured(const std::string& output, const ConstImageView& view, const ImageType& type) {
  const Numbers numbers = numbersOf(view, type);
  const int by = (std::max(view.width, view.height) + largestSide - 1) / largestSide;
  return {
      {"name", output},
      {"type", fmt::format("{} {} {}x{}", name(type.channels), name(type.colour), type.width, type.height)},
      {"least", numbers.least},
      {"most", numbers.most},
      {"mean", numbers.mean},
      {"nan", numbers.nan},
      {"infinite", numbers.infinite},
      {"picture", "data:image/png;base64," + base64(pngOf(numbers, type, by))}};
}

}  // namespace

std::shared_ptr<door::GraphState> loadTapped(const RunArguments& arguments, const Graph& graph,
                                             const std::string& folder, const std::string& lines) {
  GraphOptions options = arguments;
  options.frames = Frames({graph.frames().front()});
  options.resume = options.keepOutputs = options.records = false;
  return loadState(withLines(arguments, graph, folder, lines), arguments.graph.graph, options);
}

std::vector<std::string> imageOutputs(const Graph& graph) {
  std::vector<std::string> outputs;
  for (const ModuleInstance& module : loadedOf(graph).modules.modules) {
    if (!module.builtFrom.empty())
      continue;
    for (const ConnectorDescription& connector : module.description->connectors)
      if (connector.direction == Direction::output && connector.arrayCount == 0 &&
          contains(module.connectedOutputs, connector.name))
        outputs.push_back(module.name() + ":" + connector.name);
  }
  return outputs;
}

std::string pngOf(const ConstImageView& view, const ImageType& type, int width) {
  return pngOf(numbersOf(view, type), type, std::max(1, view.width / std::max(width, 1)));
}

ConnectorValues connectorValues(const RunArguments& arguments, Device& device, const Graph& graph) {
  ConnectorValues found;
  if (arguments.graph.graph == standardStream && arguments.graph.text.empty())
    return {Json::array(), "The graph came from standard input, which can't be read again."};
  try {
    const TemporaryFolder folder;
    std::vector<Tap> taps;
    for (const std::string& output : imageOutputs(graph))
      taps.push_back({output, fmt::format("o-memory:report-{}", taps.size())});
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
        found.connectors.push_back(measured(tap.output, frame.sink(tap.sink), pipeline.imageType(tap.sink)));
    };
    pipeline.run(run);
  } catch (const std::exception& error) {
    return {Json::array(), fmt::format("The run for the values failed: {}", error.what())};
  }
  return found;
}

}  // namespace lacuna
