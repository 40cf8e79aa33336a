// Radiance's pictures: https://radsite.lbl.gov/radiance/refer/filefmts.pdf. Three mantissas of 8 bits share
// an exponent, and components of a row are packed by runs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "Radiance HDR";
// Widths whose rows are packed by components.
constexpr uint32_t leastPacked = 8, mostPacked = 32767;

struct Header {
  uint64_t width = 0, height = 0;  // as they are stored
  Orientation orientation = 1;
  std::vector<std::string> lines;  // of no meaning for the pixels
  std::optional<Chromaticities> whiteAndPrimaries;
};

std::string nextLine(std::FILE* file, const std::string& path) {
  constexpr size_t longest = 4096;
  std::string line;
  int c = std::fgetc(file);
  for (; c != EOF && c != '\n' && line.size() < longest; c = std::fgetc(file))
    line += static_cast<char>(c);
  if (c != '\n')
    throwDamaged(path, label, "it breaks off in its header");
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// "-Y 480 +X 640": rows from the top, pixels from the left; the other signs and orders turn the picture.
void readSize(const std::string& path, const std::string& line, Header& header) {
  char signs[2] = {}, axes[2] = {};
  unsigned long long lengths[2] = {};
  constexpr int expected = 6;
  if (std::sscanf(line.c_str(), "%c%c %9llu %c%c %9llu", &signs[0], &axes[0], &lengths[0], &signs[1],
                  &axes[1], &lengths[1]) != expected)
    throwDamaged(path, label, "expected a size such as '-Y 480 +X 640', but found '{}'", line.substr(0, 64));
  constexpr std::pair<const char*, Orientation> orders[] = {
      {"-Y+X", 1}, {"-Y-X", 2}, {"+Y-X", 3}, {"+Y+X", 4}, {"+X-Y", 5}, {"-X-Y", 6}, {"-X+Y", 7}, {"+X+Y", 8}};
  const std::string order{signs[0], axes[0], signs[1], axes[1]};
  const auto* found =
      std::ranges::find(orders, order, [](const auto& each) { return std::string(each.first); });
  if (found == std::end(orders))
    throwDamaged(path, label, "expected an order such as -Y +X of its rows, but found '{}'",
                 line.substr(0, 64));
  header.orientation = found->second;
  header.height = lengths[0];
  header.width = lengths[1];
}

Header readHeader(std::FILE* file, const std::string& path) {
  Header header;
  nextLine(file, path);  // the signature
  size_t bytes = 0;
  constexpr size_t most = 65536;
  for (std::string line = nextLine(file, path); !line.empty(); line = nextLine(file, path)) {
    bytes += line.size();
    if (bytes > most)
      throwDamaged(path, label, "its header has more than {} bytes", most);
    double c[8];
    constexpr int count = 8;
    if (line.starts_with("FORMAT=")) {
      if (line != "FORMAT=32-bit_rle_rgbe")
        refuse(path, "its pixels are '{}'; expected 32-bit_rle_rgbe", line.substr(7, 64));
    } else if (line.starts_with("PRIMARIES=")) {
      if (std::sscanf(line.c_str() + 10, "%lf %lf %lf %lf %lf %lf %lf %lf", &c[0], &c[1], &c[2], &c[3], &c[4],
                      &c[5], &c[6], &c[7]) != count)
        throwDamaged(path, label, "expected eight numbers behind PRIMARIES=");
      header.whiteAndPrimaries = {c[6], c[7], c[0], c[1], c[2], c[3], c[4], c[5]};
    } else {
      header.lines.push_back(line);
    }
  }
  readSize(path, nextLine(file, path), header);
  return header;
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), file_(openToRead(path)), header_(readHeader(file_.get(), path)) {}

  ValueType type(const std::string&) {
    checkSize(path_, header_.width, header_.height);
    StoredHeader header;
    header.extent = {static_cast<uint32_t>(header_.width), static_cast<uint32_t>(header_.height)};
    constexpr uint64_t mostPixelsPerByte = 127;  // old files' runs: more only of many in a row
    checkPromise(path_, label, header.extent, mostPixelsPerByte);
    header.wordBytes = 4;
    header.isFloat = true;
    header.orientation = header_.orientation;
    header.colour = metadata().stored.value();
    row_.resize(header_.width);
    return image_.emplace(path_, std::move(header), options_).type();
  }

  StoredKind kind(const std::string&) const { return {32, true, false, false}; }

  Metadata metadata() const {
    Metadata metadata;
    metadata.colour.whiteAndPrimaries = header_.whiteAndPrimaries;
    deliverLinear(metadata);
    metadata.comments = header_.lines;
    return metadata;
  }

  void read(const PlaneTarget& target) {
    uint64_t y = 0;
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      for (uint32_t i = 0; i < count; ++i, ++y) {
        readRow(y);
        std::byte* to = rows + i * row_.size() * 16;
        for (const Pixel& pixel : row_) {
          const float factor = pixel[3] == 0 ? 0.0F : std::ldexp(1.0F, pixel[3] - 136);
          const std::array<float, 4> numbers = {static_cast<float>(pixel[0]) * factor,
                                                static_cast<float>(pixel[1]) * factor,
                                                static_cast<float>(pixel[2]) * factor, 1.0F};
          std::memcpy(to, numbers.data(), sizeof numbers);
          to += sizeof numbers;
        }
      }
    });
  }

 private:
  using Pixel = std::array<uint8_t, 4>;

  uint8_t next(uint64_t y) const {
    const int c = std::fgetc(file_.get());
    if (c == EOF)
      throwDamaged(path_, label, "it breaks off at row {}", y);
    return static_cast<uint8_t>(c);
  }

  void readRow(uint64_t y) {
    const uint64_t width = header_.width;
    Pixel pixel{};
    for (uint8_t& byte : pixel)
      byte = next(y);
    const bool isPacked = width >= leastPacked && width <= mostPacked && pixel[0] == 2 && pixel[1] == 2 &&
                          (pixel[2] << 8 | pixel[3]) == static_cast<int>(width);
    isPacked ? readComponents(y) : readPixels(y, pixel);
  }

  void readComponents(uint64_t y) {
    for (size_t c = 0; c < 4; ++c)
      for (size_t x = 0; x < row_.size();) {
        const unsigned code = next(y), count = code > 128 ? code - 128 : code;
        if (count == 0 || count > row_.size() - x)
          throwDamaged(path_, label, "a run of {} numbers at {} of row {}, which has {}", count, x, y,
                       row_.size());
        uint8_t value = code > 128 ? next(y) : uint8_t{0};
        for (const size_t end = x + count; x < end; ++x)
          row_[x][c] = code > 128 ? value : next(y);
      }
  }

  // Pixels one by one; 1 1 1 n repeats the one before, n times, 256 n times after another such, and so on.
  void readPixels(uint64_t y, Pixel pixel) {
    int shift = 0;
    for (size_t x = 0;;) {
      if (pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1) {
        const uint64_t count = uint64_t{pixel[3]} << shift;
        if (x == 0 || shift > 24 || count > row_.size() - x)
          throwDamaged(path_, label, "a run of {} pixels at {} of row {}, which has {}", count, x, y,
                       row_.size());
        std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(x), count, row_[x - 1]);
        x += count;
        shift += 8;
      } else {
        row_[x++] = pixel;
        shift = 0;
      }
      if (x >= row_.size())
        return;
      for (uint8_t& byte : pixel)
        byte = next(y);
    }
  }

  File file_;
  Header header_;
  std::vector<Pixel> row_;
};

