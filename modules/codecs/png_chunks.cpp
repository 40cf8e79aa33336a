// PNG specification (3rd edition), 5.3 and 11.3; H.273.

#include "modules/codecs/png.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include "graph/lists.h"
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

// Empty if it is truncated or its checksum is wrong.
std::vector<std::byte> contentOf(int file, const ChunkPlace& place) {
  std::vector<std::byte> bytes(4 + place.length + 4);
  const auto* start = reinterpret_cast<const unsigned char*>(bytes.data());
  if (pread(file, bytes.data(), bytes.size(), place.at) != static_cast<ssize_t>(bytes.size()) ||
      crc32(0, start, static_cast<uInt>(4 + place.length)) != bigEndian(start + 4 + place.length))
    return {};
  bytes.resize(4 + place.length);
  bytes.erase(bytes.begin(), bytes.begin() + 4);
  return bytes;
}

std::string_view asText(const std::vector<std::byte>& data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

// Empty if it is damaged, or of more than 64 MiB.
std::string inflated(std::string_view data) {
  constexpr uLongf least = uLongf{1} << 16, most = uLongf{1} << 26;
  for (uLongf bytes = least, got = bytes; bytes <= most; got = bytes *= 4) {
    std::string text(bytes, '\0');
    const int result = uncompress(reinterpret_cast<Bytef*>(text.data()), &got,
                                  reinterpret_cast<const Bytef*>(data.data()), data.size());
    if (result != Z_BUF_ERROR)
      return result == Z_OK ? text.substr(0, got) : std::string();
  }
  return {};
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
  constexpr std::array<std::string_view, 6> colourNames = {"sRGB", "gAMA", "cHRM", "cICP", "mDCV", "cLLI"};
  if (name == "eXIf") {
    metadata.exif = std::move(data);
  } else if (isText && hasKeyword(text, xmpKeyword)) {
    metadata.xmp = textOf(name, text);
  } else if (isText && hasKeyword(text, rawExifKeyword)) {
    if (metadata.exif.empty())
      metadata.exif = rawProfile(textOf(name, text));
  } else if (name == "pHYs") {
    metadata.density = densityOf(data);
  } else if (contains(colourNames, name)) {
    metadata.colourChunks.push_back({name, std::move(data)});
  } else if (name == "acTL") {
    metadata.lost.emplace_back("its animation, of which only the first picture is read (APNG)");
  } else if ((name[3] & 0x20) != 0) {  // bit 5 of the last letter: it doesn't depend on the pixels (5.4)
    if (name == "tEXt" && hasKeyword(text, commentKeyword))
      metadata.comments.emplace_back(text.substr(commentKeyword.size() + 1));
    metadata.pngChunks.push_back({name, std::move(data)});
  }
}

std::vector<std::byte> asBytes(const std::string& text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  return {start, start + text.size()};
}

}  // namespace

Metadata readPngChunks(std::FILE* file) {
  Metadata metadata;
  struct stat status {};
  const size_t most = fstat(fileno(file), &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  std::array<char, 8> head;
  for (off_t at = 8;
       pread(fileno(file), head.data(), head.size(), at) == static_cast<ssize_t>(head.size());) {
    const ChunkPlace place{
        {head.data() + 4, 4}, bigEndian(reinterpret_cast<const unsigned char*>(head.data())), at + 4};
    if (place.name == "IEND")
      break;
    const bool isAncillary = isChunkType(place.name) && (place.name[0] & 0x20) != 0;
    if (isAncillary && place.length > 0 && place.length <= std::min(most, longestChunk))
      if (std::vector<std::byte> data = contentOf(fileno(file), place); !data.empty())
        addChunk(metadata, place.name, std::move(data));
    at += static_cast<off_t>(place.length) + 12;
  }
  metadata.exif = trimmedExif(std::move(metadata.exif));
  return metadata;
}

PngChunk xmpChunk(const std::string& xmp) {
  return {"iTXt", asBytes(std::string(xmpKeyword) + std::string(5, '\0') + xmp)};
}

PngChunk commentChunk(const std::string& text) {
  return {"tEXt", asBytes(std::string(commentKeyword) + '\0' + text)};
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

namespace {

// H.273, table 2.
const std::map<int, Chromaticities> primaries = {
    {1, rec709WhiteAndPrimaries},
    {4, {0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08}},
    {5, {0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06}},
    {6, {0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070}},
    {7, {0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070}},
    {8, {0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049}},
    {9, rec2020WhiteAndPrimaries},
    {11, {0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
    {12, {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
    {22, {0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077}},
};

// Table 3. linear = value^gamma; 0: the curve of sRGB.
const std::map<int, double> transfers = {{4, 2.2}, {5, 2.8}, {8, 1.0}, {13, 0.0}};

int codeAt(std::span<const std::byte> chunk, size_t i) {
  return std::to_integer<int>(chunk[i]);
}

}  // namespace

std::string readCicp(std::span<const std::byte> chunk, ColourDescription& colour) {
  if (chunk.size() != 4)
    return fmt::format("it has {} bytes; expected 4", chunk.size());
  const auto known = primaries.find(codeAt(chunk, 0));
  const auto transfer = transfers.find(codeAt(chunk, 1));
  const bool isFullRgb = codeAt(chunk, 2) == 0 && codeAt(chunk, 3) == 1;
  if (known == primaries.end() || transfer == transfers.end() || !isFullRgb) {
    colour.codePoints.assign(chunk.begin(), chunk.end());
    return {};
  }
  if (known->first != 1)
    colour.whiteAndPrimaries = known->second;
  if (transfer->second > 0.0)
    colour.gamma = transfer->second;
  return {};
}

std::string cicpName(std::span<const std::byte> chunk) {
  const int transfer = codeAt(chunk, 1);
  return fmt::format("{} (cICP {} {} {} {})",
                     transfer == 16   ? "PQ"
                     : transfer == 18 ? "HLG"
                                      : "of another range, curve or primaries",
                     codeAt(chunk, 0), transfer, codeAt(chunk, 2), codeAt(chunk, 3));
}

}  // namespace lacuna::io
