#pragma once
// The networks of Open Image Denoise, by its sources (github.com/RenderKit/oidn, commit e050ac80): names,
// channels and connections by the training's model, ReLU behind every convolution by the C++ class UNetFilter
// (the training's model has none behind dec_conv0).

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

enum class OidnNetwork { base, small, large };

// Without weights. `inputs`: channels of the picture: 3 of colour, and 3 each of albedo and normals.
std::vector<Layer> oidnLayers(OidnNetwork kind, uint32_t inputs);

}  // namespace lacuna::unet
