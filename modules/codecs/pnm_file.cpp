// Netpbm's PBM, PGM, PPM (text and binary) and PAM: https://netpbm.sourceforge.net/doc/#formats. A file that
// holds several images is read as its first one.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>

#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

struct Header {
  uint64_t width = 0, height = 0, components = 1, largest = 1;
  bool isText = false, isBits = false;  // isBits: a bit a pixel, 1 is black
  uint64_t firstByte = 0;

  uint32_t wordBytes() const { return largest > 255 ? 2 : 1; }
  uint64_t rowBytes() const { return isBits ? (width + 7) / 8 : width * components * wordBytes(); }
};

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw FileError(fmt::format("{}: damaged Netpbm file: {}", path, what));
}

// The next word; comments reach from # to the end of their line.
std::string nextWord(std::FILE* file) {
  std::string word;
  for (int c = std::fgetc(file); c != EOF && word.size() < 32; c = std::fgetc(file)) {
    while (c == '#' && word.empty())
      for (c = std::fgetc(file); c != EOF && c != '\n';)
        c = std::fgetc(file);
    if (c != EOF && std::isspace(c) == 0)
      word += static_cast<char>(c);
    else if (!word.empty())
      break;
  }
  return word;
}

uint64_t readNumber(std::FILE* file, const std::string& path, const char* what, uint64_t least,
                    uint64_t most) {
  const std::string word = nextWord(file);
  const bool isNumber =
      !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
  const uint64_t value = isNumber ? std::stoull(word) : 0;
  if (!isNumber || value < least || value > most)
    damaged(path, fmt::format("{} is '{}', but must be {} to {}", what, word, least, most));
  return value;
}

constexpr uint64_t anySide = 999'999'999;  // checkSize() has the better message
constexpr uint64_t largestValue = 65535;

// Reads a PAM file's header, which has a line for each property.
void readProperties(std::FILE* file, const std::string& path, Header& header) {
  const std::pair<std::string, uint64_t Header::*> sides[] = {{"WIDTH", &Header::width},
                                                              {"HEIGHT", &Header::height}};
  header.components = header.largest = 0;
  for (std::string word = nextWord(file); word != "ENDHDR"; word = nextWord(file)) {
    if (word.empty())
      damaged(path, "it breaks off in its header");
    for (const auto& [name, side] : sides)
      if (word == name)
        header.*side = readNumber(file, path, name.c_str(), 0, anySide);
    if (word == "DEPTH")
      header.components = readNumber(file, path, "DEPTH", 1, 4);
    else if (word == "MAXVAL")
      header.largest = readNumber(file, path, "MAXVAL", 1, largestValue);
    else if (word == "TUPLTYPE")
      nextWord(file);  // follows from the depth
  }
  if (header.components == 0 || header.largest == 0)
    damaged(path, "its header has no DEPTH or no MAXVAL");
}

Header readHeader(std::FILE* file, const std::string& path) {
  Header header;
  const std::string magic = nextWord(file);
  if (magic == "P7") {
    readProperties(file, path, header);
  } else if (magic.size() == 2 && magic[0] == 'P' && magic[1] >= '1' && magic[1] <= '6') {
    header.isText = magic[1] < '4';
    header.isBits = magic == "P1" || magic == "P4";
    header.components = magic == "P3" || magic == "P6" ? 3 : 1;
    header.width = readNumber(file, path, "the width", 0, anySide);
    header.height = readNumber(file, path, "the height", 0, anySide);
    header.largest = header.isBits ? 1 : readNumber(file, path, "the largest value", 1, largestValue);
  } else {
    damaged(path, "expected P1 to P7 and a line break at its start");
  }
  checkSize(path, header.width, header.height);
  header.firstByte = static_cast<uint64_t>(std::ftell(file));
  // A text file has at least a digit for each number.
  const uint64_t needed =
      header.isText ? header.width * header.height * header.components : header.rowBytes() * header.height;
  if (fileBytes(path) < header.firstByte + needed)
    damaged(path, fmt::format("{} x {} pixels need {} bytes behind its header, but it has {}", header.width,
                              header.height, needed,
                              fileBytes(path) - std::min(fileBytes(path), header.firstByte)));
  return header;
}

