#include "graph/record/bundle.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace lacuna {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic = {'\x89', 'L', 'A', 'C', 'U', 'N', 'A', '\n'};

struct BundleHead {
  std::array<char, 8> magic = lacuna::magic;
  uint32_t version = bundleVersion;
  uint32_t reserved = 0;
  uint64_t bytes = 0;     // of the whole file
  uint64_t checksum = 0;  // of all that follows
};

uint64_t checksumOf(std::string_view text) {
  const std::string_view rest = text.substr(sizeof(BundleHead));
  return XXH3_64bits(rest.data(), rest.size());
}

// What graphs refer to by number.
struct SharedParts {
  std::vector<std::shared_ptr<const vk::Spirv>> code;
  std::vector<std::shared_ptr<const std::vector<std::byte>>> constants;

  std::vector<std::shared_ptr<const vk::Spirv>>& of(const vk::Spirv*) { return code; }
  std::vector<std::shared_ptr<const std::vector<std::byte>>>& of(const std::vector<std::byte>*) {
    return constants;
  }
};

// Both directions of `transfer()`: each function below describes a type once.
class BundleWriter {
 public:
  static constexpr bool reads = false;
  explicit BundleWriter(SharedParts& shared) : shared_(shared) {}

  void raw(const void* data, size_t bytes) { text.append(static_cast<const char*>(data), bytes); }
  void expect(bool) {}
  // Number 0 stands for none.
  template <class T>
  void number(const std::shared_ptr<const T>& part, uint32_t& number) {
    number = 0;
    if (part == nullptr)
      return;
    auto& all = shared_.of(static_cast<const T*>(nullptr));
    const auto found =
        std::ranges::find_if(all, [&](const auto& each) { return each == part || *each == *part; });
    number = static_cast<uint32_t>(found - all.begin()) + 1;
    if (found == all.end())
      all.push_back(part);
  }

  std::string text;

 private:
  SharedParts& shared_;
};

class BundleReader {
 public:
  static constexpr bool reads = true;
  BundleReader(std::string_view text, std::string_view name, SharedParts& shared)
      : text_(text), name_(name), shared_(shared) {}

  void raw(void* data, size_t bytes) {
    expect(bytes <= left());
    std::memcpy(data, text_.data() + at_, bytes);
    at_ += bytes;
  }
  void expect(bool holds) const {
    if (!holds)
      throw BundleError(
          fmt::format("{}: the bundle has unknown contents at byte {}, although its checksum is "
                      "right; export it again",
                      name_, at_));
  }
  template <class T>
  void number(std::shared_ptr<const T>& part, uint32_t number) const {
    auto& all = shared_.of(static_cast<const T*>(nullptr));
    expect(number <= all.size());
    part = number == 0 ? nullptr : all[number - 1];
  }
  size_t left() const { return text_.size() - at_; }

 private:
  std::string_view text_;
  std::string_view name_;
  SharedParts& shared_;
  size_t at_ = sizeof(BundleHead);
};

template <class Io, class T>
requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void transfer(Io& io, T& number) {
  io.raw(&number, sizeof number);
}

template <class Io>
void transfer(Io& io, bool& flag) {
  uint8_t byte = flag ? 1 : 0;
  io.raw(&byte, 1);
  io.expect(byte <= 1);
  flag = byte == 1;
}

template <class Io, class Enum>
void transfer(Io& io, Enum& word, Enum last) {
  auto byte = static_cast<uint8_t>(word);
  io.raw(&byte, 1);
  io.expect(byte <= static_cast<uint8_t>(last));
  word = static_cast<Enum>(byte);
}

template <class Io, class Of>
void transfer(Io& io, Id<Of>& id) {
  int32_t number = id ? static_cast<int32_t>(id.index()) : -1;
  io.raw(&number, sizeof number);
  io.expect(number >= -1);
  id = number < 0 ? Id<Of>() : Id<Of>(static_cast<size_t>(number));
}

// Strings, lists and tables grow as they are read: a length that isn't true ends with the file.
template <class Io, class List>
requires requires(List& list) {
  list.emplace_back();
}
void transfer(Io& io, List& list) {
  auto count = static_cast<uint32_t>(list.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    list = {};
    for (uint32_t i = 0; i < count; ++i)
      transfer(io, list.emplace_back());
  } else {
    for (auto& each : list)
      transfer(io, each);
  }
}

template <class Io>
void transfer(Io& io, std::string& text) {
  auto count = static_cast<uint32_t>(text.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    io.expect(count <= io.left());
    text.resize(count);
  }
  io.raw(text.data(), count);
}

template <class Io, class T>
void transferWords(Io& io, std::vector<T>& words) {
  auto count = static_cast<uint64_t>(words.size());
  io.raw(&count, sizeof count);
  if constexpr (Io::reads) {
    io.expect(count <= io.left() / sizeof(T));
    words.resize(count);
  }
  io.raw(words.data(), count * sizeof(T));
}

