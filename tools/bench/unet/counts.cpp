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

Json toJson(const UnetLayerCounts& layer) {
  return {{"name", layer.name},
          {"width", layer.size.width},
          {"height", layer.size.height},
          {"inputs", layer.inputs},
          {"outputs", layer.outputs},
          {"parameters", layer.parameters},
          {"operations", layer.operations},
          {"paddedOperations", layer.paddedOperations},
          {"floorBytes", layer.floorBytes}};
}

bool isStudyNetwork(const std::vector<UnetLayerCounts>& layers) {
  const Json& paper = study("unet");
  const Json& figures = paper.at("figures");
  return layers.front().size == Extent{paper.at("width"), paper.at("height")} &&
         std::equal(layers.begin(), layers.end(), figures.begin(), figures.end(),
                    [](const UnetLayerCounts& layer, const Json& figure) {
                      return layer.inputs == figure.at("inputs") && layer.outputs == figure.at("outputs");
                    });
}

std::vector<UnetLayerCounts> unetCounts(const unet::Network& network, Extent picture) {
  const uint32_t multiple = 1U << static_cast<uint32_t>(network.mostHalvings());
  const Extent extended{(picture.width + multiple - 1) / multiple * multiple,
                        (picture.height + multiple - 1) / multiple * multiple};
  const auto sizeOf = [&](int layer) {
    const auto halvings = static_cast<uint32_t>(network.halvingsOfLayer(layer));
    return Extent{extended.width >> halvings, extended.height >> halvings};
  };
  std::vector<UnetLayerCounts> all;
  for (const unet::Layer& layer : network.layers) {
    UnetLayerCounts counts{layer.name, sizeOf(static_cast<int>(all.size())), layer.inputs, layer.channels};
    uint32_t paddedInputs = 0;
    for (const unet::Source& source : layer.sources) {
      const uint32_t channels = network.channelsOfLayer(source.layer);
      paddedInputs += paddedChannels(channels);
      counts.floorBytes += bytesOfHalf * channels * pixelsOf(sizeOf(source.layer));
    }
    const double pixels = pixelsOf(counts.size);
    counts.parameters = tapsOfLayer * layer.inputs * layer.channels + layer.channels;
    counts.operations = 2.0 * tapsOfLayer * layer.inputs * layer.channels * pixels;
    counts.paddedOperations = 2.0 * tapsOfLayer * paddedInputs * paddedChannels(layer.channels) * pixels;
    counts.floorBytes += bytesOfHalf * (layer.channels * pixels + counts.parameters);
    all.push_back(counts);
  }
  return all;
}

}  // namespace lacuna
