// NumPy's .npy files: numbers in the order of C and little-endian, one array a file.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <numeric>
#include <set>

#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {

extern const Codec npyCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = ".npy";

class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  NpyHeader header() {
    NpyHeader header;
    std::set<std::string> missing = {"descr", "fortran_order", "shape"};
    expect('{');
    while (!accept('}')) {
      const std::string key = word();
      if (missing.erase(key) == 0)
        fail(fmt::format("each of the keys descr, fortran_order and shape once, not '{}'", key));
      expect(':');
      if (key == "descr")
        header.elements = word();
      else if (key == "fortran_order")
        header.columnsFirst = truth();
      else
        header.shape = shape();
      if (!accept(',') && peek() != '}')
        fail("',' or '}'");
    }
    if (!missing.empty())
      fail(fmt::format("the key '{}'", *missing.begin()));
    if (peek() != '\0')
      fail("nothing but the dictionary");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throwDamaged(path_, label, "expected {} at character {} of its header", expected, at_ + 1);
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    const bool found = peek() == c && at_ < text_.size();
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(char c) {
    if (!accept(c))
      fail(fmt::format("'{}'", c));
  }

  std::string word() {
    const char quote = peek();
    if (quote == '[')
      fail("elements of one number each, not a structure");
    if (quote != '\'' && quote != '"')
      fail("a quoted word");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\\') != std::string_view::npos)
      fail("a quoted word without escapes");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  bool truth() {
    peek();
    const bool isTrue = text_.substr(at_).starts_with("True");
    if (!isTrue && !text_.substr(at_).starts_with("False"))
      fail("True or False");
    at_ += isTrue ? 4 : 5;
    return isTrue;
  }

  std::vector<uint64_t> shape() {
    constexpr size_t mostDimensions = 32;  // NumPy's own limit
    std::vector<uint64_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(length());
      if (lengths.size() > mostDimensions)
        fail("32 dimensions at most");
      if (!accept(',') && peek() != ')')
        fail("',' or ')'");
    }
    return lengths;
  }

  uint64_t length() {
    peek();
    uint64_t value = 0;
    const auto [end, mistake] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (mistake != std::errc())
      fail("a length");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  const std::string& path_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

NpyHeader parseNpyHeader(const std::string& path, std::string_view text) {
  return Parser(path, text).header();
}

std::string npyPreamble(const NpyHeader& header) {
  const char* comma = header.shape.size() == 1 ? "," : "";
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", header.elements,
                  header.columnsFirst ? "True" : "False", fmt::join(header.shape, ", "), comma);
  constexpr size_t before = 10, alignment = 64;
  const size_t total = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.resize(total - before - 1, ' ');
  text += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(text.size() & 0xff) +
         static_cast<char>(text.size() >> 8U) + text;
}

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in the file");

constexpr std::pair<const char*, Format> elementTypes[] = {{"|u1", Format::u8},
                                                           {"<u2", Format::u16},
                                                           {"<f2", Format::f16},
                                                           {"<f4", Format::f32},
                                                           {"<u4", Format::u32}};

struct NpyFile {
  File file;  // before the first number
  Format format = Format::f32;
  std::vector<uint64_t> shape;
  uint64_t count = 1;  // of numbers