template <class Io, class T, size_t count>
void transfer(Io& io, std::array<T, count>& list) {
  for (T& each : list)
    transfer(io, each);
}

template <class Io, class T>
void transfer(Io& io, std::optional<T>& optional) {
  bool is = optional.has_value();
  transfer(io, is);
  if (is && !optional)
    optional.emplace();
  if (is)
    transfer(io, *optional);
}

template <class Io, class T>
void transfer(Io& io, std::map<std::string, T>& map) {
  std::vector<std::pair<std::string, T>> list(map.begin(), map.end());
  transfer(io, list);
  map = {list.begin(), list.end()};
}

template <class Io, class T>
void transfer(Io& io, std::pair<std::string, T>& pair) {
  transfer(io, pair.first);
  transfer(io, pair.second);
}

template <class Io, class T>
void transfer(Io& io, std::shared_ptr<const T>& part) {
  uint32_t number = 0;
  if constexpr (!Io::reads)
    io.number(part, number);
  transfer(io, number);
  if constexpr (Io::reads)
    io.number(part, number);
}

template <class Io>
void transfer(Io& io, ParameterValue& value) {
  auto kind = static_cast<uint8_t>(value.index());
  io.raw(&kind, 1);
  io.expect(kind < std::variant_size_v<ParameterValue>);
  if constexpr (Io::reads)
    value = kind == 0   ? ParameterValue(0.0)
            : kind == 1 ? ParameterValue(int64_t{0})
            : kind == 2 ? ParameterValue(false)
                        : ParameterValue(std::string());
  std::visit([&](auto& held) { transfer(io, held); }, value);
}

template <class Io>
void transfer(Io& io, NumberRange& range) {
  transfer(io, range.minimum);
  transfer(io, range.maximum);
}

template <class Io>
void transfer(Io& io, ParameterDescription& parameter) {
  transfer(io, parameter.name);
  transfer(io, parameter.type, ParameterType::choice);
  transfer(io, parameter.count);
  transfer(io, parameter.range);
  transfer(io, parameter.choices);
  transfer(io, parameter.perLevel);
}

template <class Io>
void transfer(Io& io, Keyframe& key) {
  transfer(io, key.frame);
  transfer(io, key.values);
  transfer(io, key.linear);
}

template <class Io>
void transfer(Io& io, Parameter& parameter) {
  transfer(io, parameter.values);
  transfer(io, parameter.keyframes);
}

template <class Io>
void transfer(Io& io, ModuleInstance& module) {
  ModuleDescription description = module.description == nullptr ? ModuleDescription() : *module.description;
  transfer(io, description.name);
  transfer(io, module.instance);
  transfer(io, description.parameters);
  transfer(io, module.parameters);
  io.expect(module.parameters.size() == description.parameters.size());
  if constexpr (Io::reads) {
    module.description = std::make_shared<const ModuleDescription>(std::move(description));
    for (size_t i = 0; i < module.parameters.size(); ++i)
      module.parameters[i].description = &module.description->parameters[i];
  }
}

template <class Io>
void transfer(Io& io, Extent& extent) {
  transfer(io, extent.width);
  transfer(io, extent.height);
}

template <class Io>
void transfer(Io& io, MemoryPort& port) {
  transfer(io, port.valueName);
  transfer(io, port.type.channels, Channels::mosaic);
  transfer(io, port.type.format, Format::u32);
  transfer(io, port.type.colour, ColourTag::own);
  transfer(io, port.type.extent);
  transfer(io, port.isSource);
}

template <class Io>
void transfer(Io& io, GivenPlace& place) {
  transfer(io, place.kind, ResourceKind::image);
  transfer(io, place.format, ImageFormat::d32f);
}

template <class Io>
void transfer(Io& io, Resource& resource) {
  transfer(io, resource.name);
  transfer(io, resource.kind, ResourceKind::image);
  transfer(io, resource.imageFormat, ImageFormat::d32f);
  transfer(io, resource.width);
  transfer(io, resource.height);
  transfer(io, resource.bytes);
  transfer(io, resource.value);
  transfer(io, resource.persistent);
  transfer(io, resource.byAddress);
  transfer(io, resource.given);
  transfer(io, resource.contents);
}

template <class Io>
void transfer(Io& io, Access& access) {
  transfer(io, access.resource);
  transfer(io, access.kind, AccessKind::readWrite);
  transfer(io, access.point, AccessPoint::uniformBuffer);
  transfer(io, access.binding);
  transfer(io, access.element);
  transfer(io, access.byAddress);
}

template <class Io>
void transfer(Io& io, MatrixUse& matrices) {
  transfer(io, matrices.kind, MatrixKind::khr);
  transfer(io, matrices.float16);
  transfer(io, matrices.workgroup);
  transfer(io, matrices.eight);
}

