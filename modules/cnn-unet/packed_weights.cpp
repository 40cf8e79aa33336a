#include "cnn-unet/packed_weights.h"

#include <Imath/half.h>

#include "cnn-unet/layer_nodes.h"

namespace lacuna::unet {

uint32_t inputBlocksOf(const Network& network, const Layer& layer) {
  uint32_t blocks = 0;
  for (const Source& source : layer.sources)
    blocks += blocksOf(network.channelsOfLayer(source.layer));
  return blocks;
}

std::vector<uint16_t> packWeights(const Network& network, const Layer& layer) {
  constexpr size_t side = blockChannels, taps = 9;
  const size_t inputBlocks = inputBlocksOf(network, layer);
  std::vector<uint16_t> packed(blocksOf(layer.channels) * inputBlocks * taps * side * side);
  size_t input = 0;   // of all sources together
  size_t padded = 0;  // the same, where each source begins with a block
  for (const Source& source : layer.sources) {
    const uint32_t channels = network.channelsOfLayer(source.layer);
    for (uint32_t c = 0; c < channels; ++c, ++input) {
      const size_t place = padded + c;
      for (size_t o = 0; o < layer.channels; ++o)
        for (size_t tap = 0; tap < taps; ++tap) {
          const size_t tile = (o / side * inputBlocks + place / side) * taps + tap;
          const size_t inside = place % side / 2 * side * 2 + o % side * 2 + place % 2;
          packed[tile * side * side + inside] = layer.weights[(o * layer.inputs + input) * taps + tap];
        }
    }
    padded += size_t{blocksOf(channels)} * side;
  }
  return packed;
}

std::vector<float> packBiases(const Layer& layer) {
  std::vector<float> packed(size_t{blocksOf(layer.channels)} * blockChannels);
  for (size_t i = 0; i < layer.biases.size(); ++i)
    packed[i] = imath_half_to_float(layer.biases[i]);
  return packed;
}

}  // namespace lacuna::unet
