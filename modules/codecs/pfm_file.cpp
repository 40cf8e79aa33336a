// Portable float map: "PF" or "Pf", width, height, scale (negative: little-endian), then rows of floats from
// the bottom. https://www.pauldebevec.com/Research/HDR/PFM/

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "modules/codecs/codec.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

struct Header {
  uint32_t width = 0, height = 0, components = 3;
  bool littleEndian = true;
  uint64_t firstByte = 0;
};

[[noreturn]] void badHeader(const std::string& path, const char* expected) {
  throw FileError(fmt::format("{}: damaged PFM file: expected {} in its header", path, expected));
}

// The next word, and the one character of white space after it: pixels may start with any byte.
std::string nextWord(std::FILE* file) {
  std::string word;
  for (int c = std::fgetc(file); c != EOF && word.size() < 32; c = std::fgetc(file)) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      word += static_cast<char>(c);
    else if (!word.empty())
      break;
  }
  return word;
}

uint64_t readSide(std::FILE* file, const std::string& path, const char* expected) {
  const std::string word = nextWord(file);
  if (word.empty() || word.size() > 18 || word.find_first_not_of("0123456789") != std::string::npos)
    badHeader(path, expected);
  return std::strtoull(word.c_str(), nullptr, 10);
}

// Where pixels begin if the header's last line ends with more than that character, as with CR LF. A header
// with line breaks ends with one, unless the file has just the size for pixels that start with these bytes.
uint64_t behindLineEnd(std::FILE* file, uint64_t firstByte, bool fits) {
  std::string text(firstByte + 2, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const size_t firstBreak = text.find('\n'), end = text.find_first_not_of(" \t\r", firstByte - 1);
  const bool isBroken = firstBreak < firstByte - 1 && text[firstByte - 1] != '\n' &&
                        end != std::string::npos && text[end] == '\n';
  return isBroken && (!fits || text[firstBreak - 1] == '\r') ? end + 1 : firstByte;
}

Header readHeader(std::FILE* file, const std::string& path) {
  Header header;
  const std::string magic = nextWord(file);
  if (magic != "PF" && magic != "Pf")
    badHeader(path, "'PF' or 'Pf' and a line break");
  header.components = magic == "PF" ? 3 : 1;
  const uint64_t width = readSide(file, path, "the width");
  const uint64_t height = readSide(file, path, "the height");
  checkSize(path, width, height);
  header.width = static_cast<uint32_t>(width);
  header.height = static_cast<uint32_t>(height);
  const std::string word = nextWord(file);
  char* end = nullptr;
  const double scale = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(scale) || scale == 0.0)
    badHeader(path, "a scale other than 0");
  header.littleEndian = scale < 0.0;
  const auto firstByte = static_cast<uint64_t>(std::ftell(file));
  const uint64_t pixelBytes = 4 * width * height * header.components;
  header.firstByte = behindLineEnd(file, firstByte, fileBytes(path) == firstByte + pixelBytes);
  const uint64_t needed = header.firstByte + pixelBytes;
  if (fileBytes(path) < needed)
    throw FileError(fmt::format("{}: damaged PFM file: {} x {} pixels need {} bytes, but it has {}", path,
                                width, height, needed, fileBytes(path)));
  return header;
}

// Colour, or as many of the file's first components as the asked channels have.
ValueType typeOf(const std::string& path, const Header& header, const ReadOptions& options) {
  const Channels channels = options.channels.value_or(Channels::rgba);
  if (options.channels && componentCount(channels) > static_cast<int>(header.components))
    throw FileError(fmt::format("{}: its components are {}, but {} has {}", path, header.components,
                                name(channels), componentCount(channels)));
  const ColourTag colour = options.channels ? ColourTag::data : ColourTag::rec709;
  return {channels, Format::f32, colour, {header.width, header.height}};
}

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted,
                 const ReadOptions& options) {
  return singlePlane(typeOf(path, readHeader(openToRead(path).get(), path), options), wanted);
}

float fromFile(uint32_t bits, bool littleEndian) {
  if (littleEndian != (std::endian::native == std::endian::little))
    bits = __builtin_bswap32(bits);
  return std::bit_cast<float>(bits);
}

