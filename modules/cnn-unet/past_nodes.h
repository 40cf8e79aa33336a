#pragma once
// The kernels that compute pixels' history, as [[node]] text: `past`, whose code svgf shares.

#include <string>

#include "cnn-unet/network/network.h"
#include "shared/native.h"

namespace lacuna::unet {

std::string pastNodes(const Network& network, const native::Builder& builder);

}  // namespace lacuna::unet
