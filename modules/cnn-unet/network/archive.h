#pragma once
// Weights archives of Open Image Denoise (.tza), and what its filter RT does around the network, by its
// sources (github.com/RenderKit/oidn, commit e050ac80: core: tza, unet_filter, rt_filter,
// color). Little endian: 0x41D7 in 2 bytes, version 2.0 in 2, the table's place in 8. The table: the number
// of tensors in 4; of each the length of its name in 2, the name, the number of dimensions in 1, each in 4, a
// letter for each (oihw, or x), the type's letter (f or h), the place of the numbers in 8.

#include <string>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

// By its first two bytes, or its name.
bool isArchive(WeightsStream& file);

// Throws FileError, which lists the mistakes. An archive doesn't say for which pictures it is: with
// Transfer::byName its name must be one that Open Image Denoise gives, such as rt_hdr_alb_nrm_small.tza.
Network readArchive(WeightsStream& file, Transfer transfer);
Network describeArchive(WeightsStream& file, Transfer transfer);  // without weights

}  // namespace lacuna::unet
