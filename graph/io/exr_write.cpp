#include "graph/io/exr_write.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include "graph/io/half_float.h"

namespace lacuna::io {
namespace {

struct PlaneNames {
  const char* plane;
  int components;
  std::vector<const char*> channels;
};

// The names that exr_channels finds first.
const std::vector<PlaneNames>& planeNames() {
  static const std::vector<PlaneNames> names = {
      {"output", 4, {"R", "G", "B", "A"}},
      {"output", 3, {"R", "G", "B"}},
      {"output", 1, {"Y"}},
      {"albedo", 3, {"albedo.R", "albedo.G", "albedo.B"}},
      {"albedo", 4, {"albedo.R", "albedo.G", "albedo.B"}},
      {"normal", 3, {"normal.X", "normal.Y", "normal.Z"}},
      {"normal", 4, {"normal.X", "normal.Y", "normal.Z"}},
      {"depth", 1, {"Z"}},
      {"motion", 2, {"motion.X", "motion.Y"}},
  };
  return names;
}

bool opaque(const NamedImage& image) {
  const size_t pixelBytes = bytesPerPixel(image.type.channels, image.type.format);
  const size_t count = size_t{image.type.extent.width} * image.type.extent.height;
  for (size_t i = 0; i < count; ++i)
    if (componentAt(image.pixels.data() + i * pixelBytes, 3, image.type.format) != 1.0F)
      return false;
  return true;
}

std::vector<const char*> channelsOf(const std::string& path, const NamedImage& image) {
  const std::string plane = image.name == "input" ? "output" : image.name;
  const int components = componentCount(image.type.channels);
  for (const PlaneNames& names : planeNames()) {
    if (plane != names.plane || components != names.components)
      continue;
    std::vector<const char*> channels = names.channels;
    if (channels.size() == 4 && opaque(image))
      channels.pop_back();
    return channels;
  }
  throw FileError(
      fmt::format("{}: an OpenEXR file can't take {} as '{}'", path, print(image.type), image.name));
}

void checkPlane(const std::string& path, const NamedImage& image, const Extent& extent) {
  checkPixels(path, image);
  if (image.type.format != Format::f16 && image.type.format != Format::f32)
    throw FileError(fmt::format("{}: '{}' is {}, but an OpenEXR file is written from f16 or f32", path,
                                image.name, print(image.type)));
  if (!(image.type.extent == extent))
    throw FileError(fmt::format("{}: '{}' has {} x {} pixels, but the first plane has {} x {}", path,
                                image.name, image.type.extent.width, image.type.extent.height, extent.width,
                                extent.height));
}

void addColour(Imf::Header& header, const NamedImage& image) {
  if (image.type.colour == ColourTag::rec2020)
    Imf::addChromaticities(header, rec2020Chromaticities());
  else if (image.type.colour == ColourTag::rec709)
    Imf::addChromaticities(header, Imf::Chromaticities());  // the default is Rec. 709
}

void writeChecked(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes) {
  const Extent extent = planes.front().type.extent;
  Imf::Header header(static_cast<int>(extent.width), static_cast<int>(extent.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer frame;
  for (const NamedImage& image : planes) {
    checkPlane(path, image, extent);
    const Imf::PixelType pixelType = image.type.format == Format::f16 ? Imf::HALF : Imf::FLOAT;
    const size_t componentBytes = pixelType == Imf::HALF ? 2 : 4;
    const size_t pixelBytes = bytesPerPixel(image.type.channels, image.type.format);
    size_t component = 0;
    for (const char* name : channelsOf(path, image)) {
      // Slices are for reading too, so OpenEXR wants the memory to be writable; a writer leaves it alone.
      auto* base = reinterpret_cast<char*>(const_cast<std::byte*>(image.pixels.data()));
      header.channels().insert(name, Imf::Channel(pixelType));
      frame.insert(name, Imf::Slice(pixelType, base + component++ * componentBytes, pixelBytes,
                                    pixelBytes * extent.width));
    }
    if (image.name == "input" || image.name == "output")
      addColour(header, image);
  }
  Imf::OutputFile file(part.c_str(), header, 0);
  file.setFrameBuffer(frame);
  file.writePixels(static_cast<int>(extent.height));
}

}  // namespace

Imf::Chromaticities rec2020Chromaticities() {
  return Imf::Chromaticities({0.708F, 0.292F}, {0.170F, 0.797F}, {0.131F, 0.046F}, {0.3127F, 0.3290F});
}

void writeExr(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions&) {
  if (planes.empty())
    throw FileError(fmt::format("{}: nothing to write", path));
  try {
    writeChecked(path, part, planes);
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(fmt::format("{}: can't be written: {}", path, error.what()));
  }
}

}  // namespace lacuna::io
