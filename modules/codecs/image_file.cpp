#include "modules/codecs/image_file.h"

#include <fmt/format.h>

#include "graph/files/memory_bound.h"
#include "graph/files/part_file.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace {

using io::Codec;

const Codec& findCodec(const std::string& name) {
  if (const Codec* codec = io::codecOfWord(name))
    return *codec;
  throw FileError(fmt::format("there is no codec '{}'; there are {}", name, io::knownFormats()));
}

const Codec& codecToRead(const std::string& name, const std::string& path) {
  const Codec& codec = findCodec(name);
  io::checkSignature(codec, path);
  return codec;
}

}  // namespace

std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted,
                                            const ReadOptions& options) {
  std::map<std::string, ValueType> types = codecToRead(codec, path).probe(path, wanted, options);
  uint64_t bytes = 0;
  for (const auto& [plane, type] : types)
    bytes += byteSize(type);
  checkMemory(path, bytes);
  return types;
}

void readImage(const std::string& codec, const std::string& path, std::span<const PlaneTarget> targets,
               const ReadOptions& options) {
  codecToRead(codec, path).read(path, targets, options);
}

void readImage(const std::string& codec, const std::string& path, const std::string& plane,
               const ValueType& expected, std::span<std::byte> destination, const ReadOptions& options) {
  const PlaneTarget target{plane, expected, destination};
  readImage(codec, path, std::span(&target, 1), options);
}

void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options) {
  const Codec& writer = findCodec(codec);
  PartFile part(path);
  writer.write(path, part.name(), planes, options);
  part.place();
}

}  // namespace lacuna
