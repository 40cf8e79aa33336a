#include "modules/codecs/exr_attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "modules/codecs/codec.h"

namespace lacuna::io {
namespace {

constexpr size_t longestName = 255;

// Up to its zero byte. Empty at the end of a header, and where the file ends.
std::string readName(std::FILE* file) {
  std::string name;
  for (int letter = std::getc(file); letter > 0 && name.size() <= longestName; letter = std::getc(file))
    name += static_cast<char>(letter);
  return name;
}

uint32_t readSize(std::FILE* file) {
  uint32_t size = 0;
  for (int shift = 0; shift < 32; shift += 8)
    size |= static_cast<uint32_t>(std::getc(file) & 0xff) << shift;
  return size;
}

// False: it has no attributes, which ends a list of headers.
bool checkHeader(const std::string& path, std::FILE* file, uint64_t bytes) {
  bool any = false;
  for (std::string name = readName(file); !name.empty(); name = readName(file)) {
    any = true;
    readName(file);  // of its type
    const uint32_t size = readSize(file);
    const auto left = bytes - std::min<uint64_t>(static_cast<uint64_t>(std::ftell(file)), bytes);
    // The rest of a file that breaks off, or whose names are too long, is OpenEXR's to report.
    if (std::feof(file) != 0 || name.size() > longestName)
      return false;
    if (size > left)
      throw FileError(fmt::format("{}: damaged OpenEXR file: attribute {} takes {} bytes, but {} are left",
                                  path, quote(printable(name)), size, left));
    std::fseek(file, static_cast<long>(size), SEEK_CUR);
  }
  return any;
}

}  // namespace

const char* soundExr(const std::string& path) {
  const File opened = openToRead(path);
  std::FILE* file = opened.get();
  constexpr long flags = 5, firstHeader = 8;  // in the version, and behind it
  constexpr int multiPart = 0x10;
  std::fseek(file, flags, SEEK_SET);
  const bool hasParts = (std::getc(file) & multiPart) != 0;
  std::fseek(file, firstHeader, SEEK_SET);
  const uint64_t bytes = fileBytes(path);
  while (checkHeader(path, file, bytes) && hasParts) {
  }
  return path.c_str();
}

}  // namespace lacuna::io
