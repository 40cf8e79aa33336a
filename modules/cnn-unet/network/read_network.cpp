// The tensors of a weights file, against its description.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cnn-unet/network/archive.h"
#include "cnn-unet/network/json.h"
#include "cnn-unet/network/safetensors.h"

namespace lacuna::unet {
namespace {

constexpr const char* descriptionKey = "lacuna.network";

class TensorReader {
 public:
  explicit TensorReader(const Safetensors& file) : file_(file) {}

  // The numbers of the next tensor, in the order of the file; none if it isn't as expected.
  std::vector<float> read(const std::string& name, const std::vector<uint32_t>& shape) {
    wanted_.insert(name);
    const auto found = file_.tensors().find(name);
    if (found == file_.tensors().end()) {
      mistakes_.add(fmt::format("there is no tensor '{}'", name));
      return {};
    }
    const Tensor& tensor = found->second;
    const uint64_t begin = end_;
    end_ = tensor.end;
    if (tensor.type != "F16" || tensor.shape != shape) {
      mistakes_.add(fmt::format("tensor '{}' is {} of shape ({}), expected F16 of ({})", name, tensor.type,
                                fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")));
      return {};
    }
    if (tensor.begin != begin) {
      mistakes_.add(
          fmt::format("tensor '{}' begins at byte {} of the data, expected {}: tensors lie in the order of "
                      "the layers, without gaps",
                      name, tensor.begin, begin));
      return {};
    }
    std::vector<float> values = floatsOf(tensor, file_.data(tensor));
    const auto bad = std::ranges::find_if_not(values, [](float v) { return std::isfinite(v); });
    if (bad != values.end())
      mistakes_.add(fmt::format("number {} of tensor '{}' is infinite or NaN", bad - values.begin(), name));
    return values;
  }

  void finish() {
    for (const auto& [name, tensor] : file_.tensors())
      if (!wanted_.contains(name))
        mistakes_.add(fmt::format("tensor '{}' belongs to no layer", shown(name)));
    if (mistakes_.empty() && end_ != file_.data().size())
      mistakes_.add(
          fmt::format("the tensors end at byte {} of the data, which have {}", end_, file_.data().size()));
  }
  const Mistakes& mistakes() const { return mistakes_; }

 private:
  const Safetensors& file_;
  std::set<std::string> wanted_;
  uint64_t end_ = 0;  // of the tensor before
  Mistakes mistakes_;
};

Network describedBy(const SafetensorsHeader& file, const std::string& path) {
  const auto description = file.metadata().find(descriptionKey);
  if (description == file.metadata().end())
    throw FileError(
        fmt::format("{}: its metadata have no '{}', which describes the network; expected a file that "
                    "tools/train/train.py wrote",
                    path, descriptionKey));
  return parseDescription(description->second, fmt::format("{}: '{}' of its metadata", path, descriptionKey));
}

void checkTransfer(const std::string& path, Transfer transfer) {
  if (transfer != Transfer::byName)
    throw FileError(
        fmt::format("{} describes its own transfer curve; '{}' is for archives of Open Image "
                    "Denoise (.tza)",
                    path, transferNames[static_cast<size_t>(transfer)]));
}

}  // namespace

Network readDescription(const std::string& path, Transfer transfer) {
  WeightsStream file(path);
  if (isArchive(file))
    return describeArchive(file, transfer);
  checkTransfer(path, transfer);
  return describedBy(SafetensorsHeader(file), path);
}

Network readNetwork(const std::string& path, Transfer transfer) {
  WeightsStream stream(path);
  if (isArchive(stream))
    return readArchive(stream, transfer);
  checkTransfer(path, transfer);
  const Safetensors file(stream);
  Network network = describedBy(file, path);
  TensorReader reader(file);
  for (Layer& layer : network.layers) {
    layer.weights = reader.read(layer.name + ".weight", {layer.channels, layer.inputs, 3, 3});
    layer.biases = reader.read(layer.name + ".bias", {layer.channels});
  }
  reader.finish();
  if (!reader.mistakes().empty())
    throw FileError(fmt::format("{}: {}", path, reader.mistakes().text()));
  return network;
}

}  // namespace lacuna::unet
