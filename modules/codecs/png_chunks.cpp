// PNG specification (3rd edition), 5.3 and 11.3.

#include "modules/codecs/png.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

#include "modules/codecs/exif.h"

namespace lacuna::io {
namespace {

constexpr size_t longestChunk = size_t{1} << 26;
constexpr std::string_view xmpKeyword = "XML:com.adobe.xmp", commentKeyword = "Comment",
                           rawExifKeyword = "Raw profile type exif";

uint32_t bigEndian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

struct ChunkPlace {
  std::string name;
  size_t length = 0;
  off_t at = 0;  // of its name
};

// Visits chunks until visit() returns false, or to the end.
void forEachChunk(int file, const std::function<bool(const ChunkPlace&)>& visit) {
  std::array<unsigned char, 8> head;
  off_t at = 8;
  while (pread(file, head.data(), head.size(), at) == static_cast<ssize_t>(head.size())) {
    const ChunkPlace place{
        {reinterpret_cast<const char*>(head.data()) + 4, 4}, bigEndian(head.data()), at + 4};
    if (place.name == "IEND" || !visit(place))
      return;
    at += static_cast<off_t>(place.length) + 12;
  }
}

// Empty if it is truncated or its checksum is wrong.
std::vector<std::byte> contentOf(int file, const ChunkPlace& place) {
  std::vector<unsigned char> bytes(4 + place.length + 4);
  if (pread(file, bytes.data(), bytes.size(), place.at) != static_cast<ssize_t>(bytes.size()) ||
      crc32(0, bytes.data(), static_cast<uInt>(4 + place.length)) != bigEndian(&bytes[4 + place.length]))
    return {};
  const auto* start = reinterpret_cast<const std::byte*>(bytes.data()) + 4;
  return {start, start + place.length};
}

std::string_view asText(const std::vector<std::byte>& data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

std::string inflated(std::string_view data) {
  constexpr size_t most = size_t{1} << 26, block = size_t{1} << 16;
  std::string text;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK)
    return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  int result = Z_OK;
  while (result == Z_OK && text.size() < most) {
    text.resize(text.size() + block);
    stream.next_out = reinterpret_cast<Bytef*>(text.data()) + text.size() - block;
    stream.avail_out = block;
    result = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return result == Z_STREAM_END ? text : std::string();
}

// The text of tEXt: keyword, text. Of zTXt: keyword, method, text. Of iTXt: keyword, compressed?, method,
// language, keyword in it, text. The words end with a zero.
std::string textOf(const std::string& name, std::string_view data) {
  const size_t keyword = data.find('\0');
  if (keyword == std::string_view::npos || keyword + 3 > data.size())
    return {};
  if (name != "iTXt")
    return name == "tEXt" ? std::string(data.substr(keyword + 1)) : inflated(data.substr(keyword + 2));
  const bool isCompressed = data[keyword + 1] != 0;
  const size_t language = data.find('\0', keyword + 3);
  const size_t translated = language == std::string_view::npos ? language : data.find('\0', language + 1);
  if (translated == std::string_view::npos)
    return {};
  const std::string_view text = data.substr(translated + 1);
  return isCompressed ? inflated(text) : std::string(text);
}

bool hasKeyword(std::string_view data, std::string_view keyword) {
  return data.size() > keyword.size() && data.starts_with(keyword) && data[keyword.size()] == '\0';
}

// Bit 5 of the last letter: the chunk doesn't depend on the pixels (PNG specification, 5.4).
bool isSafeToCopy(const std::string& name) {
  return (name[0] & 0x20) != 0 && (name[3] & 0x20) != 0;
}

std::optional<Density> densityOf(const std::vector<std::byte>& data) {
  if (data.size() != 9)
    return std::nullopt;
  const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
  return Density{bigEndian(bytes), bigEndian(bytes + 4),
                 bytes[8] == 1 ? Density::Unit::metre : Density::Unit::none};
}

// Only letters (5.3). libpng refuses files with other types, so they are not copied.
bool isChunkType(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
  });
}

// ImageMagick's way before PNG had a chunk for Exif: an empty line, the kind, the size, then hexadecimal
// digits.
std::vector<std::byte> rawProfile(const std::string& text) {
  size_t at = 0;
  for (int line = 0; line < 3; ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  std::string digits;
  std::copy_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), std::back_inserter(digits),
               [](unsigned char c) { return std::isxdigit(c) != 0; });
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

void addChunk(Metadata& metadata, const std::string& name, std::vector<std::byte> data) {
  const std::string_view text = asText(data);
  const bool isText = name == "tEXt" || name == "zTXt" || name == "iTXt";
  if (name == "eXIf") {
    metadata.exif = std::move(data);
  } else if (isText && hasKeyword(text, xmpKeyword)) {
    metadata.xmp = textOf(name, text);
  } else if (isText && hasKeyword(text, rawExifKeyword)) {
    if (metadata.exif.empty())
      metadata.exif = rawProfile(textOf(name, text));
  } else if (name == "pHYs") {
    metadata.density = densityOf(data);
  } else if (name == "sRGB" || name == "gAMA" || name == "cHRM" || name == "cICP" || name == "mDCV" ||
             name == "cLLI") {
    metadata.colourChunks.push_back({name, std::move(data)});
  } else if (name == "acTL") {
    metadata.lost.emplace_back("its animation, of which only the first picture is read (APNG)");
  } else if (isSafeToCopy(name)) {
    if (name == "tEXt" && hasKeyword(text, commentKeyword))
      metadata.comments.emplace_back(text.substr(commentKeyword.size() + 1));
    metadata.pngChunks.push_back({name, std::move(data)});
  }
}

std::vector<std::byte> bytesOf(const std::string& text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  return {start, start + text.size()};
}

}  // namespace

Metadata readPngChunks(std::FILE* file) {
  Metadata metadata;
  struct stat status {};
  const size_t most = fstat(fileno(file), &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  forEachChunk(fileno(file), [&](const ChunkPlace& place) {
    const bool isAncillary = isChunkType(place.name) && (place.name[0] & 0x20) != 0;
    if (isAncillary && place.length > 0 && place.length <= std::min(most, longestChunk))
      if (std::vector<std::byte> data = contentOf(fileno(file), place); !data.empty())
        addChunk(metadata, place.name, std::move(data));
    return true;
  });
  trimExif(metadata.exif);
  return metadata;
}

PngChunk xmpChunk(const std::string& xmp) {
  return {"iTXt", bytesOf(std::string(xmpKeyword) + std::string(5, '\0') + xmp)};
}

PngChunk commentChunk(const std::string& text) {
  return {"tEXt", bytesOf(std::string(commentKeyword) + '\0' + text)};
}

PngChunk densityChunk(const Density& density) {
  const double factor = density.unit == Density::Unit::inch         ? 1.0 / 0.0254
                        : density.unit == Density::Unit::centimetre ? 100.0
                                                                    : 1.0;
  PngChunk chunk{"pHYs", {}};
  for (const uint32_t number : {density.x, density.y}) {
    const auto value = static_cast<uint32_t>(std::lround(number * factor));
    for (const int shift : {24, 16, 8, 0})
      chunk.data.push_back(static_cast<std::byte>(value >> shift & 0xffU));
  }
  chunk.data.push_back(density.unit == Density::Unit::none ? std::byte{0} : std::byte{1});
  return chunk;
}

}  // namespace lacuna::io
