#include "tools/bench/unet/networks.h"

#include <Imath/half.h>

#include <algorithm>
#include <cmath>

#include "cnn-unet/network/layer_table.h"
#include "cnn-unet/network/oidn.h"

namespace lacuna {
namespace {

using unet::Layer;
using unet::Plane;

// With ReLU behind all layers but the last.
std::vector<Layer> studyLayers(uint32_t inputs) {
  using unet::pictureName;
  using enum unet::Scale;
  return unet::layersOf({{"convolution0", 32, {{pictureName}}},
                         {"convolution1", 43, {{"convolution0", half}}},
                         {"convolution2", 57, {{"convolution1", half}}},
                         {"convolution3", 76, {{"convolution2", half}}},
                         {"convolution4", 101, {{"convolution3", half}}},
                         {"convolution5", 101, {{"convolution4", half}}},
                         {"convolution6", 101, {{"convolution5", twice}, {"convolution4"}}},
                         {"convolution7", 101, {{"convolution6"}}},
                         {"convolution8", 76, {{"convolution7", twice}, {"convolution3"}}},
                         {"convolution9", 76, {{"convolution8"}}},
                         {"convolution10", 57, {{"convolution9", twice}, {"convolution2"}}},
                         {"convolution11", 57, {{"convolution10"}}},
                         {"convolution12", 43, {{"convolution11", twice}, {"convolution1"}}},
                         {"convolution13", 43, {{"convolution12"}}},
                         {"convolution14", 32, {{"convolution13", twice}, {"convolution0"}}},
                         {"convolution15", unet::colourResults, {{"convolution14"}}, false}},
                        inputs);
}

struct DrawnNetwork {
  std::string name;
  std::vector<Plane> planes;
  std::vector<Layer> (*layers)(uint32_t inputs);
  unet::Curve curve = unet::Curve::perceptual;
};

// The study's reads colours, normals and depths, as Open Image Denoise's colours, albedos and normals.
const std::vector<DrawnNetwork>& knownNetworks() {
  using enum unet::OidnNetwork;
  static const std::vector<DrawnNetwork> all = {
      {"study", {Plane::colour, Plane::normal, Plane::depth}, studyLayers, unet::Curve::log},
      {"oidn-base",
       {Plane::colour, Plane::albedo, Plane::normal},
       [](uint32_t inputs) { return oidnLayers(base, inputs); }},
      {"oidn-small", {Plane::colour, Plane::albedo, Plane::normal}, [](uint32_t inputs) {
         return oidnLayers(small, inputs);
       }}};
  return all;
}

// Numbers that halves hold.
std::vector<float> drawHalves(std::mt19937_64& random, size_t count, double mean, double deviation) {
  std::normal_distribution<double> draw(mean, deviation);
  std::vector<float> halves(count);
  for (float& each : halves)
    each = Imath::half(static_cast<float>(draw(random)));
  return halves;
}

}  // namespace

void drawWeights(std::mt19937_64& random, Layer& layer) {
  const double deviation = std::sqrt(2.0 / (9.0 * layer.inputs));
  layer.weights = drawHalves(random, size_t{layer.channels} * layer.inputs * 9, 0.0, deviation);
  layer.biases = drawHalves(random, layer.channels, 0.1, 0.2);  // they show where borders are wrong
}

void drawLastWeights(std::mt19937_64& random, Layer& last, double deviation) {
  last.weights = drawHalves(random, last.weights.size(), 0.0, deviation / std::sqrt(9.0 * last.inputs));
  last.biases = drawHalves(random, last.biases.size(), 0.5, 0.1);
}

const std::vector<std::string>& drawnNetworks() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const DrawnNetwork& each : knownNetworks())
      all.push_back(each.name);
    return all;
  }();
  return names;
}

unet::Network drawnNetwork(std::mt19937_64& random, const std::string& name) {
  const DrawnNetwork& found = *std::ranges::find(knownNetworks(), name, &DrawnNetwork::name);
  unet::Network network;
  network.name = name;
  network.input = found.planes;
  network.curve = found.curve;
  network.exposure = unet::ExposureSettings{};
  network.layers = found.layers(network.inputChannels());
  for (Layer& layer : network.layers)
    drawWeights(random, layer);
  drawLastWeights(random, network.layers.back(), 0.1);
  return network;
}

}  // namespace lacuna
