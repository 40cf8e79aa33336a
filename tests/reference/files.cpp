#include "tests/reference/files.h"

#include <Imath/half.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "graph/shader/compile.h"

namespace lacuna::test {

void writeFile(const std::string& codec, const std::string& path,
               const std::map<std::string, Image>& planes) {
  std::vector<NamedImage> named;
  for (const auto& [name, image] : planes)
    named.push_back({name, image.type, std::as_bytes(std::span(image.words))});
  writeImage(codec, path, named);
}

Image readFile(const std::string& codec, const std::string& path, const std::string& plane) {
  const ReadOptions codes{.profile = false};
  const ValueType type = probeImage(codec, path, {plane}, codes).at(plane);
  Image image;
  image.type = type;
  image.words.resize(byteSize(type) / 4);
  readImage(codec, path, plane, type, std::as_writable_bytes(std::span(image.words)), codes);
  return image;
}

FileArray readArray(const std::string& path) {
  FileArray array{probeImage("npy", path, {"array"}).at("array"), {}};
  std::vector<std::byte> bytes(byteSize(array.type));
  readImage("npy", path, "array", array.type, bytes);
  for (size_t i = 0; i < array.type.arrayCount; ++i) {
    Imath::half half;
    float single = 0;
    if (array.type.format == Format::f16)
      std::memcpy(&half, bytes.data() + 2 * i, 2);
    else
      std::memcpy(&single, bytes.data() + 4 * i, 4);
    array.values.push_back(array.type.format == Format::f16 ? static_cast<float>(half) : single);
  }
  return array;
}

std::map<std::string, Image> runFiles(const MemoryGraph& graph) {
  vk::Device& device = testDevice();
  Session session(device, scheduleOf(graph, "auto"), graph.modulePath, ShaderCache::defaultFolder());
  for (const auto& [source, image] : graph.sources) {
    const auto memory = session.uploadMemory("i-memory:" + source + ":image.output");
    EXPECT_EQ(memory.size(), image.words.size() * 4);
    std::memcpy(memory.data(), image.words.data(), memory.size());
  }
  session.run(0);
  std::map<std::string, Image> images;
  const NodeGraph& nodes = session.schedule().graph;
  for (const Node& node : nodes.nodes) {
    if (node.kind != NodeKind::sink || !node.description->memory)
      continue;
    const Value& value = nodes.values[node.inputs.front().value];
    Image image = makeImage(value.type.channels, value.type.format, value.type.extent, value.type.colour);
    const auto memory = session.downloadMemory(value.name);
    std::memcpy(image.words.data(), memory.data(), memory.size());
    images[nodes.modules.modules[node.module].instance] = std::move(image);
  }
  for (const std::string& message : device.validationMessages())
    ADD_FAILURE() << message;
  return images;
}

Image randomCodes(std::mt19937_64& random, Format format, Extent extent, bool opaque) {
  Image image = makeImage(Channels::rgba, format, extent, ColourTag::rec709);
  const int most = format == Format::u8 ? 255 : 65535;
  const size_t wordsPerPixel = format == Format::u8 ? 1 : 2;
  const uint32_t bits = format == Format::u8 ? 8 : 16;
  for (size_t pixel = 0; pixel < image.words.size() / wordsPerPixel; ++pixel) {
    uint64_t packed = 0;
    for (uint32_t c = 0; c < 4; ++c) {
      const int code = c == 3 && opaque ? most : pick(random, 0, most);
      packed |= static_cast<uint64_t>(code) << (bits * c);
    }
    image.words[pixel * wordsPerPixel] = static_cast<uint32_t>(packed);
    if (wordsPerPixel == 2)
      image.words[pixel * wordsPerPixel + 1] = static_cast<uint32_t>(packed >> 32U);
  }
  return image;
}

double srgbToLinear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double linearToSrgb(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

}  // namespace lacuna::test
