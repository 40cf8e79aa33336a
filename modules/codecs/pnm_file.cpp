// Netpbm's PBM, PGM, PPM (text and binary) and PAM: https://netpbm.sourceforge.net/doc/#formats. A file that
// holds several images is read as its first one.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {

extern const Codec pnmCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = "Netpbm";

struct Header {
  uint64_t width = 0, height = 0, components = 1, largest = 1;
  bool isText = false, isBits = false;  // isBits: a bit a pixel, 1 is black

  uint64_t rowBytes() const {
    return isBits ? (width + 7) / 8 : width * components * (largest > 255 ? 2 : 1);
  }
};

uint64_t readNumber(std::FILE* file, const std::string& path, const char* what, uint64_t least,
                    uint64_t most) {
  return nextNumber(file, path, label, what, least, most, true);
}

constexpr uint64_t largestValue = 65535;

// Reads a PAM file's header, which has a line for each property.
void readProperties(std::FILE* file, const std::string& path, Header& header) {
  const std::pair<std::string, uint64_t Header::*> sides[] = {{"WIDTH", &Header::width},
                                                              {"HEIGHT", &Header::height}};
  header.components = header.largest = 0;
  for (std::string word = nextWord(file, true); word != "ENDHDR"; word = nextWord(file, true)) {
    if (word.empty())
      throwDamaged(path, label, "it breaks off in its header");
    for (const auto& [name, side] : sides)
      if (word == name)
        header.*side = readNumber(file, path, name.c_str(), 0, anySide);
    if (word == "DEPTH")
      header.components = readNumber(file, path, "DEPTH", 1, 4);
    else if (word == "MAXVAL")
      header.largest = readNumber(file, path, "MAXVAL", 1, largestValue);
    else if (word == "TUPLTYPE")
      nextWord(file, true);  // follows from the depth
  }
  if (header.components == 0 || header.largest == 0)
    throwDamaged(path, label, "its header has no DEPTH or no MAXVAL");
}

Header readHeader(std::FILE* file, const std::string& path) {
  Header header;
  const std::string magic = nextWord(file, true);
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
    throwDamaged(path, label, "expected P1 to P7 and a line break at its start");
  }
  checkSize(path, header.width, header.height);
  const auto firstByte = static_cast<uint64_t>(std::ftell(file));
  // A text file has at least a digit for each number.
  const uint64_t needed =
      header.isText ? header.width * header.height * header.components : header.rowBytes() * header.height;
  if (fileBytes(path) < firstByte + needed)
    throwDamaged(path, label, "{} x {} pixels need {} bytes behind its header, but it has {}", header.width,
                 header.height, needed, fileBytes(path) - std::min(fileBytes(path), firstByte));
  return header;
}

// A digit; in P1 there may be no space between them.
uint32_t readDigit(std::FILE* file, const std::string& path) {
  int c = std::fgetc(file);
  while (std::isspace(c) != 0)
    c = std::fgetc(file);
  if (c != '0' && c != '1')
    throwDamaged(path, label, "expected 0 or 1 for each pixel");
  return c == '1' ? 1 : 0;
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : path_(path),
        rows_(options.rows),
        file_(openToRead(path)),
        header_(readHeader(file_.get(), path)),
        layout_{.extent = {static_cast<uint32_t>(header_.width), static_cast<uint32_t>(header_.height)},
                .format = header_.largest > 255 ? Format::u16 : Format::u8,
                .components = static_cast<uint32_t>(header_.components)} {}

  ValueType type(const std::string&) const {
    return {Channels::rgba, layout_.format, ColourTag::rec709, layout_.extent};
  }
  void read(const PlaneTarget& target) {
    bytes_.resize(header_.rowBytes());
    readRows(path_, label, file_.get(), layout_, true, target, rows_,
             [&](std::span<std::byte> numbers) { nextRow(numbers); });
  }
  StoredKind kind(const std::string&) const {
    return {layout_.format == Format::u16 ? 16 : 8, false, layout_.components < 3,
            layout_.components % 2 == 0};
  }

 private:
  // From 0 to the largest number of their bits.
  void nextRow(std::span<std::byte> numbers) {
    if (!header_.isText && std::fread(bytes_.data(), 1, bytes_.size(), file_.get()) != bytes_.size())
      throwDamaged(path_, label, "it breaks off");
    for (size_t i = 0; i < header_.width * header_.components; ++i) {
      const auto value = static_cast<uint16_t>(scaled(valueAt(i)));
      if (layout_.format == Format::u16)
        std::memcpy(&numbers[2 * i], &value, 2);
      else
        numbers[i] = static_cast<std::byte>(value);
    }
  }

  uint32_t valueAt(uint64_t index) const {
    if (header_.isBits)
      return 1 - (header_.isText ? readDigit(file_.get(), path_) : bytes_[index / 8] >> (7 - index % 8) & 1U);
    if (header_.isText)
      return static_cast<uint32_t>(readNumber(file_.get(), path_, "a value", 0, header_.largest));
    return layout_.format == Format::u8 ? bytes_[index] : bytes_[2 * index] << 8U | bytes_[2 * index + 1];
  }

  uint32_t scaled(uint32_t value) const {
    const uint32_t full = layout_.format == Format::u16 ? 65535 : 255;
    const auto largest = static_cast<uint32_t>(header_.largest);
    if (value > largest)
      throwDamaged(path_, label, "a value is {}, but {} is the largest", value, largest);
    return largest == full ? value : (value * full + largest / 2) / largest;
  }

  const std::string& path_;
  const OnRows& rows_;
  File file_;
  Header header_;
  RowLayout layout_;
  std::vector<uint8_t> bytes_;  // of a row
};

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

Layout layoutFor(const KeptPicture& picture) {
  const std::string extension = extensionOf(picture.path);
  Layout layout;
  layout.isPam = extension == ".pam";
  layout.grey = extension == ".pgm" ? isGrey(picture.image) : extension != ".ppm" && picture.grey;
  if (extension == ".pgm" && !layout.grey)
    refuse(picture.path, "a .pgm file is grey, but the picture has colour; name it .ppm");
  layout.alpha = layout.isPam && picture.alpha;
  if (!layout.isPam && someTransparent(picture.image))
    warn(picture.options, picture.path, "alpha is not written; name the file .pam to keep it");
  return layout;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, pnmCodec, planes, options);
  const ValueType& type = picture.image.type;
  if (type.colour == ColourTag::rec2020)
    warn(options, path,
         "its values are Rec. 2020, which Netpbm files can't state; convert to rec709 with `colour`");
  const Layout layout = layoutFor(picture);
  std::vector<size_t> components = layout.grey ? std::vector<size_t>{1} : std::vector<size_t>{0, 1, 2};
  if (layout.alpha)
    components.push_back(3);
  const RowLayout rows{type.extent, type.format, static_cast<uint32_t>(components.size()), true};
  writeRows(path, part, layout.header(type.extent, type.format == Format::u16 ? 65535 : 255), picture.image,
            rows, components);
}

}  // namespace

const Codec pnmCodec = readBy<Reader>({
    .name = "pnm",
    .label = label,
    .extensions = {".pnm", ".ppm", ".pgm", ".pam"},
    .signatures = {"P1", "P2", "P3", "P4", "P5", "P6", "P7"},
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "gamma", "precision"},
    .writingParameters = {"encoding", "gamma", "bits"},
    .write = write,
});

}  // namespace lacuna::io