StoredImage imageOf(const std::string& path, const Header& header, const ReadOptions& options) {
  StoredHeader stored;
  stored.extent = {static_cast<uint32_t>(header.width), static_cast<uint32_t>(header.height)};
  stored.wordBytes = header.wordBytes();
  return {path, std::move(stored), options};
}

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted,
                 const ReadOptions& options) {
  const Header header = readHeader(openToRead(path).get(), path);
  return singlePlane(imageOf(path, header, options).type(), wanted);
}

// A digit; in P1 there may be no space between them.
uint32_t readDigit(std::FILE* file, const std::string& path) {
  int c = std::fgetc(file);
  while (std::isspace(c) != 0)
    c = std::fgetc(file);
  if (c != '0' && c != '1')
    damaged(path, "expected 0 or 1 for each pixel");
  return c == '1' ? 1 : 0;
}

class Rows {
 public:
  Rows(std::FILE* file, const std::string& path, const Header& header)
      : file_(file), path_(path), header_(header), bytes_(header.rowBytes()) {}

  // The next row as rgba of the header's words, from 0 to the largest of them.
  void read(std::byte* pixels) {
    if (!header_.isText && std::fread(bytes_.data(), 1, bytes_.size(), file_) != bytes_.size())
      damaged(path_, "it breaks off");
    const uint64_t components = header_.components, colours = components < 3 ? 1 : 3;
    const uint32_t full = header_.wordBytes() == 2 ? 65535 : 255;
    for (uint64_t x = 0; x < header_.width; ++x) {
      uint32_t values[4] = {};
      for (uint64_t c = 0; c < components; ++c)
        values[c] = scaled(valueAt(x * components + c), full);
      const uint32_t alpha = components % 2 == 0 ? values[components - 1] : full;
      for (uint64_t c = 0; c < 4; ++c)
        store(pixels, 4 * x + c, c == 3 ? alpha : values[colours == 3 ? c : 0]);
    }
  }

 private:
  uint32_t valueAt(uint64_t index) const {
    if (header_.isBits)
      return 1 - (header_.isText ? readDigit(file_, path_) : bytes_[index / 8] >> (7 - index % 8) & 1U);
    if (header_.isText)
      return static_cast<uint32_t>(readNumber(file_, path_, "a value", 0, header_.largest));
    return header_.wordBytes() == 1 ? bytes_[index] : bytes_[2 * index] << 8U | bytes_[2 * index + 1];
  }

  uint32_t scaled(uint32_t value, uint32_t full) const {
    const auto largest = static_cast<uint32_t>(header_.largest);
    if (value > largest)
      damaged(path_, fmt::format("a value is {}, but {} is the largest", value, largest));
    return largest == full ? value : (value * full + largest / 2) / largest;
  }

  void store(std::byte* pixels, uint64_t index, uint32_t value) const {
    const auto word = static_cast<uint16_t>(value);
    if (header_.wordBytes() == 2)
      std::memcpy(pixels + 2 * index, &word, 2);
    else
      pixels[index] = static_cast<std::byte>(word);
  }

  std::FILE* file_;
  const std::string& path_;
  const Header& header_;
  std::vector<uint8_t> bytes_;
};

void read(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
  for (const PlaneTarget& target : targets) {
    const File file = openToRead(path);
    const Header header = readHeader(file.get(), path);
    const StoredImage image = imageOf(path, header, options);
    checkTarget(path, target, image.type());
    Rows rows(file.get(), path, header);
    image.deliver(target.destination, [&](std::byte* pixels, uint32_t count) {
      for (uint32_t y = 0; y < count; ++y)
        rows.read(pixels + y * header.width * 4 * header.wordBytes());
    });
  }
}

bool isOpaque(const NamedImage& image) {
  const size_t pixelBytes = bytesPerPixel(image.type.channels, image.type.format);
  for (size_t at = 0; at < image.pixels.size(); at += pixelBytes)
    if (componentAt(image.pixels.data() + at, 3, image.type.format) != 1.0F)
      return false;
  return true;
}

