#include "tools/lacuna/run/connector_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/files/standard_streams.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/lacuna/watch/live_graph.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

constexpr int largestSide = 320;

struct Numbers {
  int width = 0, height = 0, components = 0;
  std::vector<float> values;
  std::vector<double> least, most, mean;  // of what is finite, for each component
  uint64_t nan = 0, infinite = 0;
};

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

std::string pngOf(const Numbers& numbers, const ImageType& type, uint32_t by) {
  const bool isColour = numbers.components == 3 && type.colour != PixelColour::data;
  const Extent whole{static_cast<uint32_t>(numbers.width), static_cast<uint32_t>(numbers.height)};
  const Extent extent{divideUp(whole.width, by), divideUp(whole.height, by)};
  const auto count = static_cast<size_t>(numbers.components);
  const std::vector<float> small = shrunk(numbers.values, count, whole, extent);
  const double low = *std::ranges::min_element(numbers.least), high = *std::ranges::max_element(numbers.most);
  const ColourTag colour = isColour ? type.colour : ColourTag::rec709;
  std::vector<double> shown =
      isColour ? onScreen({extent, colour, small}) : std::vector<double>(3 * pixelCount(extent));
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

std::string pngOf(const ConstImageView& view, const ImageType& type, int width) {
  return pngOf(numbersOf(view, type), type, std::max(1, view.width / std::max(width, 1)));
}

ConnectorValues connectorValues(const RunArguments& arguments, Device& device, const Graph& graph) {
  ConnectorValues found;
  if (arguments.graph.graph == standardStream && arguments.graph.text.empty())
    return {Json::array(), "The graph came from standard input, which can't be read again."};
  try {
    GraphOptions options = arguments;
    options.frames = Frames({graph.frames().front()});
    options.resume = options.keepOutputs = options.records = false;
    LiveGraph live(device);
    const LiveState state = live.update(
        {arguments, loadState(arguments.graph, arguments.graph.graph, options)}, [] { return false; });
    for (const auto& [output, picture] : state.pictures)
      found.connectors.push_back(measured(output, picture->view(), picture->type));
    if (!state.isRight)
      found.reason = fmt::format("The run for the values failed: {}", state.messages);
  } catch (const std::exception& error) {
    return {Json::array(), fmt::format("The run for the values failed: {}", error.what())};
  }
  return found;
}

}  // namespace lacuna
