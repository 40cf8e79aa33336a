#pragma once
// Networks as tables: layers by name, each with what it reads.

#include <string_view>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

constexpr std::string_view pictureName = "input";

struct LayerRead {
  std::string_view layer;  // or pictureName
  Scale scale = Scale::same;
};

struct Convolution {
  const char* name;
  uint32_t channels;
  std::vector<LayerRead> reads;  // of equal sizes
  bool relu = true;
};

// Without weights. `inputs`: channels of the picture.
std::vector<Layer> layersOf(const std::vector<Convolution>& table, uint32_t inputs);

}  // namespace lacuna::unet
