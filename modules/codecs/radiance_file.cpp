// Radiance's pictures: https://radsite.lbl.gov/radiance/refer/filefmts.pdf. Three mantissas of 8 bits share
// an exponent, and components of a row are packed by runs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {

extern const Codec hdrCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = "Radiance HDR";
// What readers expect in front of the pixels.
constexpr const char* pixelFormat = "32-bit_rle_rgbe";
// How rows and their pixels follow each other, by orientation.
constexpr std::array<std::string_view, 8> orders = {"-Y+X", "-Y-X", "+Y-X", "+Y+X",
                                                    "+X-Y", "-X-Y", "-X+Y", "+X+Y"};

using Pixel = std::array<uint8_t, 4>;

bool isPacked(uint64_t width) {  // by components
  return width >= 8 && width <= 32767;
}

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
  std::istringstream words(line);
  std::string rows, columns;
  words >> rows >> header.height >> columns >> header.width;
  const auto* found = std::ranges::find(orders, rows + columns);
  if (!words || found == orders.end())
    throwDamaged(path, label, "expected a size such as '-Y 480 +X 640', but found '{}'", line.substr(0, 64));
  header.orientation = static_cast<Orientation>(found - orders.begin()) + 1;
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
    if (line.starts_with("FORMAT=")) {
      if (line.substr(7) != pixelFormat)
        refuse(path, "its pixels are '{}'; expected {}", line.substr(7, 64), pixelFormat);
    } else if (line.starts_with("PRIMARIES=")) {
      std::istringstream numbers(line.substr(10));
      Chromaticities colours{};  // the white is last
      for (double& number : colours)
        numbers >> number;
      if (!numbers)
        throwDamaged(path, label, "expected eight numbers behind PRIMARIES=");
      std::rotate(colours.begin(), colours.begin() + 6, colours.end());
      header.whiteAndPrimaries = colours;
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
    const Extent extent{static_cast<uint32_t>(header_.width), static_cast<uint32_t>(header_.height)};
    constexpr uint64_t mostPixelsPerByte = 127;  // old files' runs: more only of many in a row
    checkPromise(path_, label, extent, mostPixelsPerByte);
    row_.resize(extent.width);
    return open(StoredHeader(extent, kind("")), metadata());
  }

  StoredKind kind(const std::string&) const { return {32, true, false, false}; }

  Metadata metadata() const {
    Metadata metadata{.comments = header_.lines,
                      .colour = {.whiteAndPrimaries = header_.whiteAndPrimaries},
                      .orientation = header_.orientation};
    deliverLinear(metadata);
    return metadata;
  }

  void read(const PlaneTarget& target) {
    uint64_t y = 0;
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      for (uint32_t i = 0; i < count; ++i, ++y) {
        readRow(y);
        auto* to = reinterpret_cast<float*>(rows) + i * row_.size() * 4;
        for (const Pixel& pixel : row_) {
          const float factor = pixel[3] == 0 ? 0.0F : std::ldexp(1.0F, pixel[3] - 136);
          for (size_t c = 0; c < 3; ++c)
            *to++ = static_cast<float>(pixel[c]) * factor;
          *to++ = 1.0F;
        }
      }
    });
  }

 private:
  uint8_t next(uint64_t y) const {
    const int c = std::fgetc(file_.get());
    if (c == EOF)
      throwDamaged(path_, label, "it breaks off at row {}", y);
    return static_cast<uint8_t>(c);
  }

  void readRow(uint64_t y) {
    const uint64_t width = header_.width;
    const Pixel first = nextPixel(y),
                expected{2, 2, static_cast<uint8_t>(width >> 8U), static_cast<uint8_t>(width)};
    isPacked(width) && first == expected ? readComponents(y) : readPixels(y, first);
  }

  Pixel nextPixel(uint64_t y) const {
    Pixel pixel;
    for (uint8_t& byte : pixel)
      byte = next(y);
    return pixel;
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
      pixel = nextPixel(y);
    }
  }

  File file_;
  Header header_;
  std::vector<Pixel> row_;
};

// Mantissas to the nearest; what is below 0, or no number, becomes 0.
Pixel packedLight(const std::byte* pixel, Format format) {
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
  Pixel packed{};
  for (size_t c = 0; c < 3; ++c)
    packed.at(c) = static_cast<uint8_t>(std::lround(std::ldexp(light.at(c), 8 - exponent)));
  packed[3] = static_cast<uint8_t>(exponent + 128);
  return packed;
}

// Runs of four and more; what lies between, up to 128 together.
void packComponent(const std::vector<Pixel>& row, size_t c, std::vector<uint8_t>& to) {
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

std::string headerFor(const KeptPicture& picture) {
  std::string text = "#?RADIANCE\n";
  if (picture.keepsFormat())
    for (const std::string& line : picture.metadata().comments)
      text += line + "\n";
  const auto& [extent, tag] = std::pair(picture.image.type.extent, picture.image.type.colour);
  if (tag == ColourTag::own || tag == ColourTag::rec2020) {
    Chromaticities colours = primariesToWrite(picture);
    std::rotate(colours.begin(), colours.begin() + 2, colours.end());
    text += fmt::format("PRIMARIES={}\n", fmt::join(colours, " "));
  }
  const std::string_view order = orders.at(picture.orientation() - 1);
  return text + fmt::format("FORMAT={}\n\n{} {} {} {}\n", pixelFormat, order.substr(0, 2), extent.height,
                            order.substr(2), extent.width);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, hdrCodec, planes, options);
  const ValueType& type = picture.image.type;
  const std::string header = headerFor(picture);
  File file = openToWrite(path, part);
  const auto put = [&](const void* bytes, size_t count) {
    std::fwrite(bytes, 1, count, file.get());  // closeWritten reports what can't be written
  };
  put(header.data(), header.size());
  std::vector<Pixel> row(type.extent.width);
  std::vector<uint8_t> packed;
  picture.eachStrip([&](const NamedImage& strip) {
    const std::byte* pixel = strip.pixels.data();
    for (uint32_t y = 0; y < strip.type.extent.height; ++y) {
      for (Pixel& to : row) {
        to = packedLight(pixel, type.format);
        pixel += bytesPerElement(type);
      }
      if (!isPacked(row.size())) {
        put(row.data(), 4 * row.size());
        continue;
      }
      packed = {2, 2, static_cast<uint8_t>(row.size() >> 8U), static_cast<uint8_t>(row.size())};
      for (size_t c = 0; c < 4; ++c)
        packComponent(row, c, packed);
      put(packed.data(), packed.size());
    }
  });
  closeWritten(std::move(file), path);
}

using namespace std::string_view_literals;

}  // namespace

const Codec hdrCodec = readBy<Reader>({
    .name = "hdr",
    .label = label,
    .extensions = {".hdr", ".rgbe"},
    .readExtensions = {".pic"},
    .signatures = {"#?RADIANCE"sv, "#?RGBE"sv},
    .holds = Holds::floats,
    .readingParameters = {"profile", "orientation"},
    .holdsGrey = false,
    .writesRows = true,
    .write = write,
});

}  // namespace lacuna::io
