// Portable float map: "PF" or "Pf", width, height, scale (negative: little-endian), then rows of floats from
// the bottom. https://www.pauldebevec.com/Research/HDR/PFM/

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "PFM";

[[noreturn]] void badHeader(const std::string& path, const char* expected) {
  throwDamaged(path, label, "expected {} in its header", expected);
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

RowLayout readHeader(std::FILE* file, const std::string& path) {
  const std::string magic = nextWord(file);
  if (magic != "PF" && magic != "Pf")
    badHeader(path, "'PF' or 'Pf' and a line break");
  const uint64_t width = nextNumber(file, path, label, "the width", 0, anySide);
  const uint64_t height = nextNumber(file, path, label, "the height", 0, anySide);
  checkSize(path, width, height);
  const std::string word = nextWord(file);
  char* end = nullptr;
  const double scale = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(scale) || scale == 0.0)
    badHeader(path, "a scale other than 0");
  RowLayout layout{.extent = {static_cast<uint32_t>(width), static_cast<uint32_t>(height)},
                   .components = magic == "PF" ? 3U : 1U,
                   .bigEndian = scale > 0.0,
                   .fromBottom = true};
  const auto firstByte = static_cast<uint64_t>(std::ftell(file));
  const uint64_t pixelBytes = layout.rowBytes() * height;
  layout.firstByte = behindLineEnd(file, firstByte, fileBytes(path) == firstByte + pixelBytes);
  const uint64_t needed = layout.firstByte + pixelBytes;
  if (fileBytes(path) < needed)
    throwDamaged(path, label, "{} x {} pixels need {} bytes, but it has {}", width, height, needed,
                 fileBytes(path));
  return layout;
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : path_(path), options_(options), file_(openToRead(path)), layout_(readHeader(file_.get(), path)) {}

  // Colour, or as many of the file's first components as the asked channels have.
  ValueType type(const std::string&) const {
    const Channels channels = options_.channels.value_or(Channels::rgba);
    if (options_.channels && componentCount(channels) > static_cast<int>(layout_.components))
      refuse(path_, "its components are {}, but {} has {}", layout_.components, name(channels),
             componentCount(channels));
    const ColourTag colour = options_.channels ? ColourTag::data : ColourTag::rec709;
    return {channels, Format::f32, colour, layout_.extent};
  }
  void read(const PlaneTarget& target) const {
    readRows(path_, label, file_.get(), layout_, !options_.channels, target, options_.rows);
  }
  StoredKind kind(const std::string&) const { return {32, true, layout_.components == 1, false}; }

 private:
  const std::string& path_;
  const ReadOptions& options_;
  File file_;
  RowLayout layout_;
};

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  const int components = componentCount(type.channels);
  if ((type.format != Format::f16 && type.format != Format::f32) || components == 2)
    refuse(path, "a PFM file is written from one, three or four floats, not from {}", print(type));
  const std::optional<Kept> origin = keptOf(options, type.extent);
  const bool isOne = components == 1 || (origin && origin->kind.grey && (options.rows || isGrey(image)));
  const bool isBig = std::endian::native == std::endian::big;
  const std::string header = fmt::format("{}\n{} {}\n{}\n", isOne ? "Pf" : "PF", type.extent.width,
                                         type.extent.height, isBig ? "1.0" : "-1.0");
  const RowLayout layout{type.extent, Format::f32, isOne ? 1U : 3U, isBig, true, header.size()};
  writeRows(path, part, header, image, layout, isOne ? std::vector<size_t>{0} : std::vector<size_t>{0, 1, 2},
            options.rows,
            [&](const NamedImage& strip) { return components == 1 || !isOne || isGrey(strip); });
}

}  // namespace

extern const Codec pfmCodec;  // for the table that CMake makes
const Codec pfmCodec = readBy<Reader>({
    .name = "pfm",
    .label = label,
    .extensions = {".pfm"},
    .signatures = {"PF", "Pf"},
    .holds = Holds::floats,
    .readingParameters = {"channels"},
    .writesRows = true,
    .write = write,
});

}  // namespace lacuna::io
