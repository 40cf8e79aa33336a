#pragma once
// Weights files, as tools/train writes them too, and archives of Open Image Denoise.

#include <nlohmann/json_fwd.hpp>

#include "cnn-unet/network/network.h"

namespace lacuna::unet {

// What parseDescription() reads.
nlohmann::json descriptionOf(const Network& network);

// A safetensors file's bytes: tensors in the order of the layers, without gaps.
std::string weightsFile(const Network& network);
// The same with this header and data.
std::string safetensors(const nlohmann::json& header, const std::string& data);

// An archive (.tza) with numbers in halves, or in floats.
std::string archiveFile(const Network& network, bool inFloats = false);

}  // namespace lacuna::unet
