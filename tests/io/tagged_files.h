#pragma once
// PNG and JPEG files with Exif data and colour profiles, as other programs write them, and those profiles.

#include <optional>

#include "modules/codecs/icc.h"
#include "tests/io/support.h"

namespace lacuna::test {

struct Tags {
  std::vector<std::byte> profile = {};
  std::string exif = {};  // TIFF
  std::optional<double> gamma = {};
  std::optional<io::Chromaticities> whiteAndPrimaries = {};
  bool srgb = false;
};

// rgba u8 or u16, or grey where `grey`, of the first component of each pixel.
struct Picture {
  ValueType type;
  std::vector<std::byte> pixels;
  bool grey = false;
};
Picture randomPicture(Format format, Extent extent, std::mt19937_64& random = testRandom());

void writeTaggedPng(const std::string& path, const Picture& picture, const Tags& tags,
                    bool interlaced = false);
void writeTaggedJpeg(const std::string& path, const Picture& picture, const Tags& tags);
// Puts a chunk into a PNG file, before the chunk of that name.
void insertChunk(const std::string& path, const std::string& name, const std::string& data,
                 const std::string& before);
// Puts a segment into a JPEG file, before all others.
void insertSegment(const std::string& path, int marker, const std::string& data);
std::string xmpChunkData(const std::string& xmp);  // of iTXt
std::string iccpData(const std::vector<std::byte>& profile);

// A number of Exif in little-endian order; an entry of a folder.
std::string exifNumber(uint32_t value, size_t bytes);
std::string exifEntry(uint32_t tag, uint32_t type, uint32_t count, uint32_t value);

std::string exifData(int orientation, bool bigEndian);
// Exif of a camera Foo, Bar 7: 1/250 s at f/2.8, ISO 1600, lens Foo 20mm.
std::string cameraExif(int orientation);

// linear = value^gamma; gamma 0: the sRGB curve.
std::vector<std::byte> rgbProfile(const io::Chromaticities& primaries, double gamma);
std::vector<std::byte> greyProfile(double gamma);
std::vector<std::byte> tableProfile();  // of RGB, by a table of colours instead of curves and a matrix
std::vector<std::byte> cmykProfile();
std::vector<std::byte> labProfile();

// The result of readImage, and its warnings.
struct Delivered {
  ValueType type;
  std::vector<std::byte> pixels;
  std::string warnings;
};
Delivered deliver(const std::string& codec, const std::string& path, ReadOptions options = {});

}  // namespace lacuna::test
