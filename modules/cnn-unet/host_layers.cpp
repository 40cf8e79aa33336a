#include "cnn-unet/host_layers.h"

#include "cnn-unet/lattice.h"
#include "cnn-unet/packed_weights.h"

namespace lacuna::unet {

HostLayers hostLayersOf(const Network& network, Size image) {
  const uint32_t multiple = multipleOf(network);
  return {image,
          {extended(image.width, multiple), extended(image.height, multiple)},
          network.inputChannels(),
          static_cast<uint32_t>(4 * resultQuads(network.layers.back())),
          network.layers};
}

std::vector<uint32_t> numbersOf(const HostLayers& all) {
  std::vector<uint32_t> numbers = {all.image.width,
                                   all.image.height,
                                   all.extended.width,
                                   all.extended.height,
                                   all.inputChannels,
                                   all.resultFloats,
                                   static_cast<uint32_t>(all.layers.size())};
  for (const Layer& layer : all.layers) {
    for (const uint32_t number :
         {layer.inputs, layer.channels, layer.relu ? 1U : 0U, static_cast<uint32_t>(layer.halvings),
          static_cast<uint32_t>(layer.sources.size())})
      numbers.push_back(number);
    for (const Source& source : layer.sources) {
      numbers.push_back(static_cast<uint32_t>(source.layer - inputLayer));
      numbers.push_back(static_cast<uint32_t>(source.scale));
    }
  }
  return numbers;
}

std::vector<float> weightsOf(const HostLayers& all) {
  std::vector<float> weights;
  for (const Layer& layer : all.layers) {
    weights.insert(weights.end(), layer.weights.begin(), layer.weights.end());
    weights.insert(weights.end(), layer.biases.begin(), layer.biases.end());
  }
  return weights;
}

HostLayers readHostLayers(const uint32_t* numbers, const float* weights) {
  const auto next = [&] { return *numbers++; };
  const auto take = [&](size_t count) {
    const float* first = weights;
    weights += count;
    return std::vector<float>(first, weights);
  };
  HostLayers all;
  for (uint32_t* number : {&all.image.width, &all.image.height, &all.extended.width, &all.extended.height,
                           &all.inputChannels, &all.resultFloats})
    *number = next();
  all.layers.resize(next());
  for (Layer& layer : all.layers) {
    layer.inputs = next();
    layer.channels = next();
    layer.relu = next() != 0;
    layer.halvings = static_cast<int>(next());
    layer.sources.resize(next());
    for (Source& source : layer.sources) {
      source.layer = static_cast<int>(next()) + inputLayer;
      source.scale = static_cast<Scale>(next());
    }
    layer.weights = take(size_t{9} * layer.inputs * layer.channels);
    layer.biases = take(layer.channels);
  }
  return all;
}

}  // namespace lacuna::unet
