// NumPy's .npy files: numbers in the order of C and little-endian, one array a file.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "modules/codecs/codec.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/npy_header.h"

namespace lacuna::io {

extern const Codec npyCodec;  // for the table that CMake makes

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in the file");

struct ElementType {
  const char* word;
  Format format;
  size_t bytes;
};
constexpr ElementType elementTypes[] = {{"|u1", Format::u8, 1},
                                        {"<u2", Format::u16, 2},
                                        {"<f2", Format::f16, 2},
                                        {"<f4", Format::f32, 4},
                                        {"<u4", Format::u32, 4}};

const ElementType& elementType(Format format) {
  return *std::find_if(std::begin(elementTypes), std::end(elementTypes),
                       [&](const ElementType& type) { return type.format == format; });
}

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw FileError(fmt::format("{}: damaged .npy file: {}", path, what));
}

struct NpyFile {
  File file;  // before the first number
  ElementType elements;
  std::vector<uint64_t> shape;
  uint64_t count = 1;  // of numbers
};

const ElementType& checkElements(const std::string& path, const std::string& word) {
  for (const ElementType& type : elementTypes)
    if (word == type.word)
      return type;
  constexpr const char* known = "|u1, <u2, <u4, <f2 or <f4";
  if (word.size() > 1 && word[0] == '>')
    throw FileError(fmt::format("{}: its numbers are big-endian ({}); expected {}", path, word, known));
  throw FileError(
      fmt::format("{}: its numbers are {}; expected {}, as of astype(\"<f4\")", path, word, known));
}

