#pragma once
// What files of weights have in common: numbers with names and shapes, at places in a file that nothing
// trusts before it is checked.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lacuna::unet {

// A file's mistake: its name, what was found and what was expected.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Tensor {
  std::string type;             // "F16"
  std::vector<uint32_t> shape;  // the number of values between `begin` and `end`, if the type is F16 or F32
  uint64_t begin = 0, end = 0;  // bytes, from the end of the header
};

// A file of known size, of which parts are read. Throws FileError.
class WeightsStream {
 public:
  explicit WeightsStream(const std::string& path);

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }
  // `begin` + `bytes`: within the file.
  std::vector<std::byte> read(uint64_t begin, uint64_t bytes);

 private:
  std::string path_;
  uint64_t size_ = 0;
  std::ifstream file_;
};

// At most 8 bytes.
inline uint64_t littleEndian(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8U | std::to_integer<uint64_t>(bytes[i]);
  return value;
}

// The numbers of a tensor of F16 or F32.
std::vector<float> floatsOf(const Tensor& tensor, std::span<const std::byte> bytes);

}  // namespace lacuna::unet
