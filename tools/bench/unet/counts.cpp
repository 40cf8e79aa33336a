#include "tools/bench/unet/counts.h"

#include <algorithm>

#include "tools/bench/places.h"

namespace lacuna {
namespace {

constexpr uint32_t blockOfMatrices = 16;
constexpr double tapsOfLayer = 9.0, bytesOfHalf = 2.0;

double pixelsOf(Extent size) {
  return static_cast<double>(size.width) * size.height;
}

uint32_t paddedChannels(uint32_t channels) {
  return (channels + blockOfMatrices - 1) / blockOfMatrices * blockOfMatrices;
}

}  // namespace

bool isStudyNetwork(const Json& layers) {
  const Json& figures = study("unet").at("figures");
  return std::equal(layers.begin(), layers.end(), figures.begin(), figures.end(),
                    [](const Json& layer, const Json& figure) {
                      return agree(layer, figure, {"inputs", "outputs"});
                    });
}

Json unetCounts(const unet::Network& network, Extent picture) {
  const uint32_t multiple = 1U << static_cast<uint32_t>(network.mostHalvings());
  const Extent extended{(picture.width + multiple - 1) / multiple * multiple,
                        (picture.height + multiple - 1) / multiple * multiple};
  const auto sizeOf = [&](int layer) {
    const auto halvings = static_cast<uint32_t>(network.halvingsOfLayer(layer));
    return Extent{extended.width >> halvings, extended.height >> halvings};
  };
  Json all = Json::array();
  for (const unet::Layer& layer : network.layers) {
    const Extent size = sizeOf(static_cast<int>(all.size()));
    const double pixels = pixelsOf(size);
    const double parameters = tapsOfLayer * layer.inputs * layer.channels + layer.channels;
    double numbers = layer.channels * pixels + parameters;
    uint32_t paddedInputs = 0;
    for (const unet::Source& source : layer.sources) {
      const uint32_t channels = network.channelsOfLayer(source.layer);
      paddedInputs += paddedChannels(channels);
      numbers += channels * pixelsOf(sizeOf(source.layer));
    }
    all.push_back(
        {{"name", layer.name},
         {"width", size.width},
         {"height", size.height},
         {"inputs", layer.inputs},
         {"outputs", layer.channels},
         {"parameters", parameters},
         {"operations", 2.0 * tapsOfLayer * layer.inputs * layer.channels * pixels},
         {"paddedOperations", 2.0 * tapsOfLayer * paddedInputs * paddedChannels(layer.channels) * pixels},
         {"floorBytes", bytesOfHalf * numbers}});
  }
  return all;
}

}  // namespace lacuna