// Mantissas to the nearest; what is below 0, or no number, becomes 0.
std::array<uint8_t, 4> packedLight(const std::byte* pixel, Format format) {
  constexpr float largest = 1.7e38F, smallest = 1e-32F;
  std::array<float, 3> light{};
  for (size_t c = 0; c < 3; ++c) {
    const float value = componentAt(pixel, c, format);
    light.at(c) = value > 0 ? std::min(value, largest) : 0.0F;
  }
  const float most = *std::ranges::max_element(light);
  if (most < smallest)
    return {};
  int exponent = 0;
  std::frexp(most, &exponent);
  if (std::lround(std::ldexp(most, 8 - exponent)) > 255)
    ++exponent;
  std::array<uint8_t, 4> packed{};
  for (size_t c = 0; c < 3; ++c)
    packed.at(c) = static_cast<uint8_t>(std::lround(std::ldexp(light.at(c), 8 - exponent)));
  packed[3] = static_cast<uint8_t>(exponent + 128);
  return packed;
}

// Runs of four and more; what lies between, up to 128 together.
void packComponent(const std::vector<std::array<uint8_t, 4>>& row, size_t c, std::vector<uint8_t>& to) {
  constexpr size_t leastRun = 4, mostRun = 127, mostOthers = 128;
  const auto runAt = [&](size_t x) {
    size_t count = 1;
    while (x + count < row.size() && count < mostRun && row[x + count][c] == row[x][c])
      ++count;
    return count;
  };
  for (size_t x = 0; x < row.size();) {
    size_t end = x;
    while (end < row.size() && end - x < mostOthers && runAt(end) < leastRun)
      ++end;
    if (end > x)
      to.push_back(static_cast<uint8_t>(end - x));
    for (; x < end; ++x)
      to.push_back(row[x][c]);
    if (x < row.size() && runAt(x) >= leastRun) {
      const size_t count = runAt(x);
      to.push_back(static_cast<uint8_t>(128 + count));
      to.push_back(row[x][c]);
      x += count;
    }
  }
}

