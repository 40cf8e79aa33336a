#include "tests/support/weights_file.h"

#include "cnn-unet/network/oidn.h"
#include "tests/support/random.h"
#include "tools/bench/unet/networks.h"

namespace lacuna::test {
namespace {

using unet::Layer;
using unet::Network;
using unet::Plane;
using unet::Scale;

void add(std::mt19937_64& random, Network& network, int channels, std::vector<unet::Source> sources) {
  Layer layer;
  layer.name = "convolution" + std::to_string(network.layers.size());
  layer.channels = static_cast<uint32_t>(channels);
  layer.relu = true;
  layer.sources = std::move(sources);
  for (const unet::Source& source : layer.sources) {
    layer.inputs += network.channelsOfLayer(source.layer);
    layer.halvings = network.halvingsOfLayer(source.layer) + unet::halvingsBy(source.scale);
  }
  drawWeights(random, layer);
  network.layers.push_back(std::move(layer));
}

}  // namespace

Network smallestNetwork(std::mt19937_64& random, const std::vector<Plane>& planes) {
  Network network;
  network.name = "smallest";
  network.input = planes;
  add(random, network, 20, {{unet::inputLayer, Scale::same}});
  add(random, network, 9, {{0, Scale::half}});
  if (network.isOfPhotographs())
    network.curve = unet::Curve::photograph;
  add(random, network, static_cast<int>(network.results()), {{1, Scale::twice}, {0, Scale::same}});
  network.layers.back().relu = !network.isOfPhotographs();
  drawLastWeights(random, network.layers.back(), 0.4);
  return network;
}

Network deepNetwork(std::mt19937_64& random, const std::vector<Plane>& planes, int layers) {
  Network network;
  network.name = "deep";
  network.input = planes;
  for (int i = 0; i < layers; ++i)
    add(random, network, i + 1 < layers ? 1 + i % 9 : 3, {{i == 0 ? unet::inputLayer : i - 1, Scale::same}});
  return network;
}

Network randomNetwork(std::mt19937_64& random, const std::vector<Plane>& planes, int widest) {
  Network network;
  network.name = "random";
  network.input = planes;
  if (network.isOfPhotographs())
    network.curve = unet::Curve::photograph;
  else if (pick(random, 0, 2) > 0)
    network.exposure = unet::ExposureSettings{static_cast<uint32_t>(pick(random, 1, 20))};
  for (const Plane plane : planes)
    if (plane == Plane::albedo && pick(random, 0, 2) > 0)
      network.leastAlbedo = 0.05;
  const auto channels = [&] { return pick(random, 1, widest); };
  add(random, network, channels(), {{unet::inputLayer, Scale::same}});
  add(random, network, channels(), {{0, Scale::half}});
  add(random, network, channels(), {{1, Scale::half}});
  add(random, network, channels(), {{2, Scale::twice}, {1, Scale::same}, {0, Scale::half}});
  network.layers.back().relu = false;
  add(random, network, channels(), {{0, Scale::same}, {3, Scale::twice}});
  add(random, network, static_cast<int>(network.results()),
      {{4, Scale::same}, {unet::inputLayer, Scale::same}});
  Layer& last = network.layers.back();
  last.relu = pick(random, 0, 3) == 0 && !network.isOfPhotographs();
  drawLastWeights(random, last, 0.4);
  return network;
}

Network archivedNetwork(std::mt19937_64& random, unet::Transfer transfer, uint32_t inputs, int widest,
                        bool isLarge) {
  Network network;
  network.name = "archived";
  network.input = {Plane::colour, Plane::albedo, Plane::normal};
  network.input.resize(inputs / 3);
  network.curve = transfer == unet::Transfer::hdr      ? unet::Curve::perceptual
                  : transfer == unet::Transfer::normal ? unet::Curve::signedUnit
                                                       : unet::Curve::srgb;
  if (transfer == unet::Transfer::hdr)
    network.exposure = unet::ExposureSettings{};
  for (const Layer& layer :
       unet::oidnLayers(isLarge ? unet::OidnNetwork::large : unet::OidnNetwork::base, inputs)) {
    add(random, network, layer.channels == 3 ? 3 : pick(random, 1, widest), layer.sources);
    network.layers.back().name = layer.name;
  }
  drawLastWeights(random, network.layers.back(), 0.1);
  return network;
}

}  // namespace lacuna::test