std::string shapeText(const std::vector<uint64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

uint64_t countOf(const std::string& path, const std::vector<uint64_t>& shape) {
  uint64_t count = 1;
  for (const uint64_t length : shape) {
    if (length == 0)
      throw FileError(fmt::format("{}: its shape {} has no numbers", path, shapeText(shape)));
    if (length > 4 * maximumPixels / count)
      throw FileError(fmt::format("{}: its shape {} has more numbers than {}", path, shapeText(shape),
                                  4 * maximumPixels));
    count *= length;
  }
  return count;
}

std::string headerText(std::FILE* file, const std::string& path) {
  constexpr uint32_t longest = 65535;  // of version 1.0; later ones are for structures
  std::array<unsigned char, 8> start{};
  std::array<unsigned char, 4> length{};
  if (std::fread(start.data(), 1, start.size(), file) != start.size())
    damaged(path, "it breaks off in its first bytes");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    throw FileError(
        fmt::format("{}: a .npy file of version {}.{}; expected 1.0, 2.0 or 3.0", path, version, start[7]));
  const size_t lengthBytes = version == 1 ? 2 : 4;
  if (std::fread(length.data(), 1, lengthBytes, file) != lengthBytes)
    damaged(path, "it breaks off in its first bytes");
  uint32_t bytes = 0;
  std::memcpy(&bytes, length.data(), 4);
  if (bytes > longest)
    damaged(path, fmt::format("a header of {} bytes, but at most {} are allowed", bytes, longest));
  std::string text(bytes, '\0');
  if (std::fread(text.data(), 1, bytes, file) != bytes)
    damaged(path, "it breaks off in its header");
  return text;
}

NpyFile openNpy(const std::string& path) {
  NpyFile npy{openToRead(path), {}, {}};
  NpyHeader header;
  try {
    header = parseNpyHeader(headerText(npy.file.get(), path));
  } catch (const NpyHeaderError& error) {
    damaged(path, error.what());
  }
  npy.elements = checkElements(path, header.elements);
  npy.shape = header.shape;
  npy.count = countOf(path, header.shape);
  if (header.columnsFirst && header.shape.size() > 1)
    throw FileError(fmt::format(
        "{}: its numbers are in Fortran order; expected C order, as of numpy.ascontiguousarray", path));
  const uint64_t held = fileBytes(path) - std::min<uint64_t>(std::ftell(npy.file.get()), fileBytes(path));
  if (held != npy.count * npy.elements.bytes)
    damaged(path, fmt::format("{} of {} take {} bytes, but it has {}", shapeText(npy.shape),
                              npy.elements.word, npy.count * npy.elements.bytes, held));
  return npy;
}

size_t componentsOf(const NpyFile& npy) {
  return npy.shape.size() == 3 ? npy.shape[2] : 1;
}

// One, two, three or four components.
Channels channelsOf(uint64_t components, Format format) {
  constexpr Channels numbers[] = {Channels::y, Channels::mv, Channels::rgb, Channels::rgba};
  constexpr Channels words[] = {Channels::any1, Channels::any2, Channels::any4, Channels::any4};
  return (format == Format::u32 ? words : numbers)[components - 1];
}

// Grey or three components as rgba: alpha is 1.
bool isFilled(uint64_t components, Channels channels, Format format) {
  const bool isFloat = format == Format::f16 || format == Format::f32;
  return isFloat && channels == Channels::rgba && (components == 1 || components == 3);
}

ValueType imageType(const std::string& path, const NpyFile& npy, const ReadOptions& options) {
  const std::vector<uint64_t>& shape = npy.shape;
  const bool flat = shape.size() == 2, deep = shape.size() == 3;
  const uint64_t components = componentsOf(npy);
  const Format format = npy.elements.format;
  if ((!flat && !deep) || components > 4 || (format == Format::u32 && components == 3))
    throw FileError(
        fmt::format("{}: its shape is {}; expected that of an image: (height, width) or (height, width, "
                    "{}), or connect the output 'array'",
                    path, shapeText(shape), format == Format::u32 ? "1, 2 or 4" : "1 to 4"));
  checkSize(path, shape[1], shape[0]);
  const Channels channels = options.channels.value_or(channelsOf(components, format));
  if (static_cast<uint64_t>(componentCount(channels)) != components &&
      !isFilled(components, channels, format))
    throw FileError(fmt::format("{}: its shape is {}, but {} has {}", path, shapeText(shape), name(channels),
                                componentCount(channels)));
  return {
      channels, format, options.colour, {static_cast<uint32_t>(shape[1]), static_cast<uint32_t>(shape[0])}};
}

// All numbers in the file's shape: 8 and 16 bits as floats, others unchanged.
ValueType arrayType(const std::string& path, const NpyFile& npy) {
  if (npy.shape.size() > mostSizes)
    throw FileError(fmt::format("{}: its shape is {}, of {} sizes, but an array has {} at most", path,
                                shapeText(npy.shape), npy.shape.size(), mostSizes));
  if (npy.count > maxArrayCount)
    throw FileError(fmt::format("{}: its shape is {}, of {} numbers, but an array has {} at most", path,
                                shapeText(npy.shape), npy.count, maxArrayCount));
  const Format format = npy.elements.format;
  ValueType type;
  type.channels = format == Format::u32 ? Channels::any1 : Channels::y;
  type.format = format == Format::u8 || format == Format::u16 ? Format::f32 : format;
  setSizes(type, {npy.shape.begin(), npy.shape.end()});
  return type;
}

ValueType typeOf(const std::string& path, const NpyFile& npy, const std::string& plane,
                 const ReadOptions& options) {
  return plane == "array" ? arrayType(path, npy) : imageType(path, npy, options);
}

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted,
                 const ReadOptions& options) {
  const NpyFile npy = openNpy(path);
  PlaneTypes types;
  for (const std::string& plane : wanted.empty() ? std::vector<std::string>{"output"} : wanted)
    types[plane] = typeOf(path, npy, plane, options);
  return types;
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

// Converts one row of the file's numbers to the elements of an array.
void placeElements(const std::byte* row, size_t count, const NpyFile& npy, const ValueType& type,
                   std::byte* elements) {
  const size_t bytes = npy.elements.bytes;
  if (type.format == npy.elements.format) {
    std::memcpy(elements, row, count * bytes);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const float value = asNumber(row + i * bytes, npy.elements.format);
    std::memcpy(elements + 4 * i, &value, 4);
  }
}

// Converts one row of the file's numbers to `pixels`, which are padded to words.
void placeRow(const std::byte* row, size_t count, const NpyFile& npy, const ValueType& type,
              std::byte* pixels) {
  if (type.isArray()) {
    placeElements(row, count, npy, type, pixels);
    return;
  }
  const size_t bytes = npy.elements.bytes;
  const size_t used = bytes * componentsOf(npy);
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  for (size_t x = 0; x < count * bytes / used; ++x) {
    std::memcpy(pixels + x * pixelBytes, row + x * used, used);
    std::memset(pixels + x * pixelBytes + used, 0, pixelBytes - used);
    if (!isFilled(componentsOf(npy), type.channels, type.format))
      continue;
    for (size_t i = 1; i < 3 && used == bytes; ++i)
      std::memcpy(pixels + x * pixelBytes + i * bytes, row + x * used, bytes);
    const float alpha = 1.0F;
    const uint16_t halfAlpha = 0x3c00;
    std::memcpy(pixels + x * pixelBytes + 3 * bytes,
                bytes == 2 ? static_cast<const void*>(&halfAlpha) : &alpha, bytes);
  }
}

void readOne(const std::string& path, const PlaneTarget& target, const ReadOptions& options) {
  const NpyFile npy = openNpy(path);
  const ValueType type = typeOf(path, npy, target.name, options);
  checkTarget(path, target, type);
  constexpr uint64_t arrayRow = 16384;
  const uint64_t rowCount = type.isArray() ? std::min(arrayRow, npy.count) : npy.count / type.extent.height;
  const uint64_t rowBytes =
      type.isArray() ? bytesPerElement(type) * rowCount : byteSize(type) / type.extent.height;
  std::vector<std::byte> row(rowCount * npy.elements.bytes);
  std::byte* pixels = target.destination.data();
  for (uint64_t first = 0; first < npy.count; first += rowCount, pixels += rowBytes) {
    const uint64_t count = std::min(rowCount, npy.count - first);
    if (std::fread(row.data(), npy.elements.bytes, count, npy.file.get()) != count)
      damaged(path, fmt::format("it breaks off after {} numbers", first));
    placeRow(row.data(), count, npy, type, pixels);
    const uint64_t end = first / rowCount + 1;
    if (options.rows && (end % stripRows == 0 || end == type.extent.height))
      options.rows(static_cast<uint32_t>(end));
  }
}

void read(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
  for (const PlaneTarget& target : targets)
    readOne(path, target, options);
}

NpyHeader headerOf(const ValueType& type, size_t components) {
  const std::vector<uint32_t> sizes = sizesOf(type);
  NpyHeader header{elementType(type.format).word, false, {sizes.begin(), sizes.end()}};
  if (components > 1)
    header.shape.push_back(components);
  return header;
}

// False if the disk is full.
bool writePixels(std::FILE* file, const NamedImage& image, size_t components) {
  const ValueType& type = image.type;
  const size_t pixelBytes = bytesPerElement(type);
  const size_t used = elementType(type.format).bytes * components;
  const std::byte* pixels = image.pixels.data();
  if (used == pixelBytes)
    return std::fwrite(pixels, 1, byteSize(type), file) == byteSize(type);
  const size_t rowPixels = type.isArray() ? type.arrayCount : type.extent.width;
  std::vector<std::byte> row(used * rowPixels);
  bool whole = true;
  for (uint32_t y = 0; whole && y < (type.isArray() ? 1 : type.extent.height); ++y) {
    for (size_t x = 0; x < rowPixels; ++x, pixels += pixelBytes)
      std::memcpy(row.data() + x * used, pixels, used);
    whole = std::fwrite(row.data(), 1, row.size(), file) == row.size();
  }
  return whole;
}

// Those of the NumPy file that the picture comes from, if others would only repeat them or be an alpha of 1.
size_t componentsOf(const NamedImage& image, const WriteOptions& options) {
  const auto all = static_cast<size_t>(componentCount(image.type.channels));
  if (!options.origin || codecIfKnown(options.origin->path) != &npyCodec)
    return all;
  const NpyFile origin = openNpy(options.origin->path);
  if (!isFilled(componentsOf(origin), image.type.channels, image.type.format))
    return all;
  if (!options.rows && (someTransparent(image) || (componentsOf(origin) == 1 && !isGrey(image))))
    return all;
  return componentsOf(origin);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  if (planes.size() != 1)
    throw FileError(
        fmt::format("{}: a .npy file holds one image or one array, not {}; expected one of 'input' and "
                    "'array' to be connected",
                    path, planes.size()));
  const NamedImage& image = planes.front();
  const ValueType& type = image.type;
  if (!type.isArray())
    checkPixels(path, image);
  const size_t components = componentsOf(image, options);
  const std::string preamble = npyPreamble(headerOf(type, components));
  File file = openToWrite(path, part);
  const auto writeRows = [&](const NamedImage& rows, uint32_t) {
    return writePixels(file.get(), rows, components);
  };
  if (std::fwrite(preamble.data(), 1, preamble.size(), file.get()) == preamble.size())
    type.isArray() ? writePixels(file.get(), image, components) : eachStrip(image, options.rows, writeRows);
  closeWritten(std::move(file), path);  // reports incomplete writes
}

StoredKind kind(const std::string& path, const std::string&, const ReadOptions&) {
  const NpyFile npy = openNpy(path);
  const Format format = npy.elements.format;
  const bool isFloat = format == Format::f16 || format == Format::f32;
  return {static_cast<int>(8 * npy.elements.bytes), isFloat, npy.shape.size() > 1 && componentsOf(npy) == 1,
          false};
}

}  // namespace

const Codec npyCodec{
    .name = "npy",
    .label = "NumPy",
    .extensions = {".npy"},
    .signatures = {"\x93NUMPY"},
    .holds = Holds::numbers,
    .readingParameters = {"channels"},
    .writesRows = true,
    .isPicture = false,
    .probe = probe,
    .read = read,
    .write = write,
    .kind = kind,
};

}  // namespace lacuna::io
