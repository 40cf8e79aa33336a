#include "tools/lacuna/run/connector_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/files/standard_streams.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/page/page.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/lacuna/watch/live_graph.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

constexpr int largestSide = 320;

struct Values {
  Extent extent;
  size_t components = 0;
  std::vector<float> each;  // all components of a pixel, one after the other
};

Values valuesOf(const ConstImageView& view, Channels channels) {
  const auto components = static_cast<size_t>(componentCount(channels));
  Values values{{static_cast<uint32_t>(view.width), static_cast<uint32_t>(view.height)}, components, {}};
  values.each.resize(pixelCount(values.extent) * components);
  constexpr std::array orders = {ChannelOrder::x, ChannelOrder::xy, ChannelOrder::rgb, ChannelOrder::rgba};
  copy(view, {values.each.data(), view.width, view.height, orders.at(components - 1), PixelFormat::f32});
  return values;
}

struct Ranges {
  std::vector<double> least, most, mean;  // of what is finite, for each component
  uint64_t nan = 0, infinite = 0;
};

Ranges rangesOf(const Values& values) {
  const size_t count = values.components;
  Ranges ranges{std::vector(count, std::numeric_limits<double>::infinity()),
                std::vector(count, -std::numeric_limits<double>::infinity()), std::vector(count, 0.0)};
  std::vector<uint64_t> finite(count);
  for (size_t i = 0; i < values.each.size(); ++i) {
    const float value = values.each[i];
    const size_t c = i % count;
    ranges.nan += std::isnan(value) ? 1 : 0;
    ranges.infinite += std::isinf(value) ? 1 : 0;
    if (std::isfinite(value)) {
      ranges.least[c] = std::min<double>(ranges.least[c], value);
      ranges.most[c] = std::max<double>(ranges.most[c], value);
      ranges.mean[c] += value;
      ++finite[c];
    }
  }
  for (size_t c = 0; c < count; ++c) {
    if (finite[c] == 0)
      ranges.least[c] = ranges.most[c] = 0.0;
    ranges.mean[c] /= static_cast<double>(std::max<uint64_t>(finite[c], 1));
  }
  return ranges;
}

// Of linear light in steps of 1/65535: at most .03 of a byte's step off.
std::byte byteOnScreen(float value) {
  constexpr float steps = 65535.0F;
  static const std::vector<std::byte> table = [] {
    ColourImage light{{static_cast<uint32_t>(steps) + 1, 1}, ColourTag::rec709, {}};
    for (float i = 0.0F; i <= steps; ++i)
      light.rgb.push_back(i / steps);
    std::vector<std::byte> bytes;
    for (const double shown : onScreen(light))
      bytes.push_back(static_cast<std::byte>(std::lround(255 * shown)));
    return bytes;
  }();
  return table[static_cast<size_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * steps))];
}

bool isColour(const Values& values, PixelColour tag) {
  return values.components >= 3 && tag != PixelColour::data;
}

// `ranges`: of what isn't a colour.
std::string pngOf(const Values& values, PixelColour tag, const Ranges& ranges, uint32_t by, int compression) {
  const size_t count = values.components, shown = std::min<size_t>(count, 3);
  const bool keepsColour = isColour(values, tag);
  const Extent extent{divideUp(values.extent.width, by), divideUp(values.extent.height, by)};
  const std::vector<float> fewer =
      by > 1 ? shrunk(values.each, count, values.extent, extent) : std::vector<float>();
  const std::vector<float>& each = by > 1 ? fewer : values.each;
  double low = 0.0, high = 0.0;
  if (!keepsColour) {
    low = *std::min_element(ranges.least.begin(), ranges.least.begin() + static_cast<ptrdiff_t>(shown));
    high = *std::max_element(ranges.most.begin(), ranges.most.begin() + static_cast<ptrdiff_t>(shown));
  }
  std::vector<std::byte> rgba(4 * pixelCount(extent), std::byte{255});
  for (size_t pixel = 0; pixel < rgba.size() / 4; ++pixel)
    for (size_t c = 0; c < 3; ++c) {
      const size_t from = count == 1 ? 0 : c;
      const float value = from < shown ? each[pixel * count + from] : static_cast<float>(low);
      std::byte& to = rgba[4 * pixel + c];
      if (!std::isfinite(value))
        to = c == 1 ? std::byte{0} : std::byte{255};  // magenta
      else if (keepsColour)
        to = byteOnScreen(value);
      else
        to = static_cast<std::byte>(std::lround(high > low ? 255 * (value - low) / (high - low) : 127.5));
    }
  return pngOf(rgba, keepsColour ? tag : ColourTag::rec709, extent, compression);
}

Json measured(const std::string& output, const std::string& type, const Ranges& ranges) {
  return {{"name", output},      {"type", type},      {"least", ranges.least},      {"most", ranges.most},
          {"mean", ranges.mean}, {"nan", ranges.nan}, {"infinite", ranges.infinite}};
}

Json measuredPicture(const std::string& output, const LivePicture& picture) {
  const ImageType& type = picture.type;
  const Values values = valuesOf(picture.view(), type.channels);
  const Ranges ranges = rangesOf(values);
  const auto by = static_cast<uint32_t>((std::max(type.width, type.height) + largestSide - 1) / largestSide);
  Json one = measured(
      output, fmt::format("{} {} {}x{}", name(type.channels), name(type.colour), type.width, type.height),
      ranges);
  one["picture"] = "data:image/png;base64," + base64(pngOf(values, type.colour, ranges, by, 1));
  return one;
}

// From the file that a LiveGraph keeps it in.
Json measuredArray(const std::string& output, const std::string& file) {
  const ValueType type = probeImage("npy", file, {"array"}).at("array");
  std::vector<std::byte> bytes(byteSize(type));
  readImage("npy", file, "array", type, bytes);
  const int components = componentCount(type.channels);
  ConstImageView view{bytes.data(),
                      static_cast<int>(type.arrayCount),
                      1,
                      {},
                      type.format == Format::f16 ? PixelFormat::f16 : PixelFormat::f32};
  view.order = components == 1 ? ChannelOrder::x : components == 2 ? ChannelOrder::xy : ChannelOrder::rgba;
  view.pixelBytes = bytesPerElement(type);
  return measured(output, print(type), rangesOf(valuesOf(view, type.channels)));
}

}  // namespace

std::string pngOf(const ConstImageView& view, const ImageType& type, int width) {
  const Values values = valuesOf(view, type.channels);
  // Uncompressed: it stays on this machine.
  return pngOf(values, type.colour, isColour(values, type.colour) ? Ranges() : rangesOf(values),
               static_cast<uint32_t>(std::max(1, view.width / std::max(width, 1))), 0);
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
      found.connectors.push_back(measuredPicture(output, *picture));
    for (const auto& [output, folder] : live.kept().arrays)
      found.connectors.push_back(measuredArray(output, arrayIn(*folder)));
    if (!state.isRight)
      found.reason = fmt::format("The run for the values failed: {}", state.messages);
  } catch (const std::exception& error) {
    return {Json::array(), fmt::format("The run for the values failed: {}", error.what())};
  }
  return found;
}

}  // namespace lacuna
