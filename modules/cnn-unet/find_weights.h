#pragma once
// The weights file of a module's `weights`.

#include "cnn-unet/network/network.h"
#include "shared/native.h"

namespace lacuna::unet {

// The file that `weights` names, or by default the one in the module's folder weights/ for the connected
// planes. Throws native::Error, which lists the files that fit.
Network networkFor(const native::Call& call, const native::Planes& inputs);

}  // namespace lacuna::unet