// The written part of a pixel, by the name's end: .pgm grey, .ppm colour, .pnm either, .pam alpha, too.
struct Layout {
  bool isPam = false, grey = false, alpha = false;

  std::string header(const Extent& extent, int largest) const {
    if (!isPam)
      return fmt::format("{}\n{} {}\n{}\n", grey ? "P5" : "P6", extent.width, extent.height, largest);
    return fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {}{}\nENDHDR\n", extent.width,
                       extent.height, (grey ? 1 : 3) + (alpha ? 1 : 0), largest, grey ? "GRAYSCALE" : "RGB",
                       alpha ? "_ALPHA" : "");
  }
};

Layout layoutFor(const std::string& path, const NamedImage& image, const WriteOptions& options) {
  const std::string extension = extensionOf(path);
  const std::optional<Kept> kept = keptOf(options, image.type.extent);
  const bool mustBeGrey = extension == ".pgm", mayBeGrey = extension != ".ppm" && kept && kept->kind.grey;
  Layout layout;
  layout.isPam = extension == ".pam";
  layout.grey = (mustBeGrey || mayBeGrey) && isGrey(image);
  if (mustBeGrey && !layout.grey)
    throw FileError(fmt::format("{}: a .pgm file is grey, but the picture has colour; name it .ppm", path));
  const bool hasAlpha = !isOpaque(image);
  layout.alpha = layout.isPam && (hasAlpha || (kept && kept->kind.alpha));
  if (hasAlpha && !layout.isPam && options.warn)
    options.warn(fmt::format("{}: alpha is not written; name the file .pam to keep it", path));
  return layout;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  const bool isWide = type.format == Format::u16;
  if (componentCount(type.channels) != 4 || (type.format != Format::u8 && !isWide))
    throw FileError(
        fmt::format("{}: a Netpbm file is written from rgba u8 or u16, not from {}", path, print(type)));
  if (type.colour == ColourTag::rec2020 && options.warn)
    options.warn(fmt::format(
        "{}: its values are Rec. 2020, which Netpbm files can't state; convert to rec709 with `colour`",
        path));
  const Layout layout = layoutFor(path, image, options);
  File file = openToWrite(path, part);
  std::fputs(layout.header(type.extent, isWide ? 65535 : 255).c_str(), file.get());
  constexpr bool isLittle = std::endian::native == std::endian::little;
  std::vector<std::byte> row;
  const size_t wordBytes = isWide ? 2 : 1, rowBytes = 4 * wordBytes * type.extent.width;
  for (uint32_t y = 0; y < type.extent.height; ++y) {
    row.clear();
    for (size_t i = 0; i < size_t{4} * type.extent.width; ++i) {
      const bool isWritten = i % 4 == 3 ? layout.alpha : !layout.grey || i % 4 == 1;
      const std::byte* word = image.pixels.data() + y * rowBytes + i * wordBytes;
      if (isWritten && isWide)
        row.push_back(word[isLittle ? 1 : 0]);  // the high byte first
      if (isWritten)
        row.push_back(word[isWide && !isLittle ? 1 : 0]);
    }
    if (std::fwrite(row.data(), 1, row.size(), file.get()) != row.size())
      break;  // closeWritten reports it
  }
  closeWritten(std::move(file), path);
}

StoredKind kind(const std::string& path, const std::string&, const ReadOptions&) {
  const Header header = readHeader(openToRead(path).get(), path);
  return {static_cast<int>(8 * header.wordBytes()), false, header.components < 3, header.components % 2 == 0};
}

}  // namespace

extern const Codec pnmCodec;  // for the table that CMake makes
const Codec pnmCodec{
    .name = "pnm",
    .label = "Netpbm",
    .extensions = {".pnm", ".ppm", ".pgm", ".pam"},
    .signatures = {"P1", "P2", "P3", "P4", "P5", "P6", "P7"},
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "gamma", "precision"},
    .writingParameters = {"encoding", "gamma", "bits"},
    .probe = probe,
    .read = read,
    .write = write,
    .kind = kind,
};

}  // namespace lacuna::io
