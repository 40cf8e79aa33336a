// Image files and their data beside pixels. Decoders are libpng, libjpeg-turbo, OpenEXR, lcms2 and libexif;
// LACUNA_READ_MEMORY bounds their inputs.

#include <cstring>
#include <set>
#include <stdexcept>

#include "graph/files/memory_bound.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"
#include "modules/codecs/image_info.h"
#include "modules/codecs/raw.h"
#include "tests/fuzz/target.h"

namespace lacuna::fuzz {
namespace {

constexpr uint64_t mostRead = 256U << 10U;  // bytes of pixels: several strips, and fast

// A reader's messages begin with the file's name, whatever it contains.
template <class Work>
bool succeeds(const std::string& path, Work work) {
  try {
    work();
    return true;
  } catch (const FileError& error) {
    const std::string text = error.what();
    expect(text.find(path) != std::string::npos, "mistakes name their file: " + text);
    return false;
  }
}

void readPlane(const std::string& codec, const std::string& path, const std::string& plane,
               const ReadOptions& options) {
  succeeds(path, [&] {
    const ValueType type = probeImage(codec, path, {plane}, options).at(plane);
    expect(byteSize(type) <= readMemory(), "what is probed keeps the bound of memory");
    if (byteSize(type) > mostRead)
      return;
    std::vector<std::byte> pixels(byteSize(type));
    readImage(codec, path, plane, type, pixels, options);
  });
}

// The data that a picture made from the file takes over.
void keepFrom(const std::string& codec, const std::string& path) {
  const Extent extent{2, 2};
  const bool isFloat = codec == "exr" || codec == "hdr";
  const ValueType type{Channels::rgba, isFloat ? Format::f16 : Format::u8, ColourTag::rec709, extent};
  const std::vector<std::byte> pixels(byteSize(type), std::byte{0x3a});
  WriteOptions options;
  options.origin = Origin{.path = path, .isRaw = !isFloat};
  const std::string kept = scratchFolder() + "/kept";
  const auto write = [&](const ValueType& written) {
    if (succeeds("", [&] { writeImage(codec, kept, {{"output", written, pixels}}, options); }))
      expect(succeeds(kept, [&] { imageInfo(kept); }), "a file that was written is read");
  };
  write(type);
  options.origin->isRaw = false;
  options.colours = options.origin;
  write({Channels::rgba, type.format, ColourTag::own, extent});
}

void runImage(const std::string& codec, std::string_view input) {
  const std::string path = scratchFile("image", input);
  std::set<std::string> planes = {"output"};
  if (codec == "npy")
    planes.insert("array");
  succeeds(path, [&] {
    for (const ImageInfo::Plane& plane : imageInfo(path).planes)
      planes.insert(plane.name);
  });
  ReadOptions raw;
  raw.orientation = raw.profile = false;
  for (const std::string& plane : planes) {
    readPlane(codec, path, plane, {});
    readPlane(codec, path, plane, {.own = true});
    if (codec != "npy" && codec != "pfm" && codec != "exr" && codec != "pnm")
      readPlane(codec, path, plane, raw);
  }
  if (codec == "npy" || codec == "pfm")
    return;
  // These encoders take longer than all else together: most data go to a PNG file.
  constexpr size_t share = 16;
  const bool isSlow = codec == "avif" || codec == "jxl";
  keepFrom(isSlow && std::hash<std::string_view>()(input) % share != 0 ? "png" : codec, path);
}

std::vector<std::byte> bytesOf(std::string_view input) {
  const auto bytes = std::as_bytes(std::span(input));
  return {bytes.begin(), bytes.end()};
}

void runExif(std::string_view input) {
  std::vector<std::byte> exif = bytesOf(input);
  io::exifEntries(exif);
  io::Metadata metadata;
  metadata.exif = exif;
  io::orientationOf(metadata,
                    [](const std::string& text) { expect(!text.empty(), "complaints have words"); });
  io::editExif(exif, {640, 480}, true);
  expect(exif.size() <= input.size(), "Exif data is changed where it stands");
  std::vector<std::byte> again = exif;
  io::editExif(again, {640, 480}, true);
  expect(again == exif, "Exif data that is right stays as it is");
}

// Any output of the process that unpacks a raw photograph, even if it was taken over.
void runRaw(std::string_view input) {
  const std::string path = "a.dng";
  constexpr uint64_t fileBytes = 1U << 20U;
  std::string_view left = input;
  const auto read = [&](std::span<std::byte> bytes) {
    if (bytes.size() > left.size())
      throw FileError(path + ": it breaks off");
    std::memcpy(bytes.data(), left.data(), bytes.size());
    left.remove_prefix(bytes.size());
  };
  succeeds(path, [&] {
    const io::RawPhotograph raw = io::readMessage(path, fileBytes, read);
    expect(pixelCount(raw.extent()) <= 16 * (fileBytes + 1), "pixels are bounded by the file's bytes");
    for (io::Orientation orientation = 1; orientation <= 8; ++orientation) {
      const MosaicPattern turned = io::patternOf(raw, orientation);
      expect(isPattern(turned) && isBayer(turned) == isBayer(raw.stored), "a turned pattern is one");
      for (const float black : io::blackOf(raw, orientation))
        expect(black >= 0 && black < raw.about.white, "black is below white");
    }
    io::exifEntries(raw.exif);
  });
}

void runXmp(std::string_view input) {
  std::string xmp(input);
  io::editXmp(xmp, {640, 480}, true);
  std::string again = xmp;
  io::editXmp(again, {640, 480}, true);
  expect(again == xmp, "XMP that is right stays as it is");
}

void runIcc(std::string_view input) {
  io::ColourDescription description;
  description.profile = bytesOf(input);
  description.grey = input.substr(0, 20).ends_with("GRAY");
  io::profileName(description.profile);
  for (const uint32_t wordBytes : {1, 2}) {
    try {
      const io::ColourReading own = io::readColour(description, wordBytes, true);
      expect(own.gamma >= 0 && own.gamma < 10, "a power near the profile's curve");
      io::profileOf(description, wordBytes == 1, description.grey);
      const io::ColourReading reading = io::readColour(description, wordBytes);
      const std::vector<std::byte> pixels(size_t{5} * 4 * wordBytes, std::byte{0x5a});
      std::vector<std::byte> converted(size_t{5} * 8);
      if (reading.transform)
        reading.transform->run(pixels.data(), 5, converted.data());
    } catch (const std::invalid_argument&) {
      // CMYK
    }
  }
}

constexpr Target images[] = {
    {"png", [](std::string_view input) { runImage("png", input); }},
    {"jpeg", [](std::string_view input) { runImage("jpg", input); }},
    {"exr", [](std::string_view input) { runImage("exr", input); }},
    {"npy", [](std::string_view input) { runImage("npy", input); }},
    {"pfm", [](std::string_view input) { runImage("pfm", input); }},
    {"pnm", [](std::string_view input) { runImage("pnm", input); }},
    {"tiff", [](std::string_view input) { runImage("tif", input); }},
    {"webp", [](std::string_view input) { runImage("webp", input); }},
    {"jxl", [](std::string_view input) { runImage("jxl", input); }},
    {"avif", [](std::string_view input) { runImage("avif", input); }},
    {"hdr", [](std::string_view input) { runImage("hdr", input); }},
    {"exif", runExif},
    {"xmp", runXmp},
    {"icc", runIcc},
    {"raw", runRaw},
};

}  // namespace

const std::span<const Target> imageTargets = images;

}  // namespace lacuna::fuzz
