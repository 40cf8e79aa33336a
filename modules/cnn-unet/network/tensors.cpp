#include "cnn-unet/network/tensors.h"

#include <Imath/half.h>
#include <fmt/format.h>

#include <bit>
#include <filesystem>

namespace lacuna::unet {
namespace {

constexpr uint64_t mostBytes = uint64_t{1} << 30;  // of a file

}  // namespace

WeightsStream::WeightsStream(const std::string& path) : path_(path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_regular_file(path, failed))
    throw FileError(fmt::format("{}: no such file; expected weights in a .safetensors or .tza file", path));
  size_ = fs::file_size(path, failed);
  file_.open(path, std::ios::binary);
  if (failed || !file_)
    throw FileError(fmt::format("{}: can't be read", path));
  if (size_ > mostBytes)
    throw FileError(fmt::format("{}: has {} bytes, expected {} at most", path, size_, mostBytes));
}

std::vector<std::byte> WeightsStream::read(uint64_t begin, uint64_t bytes) {
  std::vector<std::byte> content(bytes);
  file_.seekg(static_cast<std::streamoff>(begin));
  if (!file_.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(bytes)))
    throw FileError(fmt::format("{}: can't be read to its end", path_));
  return content;
}

std::vector<float> floatsOf(const Tensor& tensor, std::span<const std::byte> bytes) {
  const size_t size = tensor.type == "F16" ? 2 : 4;
  std::vector<float> values(bytes.size() / size);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<uint32_t>(littleEndian(bytes.subspan(i * size, size)));
    values[i] = size == 2 ? imath_half_to_float(static_cast<uint16_t>(bits)) : std::bit_cast<float>(bits);
  }
  return values;
}

}  // namespace lacuna::unet