// The rows of a file begin with the picture's last one: goes to row `end` - 1 of `height`.
bool seekRow(std::FILE* file, uint64_t firstByte, uint64_t rowBytes, uint32_t height, uint32_t end) {
  return fseeko(file, static_cast<off_t>(firstByte + (height - end) * rowBytes), SEEK_SET) == 0;
}

void readOne(const std::string& path, const PlaneTarget& target, const ReadOptions& options) {
  const File file = openToRead(path);
  const Header header = readHeader(file.get(), path);
  const ValueType type = typeOf(path, header, options);
  checkTarget(path, target, type);
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const auto used = static_cast<size_t>(options.channels ? componentCount(type.channels) : 3);
  const std::array<float, 4> rest{0, 0, 0, options.channels ? 0.0F : 1.0F};
  std::vector<uint32_t> row(size_t{header.width} * header.components);
  const auto readRow = [&](uint32_t y) {
    if (std::fread(row.data(), 4, row.size(), file.get()) != row.size())
      throw FileError(fmt::format("{}: damaged PFM file: it breaks off at row {}", path, y));
    std::byte* pixels = target.destination.data() + pixelBytes * header.width * y;
    for (size_t x = 0; x < header.width; ++x) {
      std::array<float, 4> pixel = rest;
      for (size_t c = 0; c < used; ++c)
        pixel[c] =
            fromFile(row[x * header.components + (header.components == 3 ? c : 0)], header.littleEndian);
      std::memcpy(pixels + pixelBytes * x, pixel.data(), pixelBytes);
    }
  };
  for (uint32_t first = 0; first < header.height; first += stripRows) {
    const uint32_t end = std::min(first + stripRows, header.height);
    if (!seekRow(file.get(), header.firstByte, 4 * row.size(), header.height, end))
      throw FileError(fmt::format("{}: can't be read: {}", path, std::strerror(errno)));
    for (uint32_t y = end; y-- > first;)
      readRow(y);
    if (options.rows)
      options.rows(end);
  }
}

void read(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
  for (const PlaneTarget& target : targets)
    readOne(path, target, options);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  const int components = componentCount(type.channels);
  if ((type.format != Format::f16 && type.format != Format::f32) || components == 2)
    throw FileError(fmt::format("{}: a PFM file is written from one, three or four floats, not from {}", path,
                                print(type)));
  const std::optional<Kept> origin = keptOf(options, type.extent);
  const size_t kept =
      components == 1 || (origin && origin->kind.grey && (options.rows || isGrey(image))) ? 1 : 3;
  const bool little = std::endian::native == std::endian::little;
  File file = openToWrite(path, part);
  const std::string header = fmt::format("{}\n{} {}\n{}\n", kept == 1 ? "Pf" : "PF", type.extent.width,
                                         type.extent.height, little ? "-1.0" : "1.0");
  std::fputs(header.c_str(), file.get());
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  std::vector<float> row(kept * type.extent.width);
  // closeWritten reports what can't be written.
  eachStrip(image, options.rows, [&](const NamedImage& strip, uint32_t first) {
    if (options.rows && components > 1 && kept == 1 && !io::isGrey(strip))
      options.rows(0);
    const uint32_t rows = strip.type.extent.height;
    bool done = seekRow(file.get(), header.size(), 4 * row.size(), type.extent.height, first + rows);
    for (uint32_t y = rows; done && y-- > 0;) {
      const std::byte* pixels = strip.pixels.data() + pixelBytes * type.extent.width * y;
      for (size_t i = 0; i < row.size(); ++i)
        row[i] = componentAt(pixels + i / kept * pixelBytes, i % kept, type.format);
      done = std::fwrite(row.data(), 4, row.size(), file.get()) == row.size();
    }
    return done;
  });
  closeWritten(std::move(file), path);
}

StoredKind kind(const std::string& path, const std::string&, const ReadOptions&) {
  return {32, true, readHeader(openToRead(path).get(), path).components == 1, false};
}

}  // namespace

extern const Codec pfmCodec;  // for the table that CMake makes
const Codec pfmCodec{
    .name = "pfm",
    .label = "PFM",
    .extensions = {".pfm"},
    .signatures = {"PF", "Pf"},
    .holds = Holds::floats,
    .readingParameters = {"channels"},
    .writesRows = true,
    .probe = probe,
    .read = read,
    .write = write,
    .kind = kind,
};

}  // namespace lacuna::io
