#include "cnn-unet/network/safetensors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "cnn-unet/network/json.h"

namespace lacuna::unet {
namespace {

using Json = nlohmann::json;

constexpr uint64_t mostHeader = uint64_t{1} << 20;  // the study's takes 3 KB
constexpr size_t mostTensors = 1024;
constexpr size_t mostSizes = 8;
constexpr const char* metadataKey = "__metadata__";

uint64_t headerLength(WeightsStream& file) {
  const std::string& path = file.path();
  if (file.size() < 8)
    throw FileError(
        fmt::format("{}: has {} bytes, but a safetensors file begins with the 8 bytes of its header's length",
                    path, file.size()));
  const std::vector<std::byte> bytes = file.read(0, 8);
  const uint64_t length = littleEndian(bytes);
  if (length > file.size() - 8 && file.size() > 8 && file.read(8, 1).front() != std::byte{'{'})
    throw FileError(fmt::format(
        "{}: is neither a safetensors file of tools/train nor an archive (.tza) of Open Image Denoise",
        path));
  if (length > file.size() - 8)
    throw FileError(
        fmt::format("{}: its header has {} bytes by the first 8 bytes, but only {} follow: the file was cut, "
                    "or is not a safetensors file",
                    path, length, file.size() - 8));
  if (length > mostHeader)
    throw FileError(
        fmt::format("{}: its header has {} bytes, expected {} at most", path, length, mostHeader));
  return length;
}

std::optional<uint64_t> bytesOf(const std::string& type) {
  if (type == "F16" || type == "BF16")
    return 2;
  if (type == "F32")
    return 4;
  return std::nullopt;
}

// A list of whole numbers from 0 to `most`.
std::optional<std::vector<uint64_t>> numbersOf(const Json& entry, const char* key, uint64_t most) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array() || found->size() > mostSizes)
    return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const Json& number : *found) {
    if (!number.is_number_unsigned() || number.get<uint64_t>() > most)
      return std::nullopt;
    numbers.push_back(number.get<uint64_t>());
  }
  return numbers;
}

// The mistake of an entry, or none.
std::string read(const Json& entry, uint64_t dataBytes, Tensor& tensor) {
  if (!entry.is_object())
    return "is not an object";
  const auto type = entry.find("dtype");
  if (type == entry.end() || !type->is_string())
    return "has no 'dtype'";
  tensor.type = type->get<std::string>();
  // Sizes beyond the file's bytes are wrong, and would overflow products.
  const auto shape = numbersOf(entry, "shape", std::min<uint64_t>(dataBytes, UINT32_MAX));
  if (!shape)
    return fmt::format("'shape' is not a list of at most {} sizes that the file has room for", mostSizes);
  const auto offsets = numbersOf(entry, "data_offsets", UINT64_MAX);
  if (!offsets || offsets->size() != 2)
    return "'data_offsets' is not a list of two whole numbers";
  tensor.begin = (*offsets)[0];
  tensor.end = (*offsets)[1];
  if (tensor.begin > tensor.end || tensor.end > dataBytes)
    return fmt::format("lies at bytes {} to {} of the data, which have {}", tensor.begin, tensor.end,
                       dataBytes);
  const auto bytes = bytesOf(tensor.type);
  if (!bytes)
    return fmt::format("is of type '{}', expected F16", shown(tensor.type));
  uint64_t count = *bytes;
  for (const uint64_t size : *shape) {
    tensor.shape.push_back(static_cast<uint32_t>(size));
    count = count > dataBytes ? count : count * size;  // both are below 2^32
  }
  if (count != tensor.end - tensor.begin)
    return fmt::format("has {} bytes, which its shape and type '{}' don't take", tensor.end - tensor.begin,
                       shown(tensor.type));
  return {};
}

void checkOverlap(const std::map<std::string, Tensor>& tensors, Mistakes& mistakes) {
  std::vector<const std::pair<const std::string, Tensor>*> sorted;
  sorted.reserve(tensors.size());
  for (const auto& each : tensors)
    sorted.push_back(&each);
  std::ranges::sort(sorted, [](const auto* a, const auto* b) {
    return std::pair(a->second.begin, a->second.end) < std::pair(b->second.begin, b->second.end);
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->second.begin < sorted[i - 1]->second.end)
      mistakes.add(
          fmt::format("tensors '{}' and '{}' overlap", shown(sorted[i - 1]->first), shown(sorted[i]->first)));
}

}  // namespace

SafetensorsHeader::SafetensorsHeader(WeightsStream& file) {
  const std::string& path = file.path();
  const uint64_t length = headerLength(file);
  dataBegin_ = 8 + length;
  dataBytes_ = file.size() - dataBegin_;
  const std::vector<std::byte> text = file.read(8, length);
  Json header;
  try {
    header = parseJson({reinterpret_cast<const char*>(text.data()), length});
  } catch (const std::runtime_error& error) {
    throw FileError(fmt::format("{}: its header {}", path, error.what()));
  }
  if (!header.is_object())
    throw FileError(fmt::format("{}: its header is not a JSON object", path));
  if (header.size() > mostTensors)
    throw FileError(
        fmt::format("{}: its header has {} entries, expected {} at most", path, header.size(), mostTensors));
  Mistakes mistakes;
  for (const auto& [name, entry] : header.items()) {
    if (name != metadataKey) {
      Tensor tensor;
      const std::string mistake = read(entry, dataBytes_, tensor);
      if (mistake.empty())
        tensors_.emplace(name, std::move(tensor));
      else
        mistakes.add(fmt::format("tensor '{}' {}", shown(name), mistake));
      continue;
    }
    if (!entry.is_object())
      mistakes.add(fmt::format("'{}' is not an object", metadataKey));
    for (const auto& [key, value] : entry.items())
      if (value.is_string())
        metadata_.emplace(key, value.get<std::string>());
      else
        mistakes.add(fmt::format("the metadata's '{}' is not text", shown(key)));
  }
  checkOverlap(tensors_, mistakes);
  if (!mistakes.empty())
    throw FileError(fmt::format("{}: {}", path, mistakes.text()));
}

Safetensors::Safetensors(WeightsStream& file) : SafetensorsHeader(file) {
  data_ = file.read(dataBegin(), dataBytes());
}

}  // namespace lacuna::unet
