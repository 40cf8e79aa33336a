#include "graph/io/exr_write.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include <deque>

#include "graph/io/half_float.h"

namespace lacuna::io {
namespace {

struct PlaneNames {
  const char* plane;
  int components;
  std::vector<const char*> channels;
  bool isSingle = false;  // float, also where the value is half
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
      {"depth", 1, {"Z"}, true},
      {"motion", 2, {"motion.X", "motion.Y"}, true},
      {"direct", 4, {"direct.R", "direct.G", "direct.B", "direct.A"}},
      {"direct", 3, {"direct.R", "direct.G", "direct.B"}},
      {"indirect", 4, {"indirect.R", "indirect.G", "indirect.B", "indirect.A"}},
      {"indirect", 3, {"indirect.R", "indirect.G", "indirect.B"}},
      {"gradient", 2, {"gradient.X", "gradient.Y"}},
      {"moments", 2, {"moments.X", "moments.Y"}, true},
      {"id", 1, {"id"}},
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

PlaneNames namesOf(const std::string& path, const NamedImage& image) {
  const std::string plane = image.name == "input" ? "output" : image.name;
  const bool isId = plane == "id", isNumbers = image.type.format == Format::u32;
  for (PlaneNames names : planeNames()) {
    if (plane != names.plane || names.components != componentCount(image.type.channels) || isId != isNumbers)
      continue;
    if (names.channels.size() == 4 && opaque(image))
      names.channels.pop_back();
    return names;
  }
  throw FileError(
      fmt::format("{}: an OpenEXR file can't take {} as '{}'", path, print(image.type), image.name));
}

// The size of all planes: that of the first image.
Extent extentOf(const std::string& path, const std::vector<NamedImage>& planes) {
  for (const NamedImage& image : planes)
    if (!image.type.isArray())
      return image.type.extent;
  throw FileError(fmt::format("{}: a histogram alone says nothing of the picture's size", path));
}

void checkPlane(const std::string& path, const NamedImage& image, const Extent& extent) {
  checkPixels(path, image);
  if (image.type.format != Format::f16 && image.type.format != Format::f32 &&
      image.type.format != Format::u32)
    throw FileError(fmt::format("{}: '{}' is {}, but an OpenEXR file is written from f16, f32 or u32", path,
                                image.name, print(image.type)));
  if (!(image.type.extent == extent))
    throw FileError(fmt::format("{}: '{}' has {} x {} pixels, but the first plane has {} x {}", path,
                                image.name, image.type.extent.width, image.type.extent.height, extent.width,
                                extent.height));
}

// How many channels an array of whole images has.
uint64_t channelCount(const std::string& path, const NamedImage& image, const Extent& extent) {
  const uint64_t pixels = uint64_t{extent.width} * extent.height, count = image.type.arrayCount;
  if (image.name != "histogram" || image.type.channels != Channels::y || image.type.format != Format::f32)
    throw FileError(
        fmt::format("{}: an OpenEXR file can't take {} as '{}'", path, print(image.type), image.name));
  if (image.pixels.size() < byteSize(image.type))
    throw FileError(fmt::format("{}: '{}' has {} bytes, but {} needs {}", path, image.name,
                                image.pixels.size(), print(image.type), byteSize(image.type)));
  if (count % pixels != 0)
    throw FileError(
        fmt::format("{}: 'histogram' has {} numbers, but {} x {} pixels need a multiple of {}, one for each "
                    "pixel and bin",
                    path, count, extent.width, extent.height, pixels));
  return count / pixels;
}

void addColour(Imf::Header& header, const NamedImage& image) {
  if (image.type.colour == ColourTag::rec2020)
    Imf::addChromaticities(header, rec2020Chromaticities());
  else if (image.type.colour == ColourTag::rec709)
    Imf::addChromaticities(header, Imf::Chromaticities());  // the default is Rec. 709
}

// Planes where they lie in memory, under the names of their channels.
class Writer {
 public:
  Writer(const std::string& path, const std::vector<NamedImage>& planes)
      : path_(path),
        extent_(extentOf(path, planes)),
        header_(static_cast<int>(extent_.width), static_cast<int>(extent_.height)) {
    header_.compression() = Imf::ZIP_COMPRESSION;
    for (const NamedImage& image : planes)
      if (image.type.isArray())
        addHistogram(image);
      else
        addImage(image);
  }

  void write(const std::string& part) const {
    Imf::OutputFile file(part.c_str(), header_, 0);
    file.setFrameBuffer(frame_);
    file.writePixels(static_cast<int>(extent_.height));
  }

 private:
  // Slices are for reading too, so OpenEXR wants the memory to be writable; a writer leaves it alone.
  void add(const std::string& name, Imf::PixelType type, const std::byte* first, size_t pixelBytes) {
    auto* base = reinterpret_cast<char*>(const_cast<std::byte*>(first));
    header_.channels().insert(name, Imf::Channel(type));
    frame_.insert(name, Imf::Slice(type, base, pixelBytes, pixelBytes * extent_.width));
  }

  void addImage(const NamedImage& image) {
    checkPlane(path_, image, extent_);
    const PlaneNames names = namesOf(path_, image);
    Format format = image.type.format;
    const std::byte* first = image.pixels.data();
    if (names.isSingle && format == Format::f16) {
      first = widened(image);
      format = Format::f32;
    }
    const Imf::PixelType type = format == Format::f16   ? Imf::HALF
                                : format == Format::f32 ? Imf::FLOAT
                                                        : Imf::UINT;
    const size_t componentBytes = type == Imf::HALF ? 2 : 4;
    const size_t pixelBytes = bytesPerPixel(image.type.channels, format);
    for (size_t c = 0; c < names.channels.size(); ++c)
      add(names.channels[c], type, first + c * componentBytes, pixelBytes);
    if (image.name == "input" || image.name == "output")
      addColour(header_, image);
  }

  // Halves as floats, of planes that have one or two components.
  const std::byte* widened(const NamedImage& image) {
    const auto components = static_cast<size_t>(componentCount(image.type.channels));
    const size_t pixelBytes = bytesPerPixel(image.type.channels, Format::f16);
    std::vector<float>& floats = widened_.emplace_back(components * extent_.width * extent_.height);
    for (size_t i = 0; i < floats.size(); ++i)
      floats[i] = componentAt(image.pixels.data() + i / components * pixelBytes, i % components, Format::f16);
    return reinterpret_cast<const std::byte*>(floats.data());
  }

  void addHistogram(const NamedImage& image) {
    const uint64_t count = channelCount(path_, image, extent_);
    const size_t planeBytes = sizeof(float) * extent_.width * extent_.height;
    for (uint64_t bin = 0; bin < count; ++bin)
      add(fmt::format("Bin_{:04}", bin), Imf::FLOAT, image.pixels.data() + bin * planeBytes, sizeof(float));
  }

  const std::string& path_;
  Extent extent_;
  Imf::Header header_;
  Imf::FrameBuffer frame_;
  std::deque<std::vector<float>> widened_;
};

}  // namespace

Imf::Chromaticities rec2020Chromaticities() {
  return Imf::Chromaticities({0.708F, 0.292F}, {0.170F, 0.797F}, {0.131F, 0.046F}, {0.3127F, 0.3290F});
}

void writeExr(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions&) {
  if (planes.empty())
    throw FileError(fmt::format("{}: nothing to write", path));
  try {
    Writer(path, planes).write(part);
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(fmt::format("{}: can't be written: {}", path, error.what()));
  }
}

}  // namespace lacuna::io