std::string headerFor(const std::string& path, const KeptPicture& picture) {
  std::string text = "#?RADIANCE\n";
  if (picture.kept && picture.kept->codec == codecOfExtension(".hdr"))
    for (const std::string& line : picture.kept->metadata.comments)
      text += line + "\n";
  if (picture.image.type.colour == ColourTag::own || picture.image.type.colour == ColourTag::rec2020) {
    const Chromaticities c = primariesToWrite(path, picture);
    text +=
        fmt::format("PRIMARIES={} {} {} {} {} {} {} {}\n", c[2], c[3], c[4], c[5], c[6], c[7], c[0], c[1]);
  }
  const Extent extent = picture.image.type.extent;
  return text + fmt::format("FORMAT=32-bit_rle_rgbe\n\n-Y {} +X {}\n", extent.height, extent.width);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  if (!isFloat(type.format) || componentCount(type.channels) < 3)
    refuse(path, "a Radiance HDR file is written from rgb or rgba floats, not from {}", print(type));
  KeptPicture picture{image, options};
  picture.grey = false;
  const std::string header = headerFor(path, picture);
  File file = openToWrite(path, part);
  std::fwrite(header.data(), 1, header.size(), file.get());  // closeWritten reports what can't be written
  std::vector<std::array<uint8_t, 4>> row(type.extent.width);
  std::vector<uint8_t> packed;
  const size_t pixelBytes = bytesPerElement(type);
  picture.eachStrip([&](const NamedImage& strip) {
    const std::byte* pixel = strip.pixels.data();
    for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
      for (auto& to : row) {
        to = packedLight(pixel, type.format);
        pixel += pixelBytes;
      }
      const uint32_t width = type.extent.width;
      packed.clear();
      if (width >= leastPacked && width <= mostPacked) {
        packed = {2, 2, static_cast<uint8_t>(width >> 8U), static_cast<uint8_t>(width)};
        for (size_t c = 0; c < 4; ++c)
          packComponent(row, c, packed);
      }
      const void* bytes = packed.empty() ? static_cast<const void*>(row.data()) : packed.data();
      std::fwrite(bytes, 1, packed.empty() ? 4 * row.size() : packed.size(), file.get());
    }
  });
  closeWritten(std::move(file), path);
}

using namespace std::string_view_literals;

}  // namespace

extern const Codec hdrCodec;  // for the table that CMake makes
const Codec hdrCodec = readBy<Reader>({
    .name = "hdr",
    .label = label,
    .extensions = {".hdr", ".rgbe"},
    .readExtensions = {".pic"},
    .signatures = {"#?RADIANCE"sv, "#?RGBE"sv},
    .holds = Holds::floats,
    .readingParameters = {"profile"},
    .writesRows = true,
    .write = write,
});

}  // namespace lacuna::io
