#pragma once
// Which weights file a module's `weights` means.

#include "cnn-unet/network/network.h"
#include "shared/native.h"

namespace lacuna::unet {

// The file that `weights` names; where it names none, the one in the module's folder weights/ for the planes
// that are connected. Throws native::Error, which lists the files that fit.
Network networkFor(const native::Call& call, const native::Planes& inputs);

}  // namespace lacuna::unet
