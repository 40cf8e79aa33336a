#include "modules/codecs/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/files/memory_bound.h"
#include "graph/files/part_file.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/half_float.h"

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

float fromSrgb(float v) {
  return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
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

std::array<float, 2> motionFactors(MotionConvention convention, Extent extent) {
  const auto width = static_cast<float>(extent.width), height = static_cast<float>(extent.height);
  const std::array<float, 2> factors[] = {
      {1.0F, 1.0F}, {1.0F, -1.0F}, {width, height}, {width / 2, -height / 2}};
  return factors[static_cast<size_t>(convention)];
}

std::string asParameters(MotionConvention convention, const std::array<float, 2>& scale) {
  const std::string text = fmt::format("motion:{}", nameOf(convention));
  return scale == std::array{1.0F, 1.0F} ? text
                                         : fmt::format("{} and motion_scale:{}:{}", text, scale[0], scale[1]);
}

std::string_view nameOf(MotionConvention convention) {
  constexpr std::string_view names[] = {"pixels", "blender", "uv", "ndc"};
  return names[static_cast<size_t>(convention)];
}

std::optional<MotionConvention> motionConventionFromName(std::string_view name) {
  const auto found = std::ranges::find(motionConventions, name, &nameOf);
  return found == motionConventions.end() ? std::nullopt : std::optional(*found);
}

ColourImage loadColour(const std::string& path, const ReadOptions& options) {
  const std::string codec = codecOfFile(path);
  const ValueType type = probeImage(codec, path, {"output"}, options).at("output");
  if (type.channels == Channels::mosaic)
    io::refuse(path, "a raw photograph, whose pixels have one colour each; make a picture of it first");
  checkMemory(path, byteSize(type) + uint64_t{12} * type.extent.width * type.extent.height);
  std::vector<std::byte> pixels(byteSize(type));
  readImage(codec, path, "output", type, pixels, options);
  const int components = componentCount(type.channels);
  if (components == 2 || type.format == Format::u32)
    io::refuse(path, "{} is not a colour; expected one, three or four components", print(type));
  const bool isInteger = type.format == Format::u8 || type.format == Format::u16;
  const bool encoded = io::codecOfWord(codec)->isEncoded() && isInteger;
  const size_t count = size_t{type.extent.width} * type.extent.height;
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  ColourImage image{type.extent, type.colour, std::vector<float>(3 * count)};
  const auto alphaAt = [&](size_t i) {
    return components == 4 ? io::componentAt(pixels.data() + i * pixelBytes, 3, type.format) : 1.0F;
  };
  for (size_t i = 0; i < count && !image.hasAlpha; ++i)
    image.hasAlpha = alphaAt(i) != 1.0F;
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    const float value =
        io::componentAt(pixels.data() + i / 3 * pixelBytes, components == 1 ? 0 : i % 3, type.format);
    image.rgb[i] = encoded ? fromSrgb(value) * alphaAt(i / 3) : value;
  }
  return image;
}

}  // namespace lacuna
