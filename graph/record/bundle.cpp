#include "graph/record/bundle.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "graph/record/bundle_transfer.h"

namespace lacuna::transferring {

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

}  // namespace lacuna::transferring

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
  transferring::SharedParts shared;
  transferring::BundleWriter graphs(shared);
  transfer(graphs, bundle.graphs);
  transferring::BundleWriter parts(shared);
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
  transferring::SharedParts shared;
  transferring::BundleReader reader(text, sizeof head, name, shared);
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
