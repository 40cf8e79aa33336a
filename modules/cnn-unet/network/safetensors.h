#pragma once
// Safetensors files: 8 bytes, little-endian, with the length of the header; the header in JSON; the tensors.
// Nothing that the file says is believed before it is checked against the file's size.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lacuna::unet {

// What is wrong with a file: its name, what was found and what was expected.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Tensor {
  std::string type;             // "F16"
  std::vector<uint32_t> shape;  // of what `begin` and `end` have bytes for, where the type is F16 or F32
  uint64_t begin = 0, end = 0;  // bytes, from the end of the header
};

class Safetensors {
 public:
  explicit Safetensors(const std::string& path);  // throws FileError, which lists all mistakes

  const std::map<std::string, Tensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::span<const std::byte> data() const { return std::span(content_).subspan(dataBegin_); }
  std::span<const std::byte> data(const Tensor& tensor) const {
    return data().subspan(tensor.begin, tensor.end - tensor.begin);
  }

 private:
  std::vector<std::byte> content_;
  size_t dataBegin_ = 0;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace lacuna::unet
