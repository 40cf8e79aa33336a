// Writes Exif data into a DNG file: libtiff wants each value in its tag's type.

#include <tiffio.h>

#include <cmath>
#include <cstring>

#include "modules/codecs/dng_write.h"
#include "modules/codecs/exif.h"

namespace lacuna::io {
namespace {

bool isFractional(TIFFDataType type) {
  return type == TIFF_RATIONAL || type == TIFF_SRATIONAL || type == TIFF_FLOAT || type == TIFF_DOUBLE;
}

template <typename Number>
void append(std::vector<std::byte>& bytes, double value) {
  const auto number = static_cast<Number>(value);
  const auto* from = reinterpret_cast<const std::byte*>(&number);
  bytes.insert(bytes.end(), from, from + sizeof number);
}

// Numbers as libtiff takes them: floats or doubles, or integers of this size.
std::vector<std::byte> packed(const std::vector<double>& numbers, bool fractional, int size) {
  std::vector<std::byte> bytes;
  for (const double number : numbers) {
    const double whole = std::clamp(number, -2147483648.0, 4294967295.0);
    if (fractional)
      size == sizeof(double) ? append<double>(bytes, number) : append<float>(bytes, number);
    else if (size == 1)
      append<uint8_t>(bytes, std::clamp(whole, 0.0, 255.0));
    else if (size == 2)
      append<uint16_t>(bytes, std::clamp(whole, 0.0, 65535.0));
    else
      append<int64_t>(bytes, whole), bytes.resize(bytes.size() - (sizeof(int64_t) - 4));
  }
  return bytes;
}

void putNumbers(TIFF* file, const TIFFField* field, const ExifValue& value) {
  const bool fractional = isFractional(TIFFFieldDataType(field));
  const std::vector<std::byte> bytes = packed(value.numbers, fractional, TIFFFieldSetGetSize(field));
  const int count = TIFFFieldWriteCount(field);
  if (TIFFFieldPassCount(field) != 0)
    TIFFSetField(file, value.tag, static_cast<uint32_t>(value.numbers.size()), bytes.data());
  else if (count == 1 && fractional)
    TIFFSetField(file, value.tag, value.numbers.front());
  else if (count == 1)
    TIFFSetField(file, value.tag,
                 static_cast<uint32_t>(std::clamp(value.numbers.front(), 0.0, 4294967295.0)));
  else if (count == static_cast<int>(value.numbers.size()))
    TIFFSetField(file, value.tag, bytes.data());
}

void put(TIFF* file, const ExifValue& value) {
  const TIFFField* field = TIFFFindField(file, value.tag, TIFF_ANY);
  if (field == nullptr)
    return;
  const bool isText = TIFFFieldDataType(field) == TIFF_ASCII;
  if (isText && !value.text.empty() && TIFFFieldPassCount(field) == 0)
    TIFFSetField(file, value.tag, value.text.c_str());
  else if (!isText && !value.numbers.empty() &&
           TIFFFieldSetGetSize(field) <= static_cast<int>(sizeof(double)))
    putNumbers(file, field, value);
}

}  // namespace

void putMainExif(TIFF* file, std::span<const std::byte> exif) {
  for (const ExifValue& value : exifValues(exif, ExifFolder::main))
    for (const uint32_t tag : {TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE, TIFFTAG_MODEL, TIFFTAG_SOFTWARE,
                               TIFFTAG_DATETIME, TIFFTAG_ARTIST, TIFFTAG_COPYRIGHT})
      if (value.tag == tag)
        put(file, value);
}

namespace {

uint64_t putFolder(TIFF* file, const std::vector<ExifValue>& values, int (*create)(TIFF*)) {
  if (values.empty() || create(file) != 0)
    return 0;
  for (const ExifValue& value : values)
    put(file, value);
  uint64_t offset = 0;
  return TIFFWriteCustomDirectory(file, &offset) == 1 ? offset : 0;
}

}  // namespace

uint64_t putExifFolder(TIFF* file, std::span<const std::byte> exif) {
  return putFolder(file, exifValues(exif, ExifFolder::camera), TIFFCreateEXIFDirectory);
}

uint64_t putGpsFolder(TIFF* file, std::span<const std::byte> exif) {
  return putFolder(file, exifValues(exif, ExifFolder::gps), TIFFCreateGPSDirectory);
}

}  // namespace lacuna::io