  size_t components() const { return shape.size() == 3 ? shape[2] : 1; }
};

Format formatOf(const std::string& path, const std::string& word) {
  for (const auto& [type, format] : elementTypes)
    if (word == type)
      return format;
  constexpr const char* known = "|u1, <u2, <u4, <f2 or <f4";
  if (word.size() > 1 && word[0] == '>')
    refuse(path, "its numbers are big-endian ({}); expected {}", word, known);
  refuse(path, "its numbers are {}; expected {}, as of astype(\"<f4\")", word, known);
}

std::string shapeText(const std::vector<uint64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

uint64_t countOf(const std::string& path, const std::vector<uint64_t>& shape) {
  uint64_t count = 1;
  for (const uint64_t length : shape) {
    if (length == 0)
      refuse(path, "its shape {} has no numbers", shapeText(shape));
    if (length > 4 * maximumPixels / count)
      refuse(path, "its shape {} has more numbers than {}", shapeText(shape), 4 * maximumPixels);
    count *= length;
  }
  return count;
}

std::string headerText(std::FILE* file, const std::string& path) {
  constexpr uint32_t longest = 65535;  // of version 1.0; later ones are for structures
  std::array<unsigned char, 8> start{};
  std::array<unsigned char, 4> length{};
  if (std::fread(start.data(), 1, start.size(), file) != start.size())
    throwDamaged(path, label, "it breaks off in its first bytes");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    refuse(path, "a .npy file of version {}.{}; expected 1.0, 2.0 or 3.0", version, start[7]);
  const size_t lengthBytes = version == 1 ? 2 : 4;
  if (std::fread(length.data(), 1, lengthBytes, file) != lengthBytes)
    throwDamaged(path, label, "it breaks off in its first bytes");
  uint32_t bytes = 0;
  std::memcpy(&bytes, length.data(), 4);
  if (bytes > longest)
    throwDamaged(path, label, "a header of {} bytes, but at most {} are allowed", bytes, longest);
  std::string text(bytes, '\0');
  if (std::fread(text.data(), 1, bytes, file) != bytes)
    throwDamaged(path, label, "it breaks off in its header");
  return text;
}

NpyFile openNpy(const std::string& path) {
  NpyFile npy{openToRead(path), Format::f32, {}};
  const NpyHeader header = parseNpyHeader(path, headerText(npy.file.get(), path));
  npy.format = formatOf(path, header.elements);
  npy.shape = header.shape;
  npy.count = countOf(path, header.shape);
  if (header.columnsFirst && header.shape.size() > 1)
    refuse(path, "its numbers are in Fortran order; expected C order, as of numpy.ascontiguousarray");
  const uint64_t held = fileBytes(path) - std::min<uint64_t>(std::ftell(npy.file.get()), fileBytes(path));
  if (const uint64_t needed = npy.count * bytesOf(npy.format); held != needed)
    throwDamaged(path, label, "{} of {} take {} bytes, but it has {}", shapeText(npy.shape), header.elements,
                 needed, held);
  return npy;
}

// One, two, three or four components.
Channels channelsOf(uint64_t components, Format format) {
  constexpr Channels numbers[] = {Channels::y, Channels::mv, Channels::rgb, Channels::rgba};
  constexpr Channels words[] = {Channels::any1, Channels::any2, Channels::any4, Channels::any4};
  return (format == Format::u32 ? words : numbers)[components - 1];
}

// Grey or three components as rgba: alpha is 1.
bool isFilled(uint64_t components, Channels channels, Format format) {
  return isFloat(format) && channels == Channels::rgba && (components == 1 || components == 3);
}

ValueType imageType(const std::string& path, const NpyFile& npy, const ReadOptions& options) {
  const std::vector<uint64_t>& shape = npy.shape;
  const bool flat = shape.size() == 2, deep = shape.size() == 3;
  const uint64_t components = npy.components();
  const Format format = npy.format;
  if ((!flat && !deep) || components > 4 || (format == Format::u32 && components == 3))
    refuse(path,
           "its shape is {}; expected that of an image: (height, width) or (height, width, {}), or connect "
           "the output 'array'",
           shapeText(shape), format == Format::u32 ? "1, 2 or 4" : "1 to 4");
  checkSize(path, shape[1], shape[0]);
  const Channels channels = options.channels.value_or(channelsOf(components, format));
  if (static_cast<uint64_t>(componentCount(channels)) != components &&
      !isFilled(components, channels, format))
    refuse(path, "its shape is {}, but {} has {}", shapeText(shape), name(channels),
           componentCount(channels));
  return {
      channels, format, options.colour, {static_cast<uint32_t>(shape[1]), static_cast<uint32_t>(shape[0])}};
}

// All numbers in the file's shape: 8 and 16 bits as floats, others unchanged.
ValueType arrayType(const std::string& path, const NpyFile& npy) {
  if (npy.shape.size() > mostSizes)
    refuse(path, "its shape is {}, of {} sizes, but an array has {} at most", shapeText(npy.shape),
           npy.shape.size(), mostSizes);
  if (npy.count > maxArrayCount)
    refuse(path, "its shape is {}, of {} numbers, but an array has {} at most", shapeText(npy.shape),
           npy.count, maxArrayCount);
  const Format format = npy.format;
  ValueType type;
  type.channels = format == Format::u32 ? Channels::any1 : Channels::y;
  type.format = format == Format::u8 || format == Format::u16 ? Format::f32 : format;
  setSizes(type, {npy.shape.begin(), npy.shape.end()});
  return type;
}

float asNumber(const std::byte* element, Format format) {
  if (format == Format::u8)
    return static_cast<float>(std::to_integer<uint8_t>(*element));
  if (format == Format::u16) {
    uint16_t value;
    std::memcpy(&value, element, 2);
    return static_cast<float>(value);
  }
  return componentAt(element, 0, format);
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : path_(path), options_(options), npy_(openNpy(path)) {}

  ValueType type(const std::string& plane) const {
    return plane == "array" ? arrayType(path_, npy_) : imageType(path_, npy_, options_);
  }
  void read(const PlaneTarget& target) const {
    const ValueType& type = target.expected;
    if (type.isArray())
      readArray(type, target.destination.data());
    else
      readRows(path_, label, npy_.file.get(),
               {type.extent, npy_.format, static_cast<uint32_t>(npy_.components())},
               isFilled(npy_.components(), type.channels, type.format), target, options_.rows);
  }
  StoredKind kind(const std::string&) const {
    return {static_cast<int>(8 * bytesOf(npy_.format)), isFloat(npy_.format),
            npy_.shape.size() > 1 && npy_.components() == 1, false};
  }

 private:
  // Numbers that take fewer bytes than the array's lie at its end first.
  void readArray(const ValueType& type, std::byte* elements) const {
    const size_t bytes = bytesOf(npy_.format), elementBytes = bytesPerElement(type);
    const std::byte* numbers = elements + (elementBytes - bytes) * npy_.count;
    if (std::fread(elements + (elementBytes - bytes) * npy_.count, bytes, npy_.count, npy_.file.get()) !=
        npy_.count)
      throwDamaged(path_, label, "it breaks off");
    for (size_t i = 0; type.format != npy_.format && i < npy_.count; ++i) {
      const float value = asNumber(numbers + i * bytes, npy_.format);
      std::memcpy(elements + i * elementBytes, &value, elementBytes);
    }
  }

  const std::string& path_;
  const ReadOptions& options_;
  NpyFile npy_;
};

// The components of the NumPy file that the picture comes from, if others would only repeat them or be an
// alpha of 1.
std::optional<size_t> originalComponents(const NamedImage& image, const WriteOptions& options) {
  if (!options.origin || codecIfKnown(options.origin->path) != &npyCodec)
    return std::nullopt;
  const size_t components = openNpy(options.origin->path).components();
  return isFilled(components, image.type.channels, image.type.format) ? std::optional(components)
                                                                      : std::nullopt;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  if (planes.size() != 1)
    refuse(path,
           "a .npy file holds one image or one array, not {}; expected one of 'input' and 'array' to be "
           "connected",
           planes.size());
  const NamedImage& image = planes.front();
  const ValueType& type = image.type;
  if (!type.isArray())
    checkPixels(path, image);
  std::optional<size_t> original = originalComponents(image, options);
  const auto holds = [&](const NamedImage& rows) {
    return !original || !(someTransparent(rows) || (original == 1 && !isGrey(rows)));
  };
  if (!options.rows && !holds(image))
    original.reset();
  std::vector<size_t> components(original.value_or(static_cast<size_t>(componentCount(type.channels))));
  std::iota(components.begin(), components.end(), 0);
  const std::vector<uint32_t> sizes = sizesOf(type);
  NpyHeader header{
      std::ranges::find(elementTypes, type.format, [](const auto& each) { return each.second; })->first,
      false,
      {sizes.begin(), sizes.end()}};
  if (components.size() > 1)
    header.shape.push_back(components.size());
  writeRows(path, part, npyPreamble(header), image,
            {type.isArray() ? Extent{type.arrayCount, 1} : type.extent, type.format,
             static_cast<uint32_t>(components.size())},
            components, type.isArray() ? OnRows() : options.rows, holds);
}

}  // namespace

const Codec npyCodec = readBy<Reader>({
    .name = "npy",
    .label = "NumPy",
    .extensions = {".npy"},
    .signatures = {"\x93NUMPY"},
    .holds = Holds::numbers,
    .readingParameters = {"channels"},
    .writesRows = true,
    .isPicture = false,
    .write = write,
});

}  // namespace lacuna::io
