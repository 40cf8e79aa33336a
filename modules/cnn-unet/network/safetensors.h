#pragma once
// Safetensors files: 8 bytes, little-endian, with the length of the header; the header in JSON; the tensors.
// Nothing in the file is trusted before it is checked against the file's size.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cnn-unet/network/tensors.h"

namespace lacuna::unet {

// A file's description of its tensors: everything except numbers.
class SafetensorsHeader {
 public:
  explicit SafetensorsHeader(WeightsStream& file);  // throws FileError, which lists all mistakes

  const std::map<std::string, Tensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  uint64_t dataBegin() const { return dataBegin_; }  // in the file
  uint64_t dataBytes() const { return dataBytes_; }

 private:
  uint64_t dataBegin_ = 0, dataBytes_ = 0;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

class Safetensors : public SafetensorsHeader {
 public:
  explicit Safetensors(WeightsStream& file);  // the same

  std::span<const std::byte> data() const { return data_; }
  std::span<const std::byte> data(const Tensor& tensor) const {
    return data().subspan(tensor.begin, tensor.end - tensor.begin);
  }

 private:
  std::vector<std::byte> data_;
};

}  // namespace lacuna::unet