template <class Io>
void transfer(Io& io, BlockField& field) {
  transfer(io, field.module);
  transfer(io, field.parameter);
  transfer(io, field.offset);
  transfer(io, field.stride);
  transfer(io, field.count);
  transfer(io, field.integer);
}

template <class Io>
void transfer(Io& io, Pass& pass) {
  transfer(io, pass.name);
  transfer(io, pass.kind, PassKind::host);
  transfer(io, pass.shader.matrices);
  transfer(io, pass.blockBytes);
  transfer(io, pass.block);
  transfer(io, pass.specialization);
  transfer(io, pass.groups);
  transfer(io, pass.pushConstants);
  transfer(io, pass.accesses);
  transfer(io, pass.sharedBytes);
}

template <class Io>
void transfer(Io& io, Swap& swap) {
  transfer(io, swap.now);
  transfer(io, swap.last);
}

template <class Io>
void transfer(Io& io, BundledGraph& graph) {
  transfer(io, graph.size);
  transfer(io, graph.passes.graph.modules.firstNumber);
  transfer(io, graph.passes.graph.modules.modules);
  transfer(io, graph.passes.resources);
  transfer(io, graph.passes.passes);
  transfer(io, graph.passes.swaps);
  transfer(io, graph.spirv);
  transfer(io, graph.ports);
  transfer(io, graph.places);
  transfer(io, graph.cutsAtGaps);
  transfer(io, graph.lanes);
}

template <class Io, class T>
void transferParts(Io& io, std::vector<std::shared_ptr<const std::vector<T>>>& parts) {
  auto count = static_cast<uint32_t>(parts.size());
  transfer(io, count);
  for (uint32_t i = 0; i < count; ++i) {
    std::vector<T> words = Io::reads ? std::vector<T>() : *parts[i];
    transferWords(io, words);
    if constexpr (Io::reads)
      parts.push_back(std::make_shared<const std::vector<T>>(std::move(words)));
  }
}

}  // namespace

std::string bundleText(Bundle bundle) {
  SharedParts shared;
  BundleWriter graphs(shared);
  transfer(graphs, bundle.graphs);
  BundleWriter parts(shared);
  transfer(parts, bundle.maker);
  transferParts(parts, shared.code);
  transferParts(parts, shared.constants);
  const BundleHead head;
  std::string text(reinterpret_cast<const char*>(&head), sizeof head);
  text += parts.text + graphs.text;
  renewHead(text);
  return text;
}

Bundle parseBundle(std::string_view text, const std::string& name) {
  BundleHead head;
  if (text.size() < sizeof head || std::memcmp(text.data(), magic.data(), magic.size()) != 0)
    throw BundleError(fmt::format("{}: this is no bundle; expected a file that `lacuna export` wrote", name));
  std::memcpy(&head, text.data(), sizeof head);
  if (head.version != bundleVersion) {
    throw BundleError(
        fmt::format("{}: a bundle of version {}, but this library reads version {}; export it "
                    "with the `lacuna` that came with the library",
                    name, head.version, bundleVersion));
  }
  if (head.bytes != text.size()) {
    throw BundleError(
        fmt::format("{}: the bundle has {} bytes, but was written with {}; copy or export it again", name,
                    text.size(), head.bytes));
  }
  if (head.checksum != checksumOf(text))
    throw BundleError(
        fmt::format("{}: the bundle is damaged: its checksum doesn't fit; copy or export it again", name));
  Bundle bundle{.name = name};
  SharedParts shared;
  BundleReader reader(text, name, shared);
  transfer(reader, bundle.maker);
  transferParts(reader, shared.code);
  transferParts(reader, shared.constants);
  transfer(reader, bundle.graphs);
  reader.expect(reader.left() == 0 && !bundle.graphs.empty());
  for (const BundledGraph& graph : bundle.graphs)
    if (const std::string why = contradictionIn(graph); !why.empty())
      throw BundleError(
          fmt::format("{}: the bundle's graph can't be recorded: {}; export it again", name, why));
  return bundle;
}

Bundle readBundle(const std::string& path) {
  std::error_code error;
  const bool isFile = std::filesystem::is_regular_file(path, error);
  std::ifstream file(path, std::ios::binary);
  std::string text(isFile ? std::filesystem::file_size(path, error) : 0, '\0');
  if (!isFile || !file.read(text.data(), static_cast<std::streamsize>(text.size()))) {
    throw BundleError(fmt::format("{}: the bundle can't be read: {}", path,
                                  error    ? error.message()
                                  : isFile ? std::strerror(errno)
                                           : "not a file"));
  }
  return parseBundle(text, path);
}

void renewHead(std::string& text) {
  BundleHead head;
  if (text.size() < sizeof head)
    return;
  std::memcpy(&head, text.data(), sizeof head);
  head.bytes = text.size();
  head.checksum = checksumOf(text);
  std::memcpy(text.data(), &head, sizeof head);
}

}  // namespace lacuna
