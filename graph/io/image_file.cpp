#include "graph/io/image_file.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "graph/files/part_file.h"
#include "graph/io/codec.h"

namespace lacuna {
namespace {

using io::Codec;

constexpr std::array<const Codec*, 4> codecs = {&io::pngCodec, &io::jpegCodec, &io::pfmCodec, &io::exrCodec};

const Codec& findCodec(std::string_view name) {
  for (const Codec* codec : codecs)
    if (name == codec->name)
      return *codec;
  throw FileError(fmt::format("there is no codec '{}'; there are png, jpeg, pfm and exr", name));
}

}  // namespace

std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted) {
  const Codec& reader = findCodec(codec);
  io::checkSignature(reader, path);
  return reader.probe(path, wanted);
}

void readImage(const std::string& codec, const std::string& path, std::span<const PlaneTarget> targets) {
  const Codec& reader = findCodec(codec);
  io::checkSignature(reader, path);
  reader.read(path, targets);
}

void readImage(const std::string& codec, const std::string& path, const std::string& plane,
               const ValueType& expected, std::span<std::byte> destination) {
  const PlaneTarget target{plane, expected, destination};
  readImage(codec, path, std::span(&target, 1));
}

void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options) {
  const Codec& writer = findCodec(codec);
  if (const std::optional<std::string> reason = unwritable(path))
    throw FileError(*reason);
  PartFile part(path);
  writer.write(path, part.name(), planes, options);
  part.place();
}

}  // namespace lacuna
