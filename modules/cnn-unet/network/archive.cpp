#include "cnn-unet/network/archive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "cnn-unet/network/json.h"
#include "cnn-unet/network/oidn.h"

namespace lacuna::unet {
namespace {

constexpr uint64_t magic = 0x41D7, version = 2;
constexpr uint64_t headBytes = 12;
constexpr uint64_t mostTableBytes = uint64_t{1} << 20;
constexpr uint64_t mostOfTable = 1024, mostDimensions = 4;
constexpr uint32_t mostOfLayer = 1024;

// Of the filter's inputs.
struct Filter {
  Transfer transfer;
  uint32_t channels;
  bool cleanGuides = false;
};

// Archives that Open Image Denoise has, without _small and _large.
const std::map<std::string, Filter> filters = {
    {"rt_hdr", {Transfer::hdr, 3}},         {"rt_hdr_alb", {Transfer::hdr, 6}},
    {"rt_hdr_alb_nrm", {Transfer::hdr, 9}}, {"rt_hdr_calb_cnrm", {Transfer::hdr, 9, true}},
    {"rt_ldr", {Transfer::ldr, 3}},         {"rt_ldr_alb", {Transfer::ldr, 6}},
    {"rt_ldr_alb_nrm", {Transfer::ldr, 9}}, {"rt_ldr_calb_cnrm", {Transfer::ldr, 9, true}},
    {"rt_alb", {Transfer::albedo, 3}},      {"rt_nrm", {Transfer::normal, 3}}};

std::string stemOf(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::optional<Filter> filterOf(std::string stem) {
  for (const std::string size : {"_small", "_large"})
    if (stem.ends_with(size))
      stem.resize(stem.size() - size.size());
  const auto found = filters.find(stem);
  return found == filters.end() ? std::nullopt : std::optional(found->second);
}

// Reads the table, which nothing vouches for.
class Table {
 public:
  explicit Table(WeightsStream& file) : path_(file.path()), fileBytes_(file.size()) {
    if (fileBytes_ < headBytes)
      fail(fmt::format("has {} bytes, but an archive of Open Image Denoise begins with {}", fileBytes_,
                       headBytes));
    bytes_ = file.read(0, headBytes);
    if (take(2) != magic)
      fail("doesn't begin with D7 41, as archives of Open Image Denoise do");
    if (const uint64_t major = take(1); major != version)
      fail(fmt::format("is of version {}, expected {}", major, version));
    take(1);
    const uint64_t begin = take(8);
    if (begin > fileBytes_)
      fail(fmt::format("its table begins at byte {}, but the file has {}: it was cut", begin, fileBytes_));
    bytes_ = file.read(begin, std::min(fileBytes_ - begin, mostTableBytes));
    at_ = 0;
    const uint64_t count = take(4);
    if (count > mostOfTable)
      fail(fmt::format("has {} tensors by its table, expected {} at most", count, mostOfTable));
    for (uint64_t i = 0; i < count; ++i)
      addTensor();
    if (!mistakes_.empty())
      fail(mistakes_.text());
  }

  const std::map<std::string, Tensor>& tensors() const { return tensors_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{}: {}", path_, what));
  }

  std::span<const std::byte> next(uint64_t count) {
    if (count > bytes_.size() - at_)
      fail(fmt::format("ends within its table, after {} tensors: it was cut", tensors_.size()));
    at_ += count;
    return std::span(bytes_).subspan(at_ - count, count);
  }
  uint64_t take(uint64_t count) { return littleEndian(next(count)); }
  std::string text(uint64_t count) {
    const auto bytes = next(count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  void addTensor() {
    const std::string name = text(take(2));
    Tensor tensor;
    const uint64_t dimensions = take(1);
    if (dimensions == 0 || dimensions > mostDimensions)
      fail(fmt::format("tensor '{}' has {} dimensions, expected 1 to {}", shown(name), dimensions,
                       mostDimensions));
    for (uint64_t i = 0; i < dimensions; ++i)
      tensor.shape.push_back(static_cast<uint32_t>(take(4)));
    const std::string layout = text(dimensions), type = text(1);
    tensor.begin = take(8);
    tensor.type = type == "h" ? "F16" : type == "f" ? "F32" : type;
    const bool isKnown = tensor.type.size() == 3 && (layout == "x" || layout == "oihw");
    if (!isKnown)
      mistakes_.add(fmt::format("tensor '{}' is of type '{}' in the order '{}', expected h or f, x or oihw",
                                shown(name), shown(type), shown(layout)));
    // More than the file has room for would overflow products.
    uint64_t count = type == "h" ? 2 : 4;
    for (const uint32_t size : tensor.shape)
      count = size > 0 && count > fileBytes_ / size ? fileBytes_ + 1 : count * size;
    if (tensor.begin > fileBytes_ || count > fileBytes_ - tensor.begin)
      mistakes_.add(fmt::format("tensor '{}' of shape ({}) begins at byte {} and goes beyond the file's {}",
                                shown(name), fmt::join(tensor.shape, ", "), tensor.begin, fileBytes_));
    tensor.end = tensor.begin + count;
    if (!tensors_.emplace(name, tensor).second)
      mistakes_.add(fmt::format("tensor '{}' is there twice", shown(name)));
  }

  const std::string& path_;
  uint64_t fileBytes_;
  std::vector<std::byte> bytes_;  // of the head, or the table
  uint64_t at_ = 0;
  std::map<std::string, Tensor> tensors_;
  Mistakes mistakes_;
};

void checkTensor(const std::map<std::string, Tensor>& tensors, const std::string& name, size_t dimensions,
                 Mistakes& mistakes) {
  const auto found = tensors.find(name);
  if (found == tensors.end())
    mistakes.add(fmt::format("there is no tensor '{}'", name));
  else if (found->second.shape.size() != dimensions)
    mistakes.add(fmt::format("tensor '{}' has {} dimensions, expected {}", name, found->second.shape.size(),
                             dimensions));
}

// The archive's own channels, which need not be those of a network that Open Image Denoise has.
std::vector<Layer> layersOf(const std::map<std::string, Tensor>& tensors, Mistakes& mistakes) {
  const bool isLarge = tensors.contains("enc_conv1b.weight");
  std::vector<Layer> layers = oidnLayers(isLarge ? OidnNetwork::large : OidnNetwork::base, 0);
  for (const Layer& layer : layers) {
    checkTensor(tensors, layer.name + ".weight", 4, mistakes);
    checkTensor(tensors, layer.name + ".bias", 1, mistakes);
  }
  if (!mistakes.empty())
    return layers;
  const uint32_t pictureChannels = tensors.at(layers.front().name + ".weight").shape[1];
  for (Layer& layer : layers) {
    const std::vector<uint32_t>& shape = tensors.at(layer.name + ".weight").shape;
    const uint32_t biases = tensors.at(layer.name + ".bias").shape[0];
    uint64_t inputs = 0;
    for (const Source& source : layer.sources)
      inputs +=
          source.layer == inputLayer ? pictureChannels : layers[static_cast<size_t>(source.layer)].channels;
    layer.inputs = static_cast<uint32_t>(inputs);
    layer.channels = shape[0];
    const bool isLast = &layer == &layers.back();
    const std::vector<uint32_t> expected = {isLast ? colourResults : layer.channels, layer.inputs, 3, 3};
    if (layer.channels == 0 || layer.channels > mostOfLayer || shape != expected)
      mistakes.add(fmt::format("tensor '{}.weight' is of shape ({}), expected ({})", layer.name,
                               fmt::join(shape, ", "), fmt::join(expected, ", ")));
    if (biases != layer.channels)
      mistakes.add(
          fmt::format("tensor '{}.bias' has {} numbers, expected {}", layer.name, biases, layer.channels));
  }
  const std::vector<uint32_t> known = {3, 6, 9};
  if (mistakes.empty() && std::ranges::count(known, pictureChannels) == 0)
    mistakes.add(
        fmt::format("the network reads {} channels, expected {}", pictureChannels, fmt::join(known, ", ")));
  return layers;
}

// The filter's inputs; throws a mistake where name, channels and `asked` don't fit each other.
Filter filterFor(const std::string& path, Transfer asked, uint32_t channels) {
  const std::optional<Filter> named = filterOf(stemOf(path));
  const bool isGuide = asked == Transfer::albedo || asked == Transfer::normal;
  if (asked != Transfer::byName) {
    if (isGuide && channels != 3)
      throw FileError(
          fmt::format("{} reads {} channels, but filters of albedo or normals read 3", path, channels));
    return {asked, channels, named && named->cleanGuides};
  }
  if (stemOf(path).starts_with("rtlightmap"))
    throw FileError(
        fmt::format("{} is for lightmaps, which Lacuna doesn't filter; expected an archive of the "
                    "filter RT, such as rt_hdr.tza",
                    path));
  if (!named)
    throw FileError(
        fmt::format("{}: its name doesn't say whether it is for light without a bound (hdr) or from 0 to 1 "
                    "(ldr); expected 'transfer' (of `lacuna denoise`: --transfer hdr), or a name that Open "
                    "Image Denoise gives, such as rt_hdr_alb_nrm.tza",
                    path));
  if (named->channels != channels)
    throw FileError(
        fmt::format("{} reads {} channels, but archives of this name read {}; expected its right "
                    "name, or 'transfer' (of `lacuna denoise`: --transfer hdr)",
                    path, channels, named->channels));
  return *named;
}

Curve curveOf(Transfer transfer) {
  return transfer == Transfer::hdr      ? Curve::perceptual
         : transfer == Transfer::normal ? Curve::signedUnit
                                        : Curve::srgb;
}

Network networkOf(const std::string& path, const Table& table, Transfer transfer) {
  Mistakes mistakes;
  Network network;
  network.layers = layersOf(table.tensors(), mistakes);
  if (!mistakes.empty())
    throw FileError(fmt::format("{}: {}", path, mistakes.text()));
  const uint32_t channels = network.layers.front().inputs;
  const Filter filter = filterFor(path, transfer, channels);
  network.name = shown(stemOf(path));
  network.input = {Plane::colour, Plane::albedo, Plane::normal};
  network.input.resize(channels / 3);
  network.curve = curveOf(filter.transfer);
  network.cleanGuides = filter.cleanGuides;
  network.isForGuides = filter.transfer == Transfer::albedo || filter.transfer == Transfer::normal;
  if (filter.transfer == Transfer::hdr)
    network.exposure = ExposureSettings{};
  return network;
}

}  // namespace

bool isArchive(WeightsStream& file) {
  return file.path().ends_with(".tza") || (file.size() >= 2 && littleEndian(file.read(0, 2)) == magic);
}

Network describeArchive(WeightsStream& file, Transfer transfer) {
  return networkOf(file.path(), Table(file), transfer);
}

Network readArchive(WeightsStream& file, Transfer transfer) {
  const Table table(file);
  Network network = networkOf(file.path(), table, transfer);
  Mistakes mistakes;
  const auto read = [&](const std::string& name) {
    const Tensor& tensor = table.tensors().at(name);
    std::vector<float> values = floatsOf(tensor, file.read(tensor.begin, tensor.end - tensor.begin));
    // Halves hold no more, and sums of larger ones are no colours.
    const auto bad = std::ranges::find_if(values, [](float v) { return !(std::abs(v) <= 65504.0F); });
    if (bad != values.end())
      mistakes.add(fmt::format("number {} of tensor '{}' is {}, expected at most 65504", bad - values.begin(),
                               name, *bad));
    return values;
  };
  for (Layer& layer : network.layers) {
    layer.weights = read(layer.name + ".weight");
    layer.biases = read(layer.name + ".bias");
  }
  if (!mistakes.empty())
    throw FileError(fmt::format("{}: {}", file.path(), mistakes.text()));
  return network;
}

}  // namespace lacuna::unet
