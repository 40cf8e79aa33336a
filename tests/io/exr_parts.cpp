#include "tests/io/exr_parts.h"

#include <ImfChannelList.h>
#include <ImfDeepFrameBuffer.h>
#include <ImfDeepScanLineOutputFile.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfTiledOutputPart.h>
#include <half.h>

namespace lacuna::test {

using Imath::Box2i;

float valueOf(size_t channel, int x, int y) {
  return static_cast<float>(static_cast<int>(channel) * 64 + y * 8 + x);
}

void writeParts(const std::string& path, const std::vector<Part>& parts, Imf::PixelType type, Box2i display,
                Box2i data) {
  std::vector<Imf::Header> headers;
  for (const Part& part : parts) {
    Imf::Header header(display, data);
    header.setName(part.name.empty() ? "only" : part.name);
    header.setType(part.tiles ? Imf::TILEDIMAGE : Imf::SCANLINEIMAGE);
    if (part.tiles)
      header.setTileDescription(*part.tiles);
    if (part.views.size() > 1)
      Imf::addMultiView(header, part.views);
    else if (!part.views.empty())
      header.setView(part.views.front());
    for (const std::string& channel : part.channels)
      header.channels().insert(channel, Imf::Channel(type));
    headers.push_back(header);
  }
  Imf::MultiPartOutputFile file(path.c_str(), headers.data(), static_cast<int>(headers.size()));
  const size_t width = data.max.x - data.min.x + 1, height = data.max.y - data.min.y + 1;
  size_t number = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    std::vector<std::vector<uint32_t>> words(parts[p].channels.size(), std::vector<uint32_t>(width * height));
    Imf::FrameBuffer frame;
    for (size_t c = 0; c < words.size(); ++c, ++number) {
      for (size_t i = 0; i < words[c].size(); ++i) {
        const bool isEven = parts[p].even.contains(parts[p].channels[c]);
        const float value = isEven ? 1.0F
                                   : valueOf(number, data.min.x + static_cast<int>(i % width) - display.min.x,
                                             data.min.y + static_cast<int>(i / width) - display.min.y);
        words[c][i] = type == Imf::HALF    ? half(value).bits()
                      : type == Imf::FLOAT ? std::bit_cast<uint32_t>(value)
                                           : static_cast<uint32_t>(value * 8.0F);
      }
      frame.insert(parts[p].channels[c],
                   Imf::Slice::Make(type, words[c].data(), data, sizeof(uint32_t), sizeof(uint32_t) * width));
    }
    if (!parts[p].tiles) {
      Imf::OutputPart part(file, static_cast<int>(p));
      part.setFrameBuffer(frame);
      part.writePixels(static_cast<int>(height));
      continue;
    }
    Imf::TiledOutputPart part(file, static_cast<int>(p));
    part.setFrameBuffer(frame);
    for (int y = 0; y < part.numYLevels(); ++y)
      for (int x = 0; x < part.numXLevels(); ++x)
        if (part.isValidLevel(x, y))
          part.writeTiles(0, part.numXTiles(x) - 1, 0, part.numYTiles(y) - 1, x, y);
  }
}

void writeDeep(const std::string& path) {
  constexpr int width = 3, height = 2;
  Imf::Header header(width, height);
  header.setType(Imf::DEEPSCANLINE);
  header.compression() = Imf::ZIPS_COMPRESSION;
  header.channels().insert("R", Imf::Channel(Imf::HALF));
  std::vector<uint32_t> counts(width * height);
  std::vector<char*> samples(width * height);
  Imf::DeepFrameBuffer frame;
  frame.insertSampleCountSlice(Imf::Slice(Imf::UINT, reinterpret_cast<char*>(counts.data()), 4, 4 * width));
  frame.insert("R", Imf::DeepSlice(Imf::HALF, reinterpret_cast<char*>(samples.data()), sizeof(char*),
                                   sizeof(char*) * width, sizeof(uint16_t)));
  Imf::DeepScanLineOutputFile file(path.c_str(), header);
  file.setFrameBuffer(frame);
  file.writePixels(height);
}

std::vector<float> pixel(const std::string& path, const std::string& plane, int x, int y,
                         const ReadOptions& options) {
  const ValueType type = probeImage("exr", path, {plane}, options).at(plane);
  std::vector<std::byte> bytes(byteSize(type));
  readImage("exr", path, plane, type, bytes, options);
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const std::byte* at =
      bytes.data() + (static_cast<size_t>(y) * type.extent.width + static_cast<size_t>(x)) * pixelBytes;
  std::vector<float> components(static_cast<size_t>(componentCount(type.channels)));
  for (size_t c = 0; c < components.size(); ++c) {
    uint16_t bits;
    std::memcpy(&bits, at + 2 * c, 2);
    half value;
    value.setBits(bits);
    components[c] = value;
    if (type.format == Format::f32)
      std::memcpy(&components[c], at + 4 * c, 4);
    if (type.format == Format::u32) {
      uint32_t number;
      std::memcpy(&number, at + 4 * c, 4);
      components[c] = static_cast<float>(number);
    }
  }
  return components;
}

std::vector<float> expected(const std::vector<size_t>& channels, int x, int y) {
  std::vector<float> values;
  for (const size_t channel : channels)
    values.push_back(valueOf(channel, x, y));
  return values;
}

}  // namespace lacuna::test
