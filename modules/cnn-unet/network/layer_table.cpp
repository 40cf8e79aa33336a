#include "cnn-unet/network/layer_table.h"

#include <algorithm>

namespace lacuna::unet {

std::vector<Layer> layersOf(const std::vector<Convolution>& table, uint32_t inputs) {
  std::vector<Layer> layers;
  for (const Convolution& each : table) {
    Layer layer;
    layer.name = each.name;
    layer.channels = each.channels;
    layer.relu = each.relu;
    for (const LayerRead& read : each.reads) {
      const auto found = std::ranges::find(layers, read.layer, &Layer::name);
      const bool isPicture = read.layer == pictureName;
      layer.sources.push_back(
          {isPicture ? inputLayer : static_cast<int>(found - layers.begin()), read.scale});
      layer.inputs += isPicture ? inputs : found->channels;
      layer.halvings = (isPicture ? 0 : found->halvings) + halvingsBy(read.scale);
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace lacuna::unet
