#include "modules/codecs/row_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "modules/codecs/half_float.h"

namespace lacuna::io {
namespace {

bool isSwapped(const RowLayout& layout) {
  return layout.bigEndian != (std::endian::native == std::endian::big);
}

// Below, the bytes of a number are known when this is compiled, so that copies are single moves.
template <size_t bytes>
void reverseEach(std::span<std::byte> numbers) {
  for (size_t at = 0; at < numbers.size(); at += bytes)
    std::reverse(&numbers[at], &numbers[at] + bytes);
}

void orderBytes(std::span<std::byte> numbers, const RowLayout& layout) {
  const size_t bytes = bytesOf(layout.format);
  if (isSwapped(layout) && bytes > 1)
    (bytes == 2 ? reverseEach<2> : reverseEach<4>)(numbers);
}

template <size_t bytes>
void packWords(const std::byte* pixels, size_t pixelBytes, const std::vector<size_t>& components,
               std::span<std::byte> row) {
  for (std::byte* to = row.data(); to != row.data() + row.size(); pixels += pixelBytes)
    for (const size_t c : components) {
      std::memcpy(to, pixels + c * bytes, bytes);
      to += bytes;
    }
}

template <size_t bytes>
void placeRow(const std::byte* numbers, const RowLayout& layout, bool isFilled, const ValueType& type,
              std::byte* pixels) {
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format), components = layout.components;
  const size_t used =
      isFilled ? (components < 3 ? 1 : 3) : std::min<size_t>(components, componentCount(type.channels));
  const uint32_t one = bitsOfOne(layout.format);
  const auto* opaque = reinterpret_cast<const std::byte*>(&one);
  for (uint32_t x = 0; x < layout.extent.width; ++x, numbers += components * bytes, pixels += pixelBytes) {
    for (size_t c = 0; c < used; ++c)
      std::memcpy(pixels + c * bytes, numbers + c * bytes, bytes);
    for (size_t c = used; c < pixelBytes / bytes; ++c)
      std::memset(pixels + c * bytes, 0, bytes);
    for (size_t c = 1; isFilled && components < 3 && c < 3; ++c)
      std::memcpy(pixels + c * bytes, numbers, bytes);
    if (isFilled)
      std::memcpy(pixels + 3 * bytes, components % 2 == 0 ? numbers + (components - 1) * bytes : opaque,
                  bytes);
  }
}

// Goes to where the rows above `end` begin, which lie in the file in the opposite order.
bool seekBottom(std::FILE* file, const RowLayout& layout, uint32_t end) {
  const uint64_t at = layout.firstByte + (layout.extent.height - end) * layout.rowBytes();
  return !layout.fromBottom || fseeko(file, static_cast<off_t>(at), SEEK_SET) == 0;
}

}  // namespace

size_t RowLayout::rowBytes() const {
  return bytesOf(format) * components * extent.width;
}

size_t bytesOf(Format format) {
  return format == Format::u8 ? 1 : format == Format::u16 || format == Format::f16 ? 2 : 4;
}

bool isFloat(Format format) {
  return format == Format::f16 || format == Format::f32;
}

uint32_t bitsOfOne(Format format) {
  return format == Format::u8    ? 0xff
         : format == Format::u16 ? 0xffff
         : format == Format::f16 ? 0x3c00
                                 : std::bit_cast<uint32_t>(1.0F);
}

void packRow(const std::byte* pixels, size_t pixelBytes, size_t bytes, const std::vector<size_t>& components,
             std::span<std::byte> row) {
  const auto pack = bytes == 1 ? packWords<1> : bytes == 2 ? packWords<2> : packWords<4>;
  pack(pixels, pixelBytes, components, row);
}

std::string nextWord(std::FILE* file, bool comments) {
  std::string word;
  for (int c = std::fgetc(file); c != EOF && word.size() < 32; c = std::fgetc(file)) {
    while (comments && c == '#' && word.empty())
      for (c = std::fgetc(file); c != EOF && c != '\n';)
        c = std::fgetc(file);
    if (c != EOF && std::isspace(c) == 0)
      word += static_cast<char>(c);
    else if (!word.empty())
      break;
  }
  return word;
}

uint64_t nextNumber(std::FILE* file, const std::string& path, const char* label, const char* what,
                    uint64_t least, uint64_t most, bool comments) {
  const std::string word = nextWord(file, comments);
  const bool isNumber =
      !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
  const uint64_t value = isNumber ? std::stoull(word) : 0;
  if (!isNumber || value < least || value > most)
    throwDamaged(path, label, "{} is '{}', but must be {} to {}", what, word, least, most);
  return value;
}

void readRows(const std::string& path, const char* label, std::FILE* file, const RowLayout& layout,
              bool isFilled, const PlaneTarget& target, const OnRows& rows, const NextRow& next) {
  std::vector<std::byte> row(layout.rowBytes());
  const size_t pixelRow = byteSize(target.expected) / layout.extent.height, bytes = bytesOf(layout.format);
  const auto place = bytes == 1 ? placeRow<1> : bytes == 2 ? placeRow<2> : placeRow<4>;
  for (uint32_t first = 0; first < layout.extent.height; first += stripRows) {
    const uint32_t end = std::min(first + stripRows, layout.extent.height);
    if (!seekBottom(file, layout, end))
      refuse(path, "can't be read: {}", std::strerror(errno));
    for (uint32_t i = first; i < end; ++i) {
      const uint32_t y = layout.fromBottom ? first + (end - 1 - i) : i;
      if (next)
        next(row);
      else if (std::fread(row.data(), 1, row.size(), file) != row.size())
        throwDamaged(path, label, "it breaks off at row {}", y);
      else
        orderBytes(row, layout);
      place(row.data(), layout, isFilled, target.expected, target.destination.data() + pixelRow * y);
    }
    if (rows)
      rows(end);
  }
}

void writeRows(const std::string& path, const std::string& part, const std::string& header,
               const NamedImage& image, const RowLayout& layout, const std::vector<size_t>& components,
               const OnRows& rows, const std::function<bool(const NamedImage& strip)>& holds) {
  const Format format = image.type.format;
  const auto [width, height] = layout.extent;
  const size_t pixelBytes = bytesPerElement(image.type), bytes = bytesOf(layout.format);
  const bool isPlain =
      format == layout.format && components.size() * bytes == pixelBytes && !isSwapped(layout);
  const size_t rowBytes = layout.rowBytes();
  std::vector<std::byte> row(isPlain ? 0 : rowBytes);  // an array is one row
  const auto filled = [&](const std::byte* pixels) {
    if (format == layout.format) {
      packRow(pixels, pixelBytes, bytes, components, row);
    } else {
      std::byte* to = row.data();
      for (uint32_t x = 0; x < layout.extent.width; ++x, pixels += pixelBytes)
        for (const size_t c : components) {
          const float wide = componentAt(pixels, c, format);
          std::memcpy(to, &wide, sizeof wide);
          to += sizeof wide;
        }
    }
    orderBytes(row, layout);
    return row.data();
  };
  File file = openToWrite(path, part);
  // closeWritten reports what can't be written.
  bool done = std::fwrite(header.data(), 1, header.size(), file.get()) == header.size();
  for (uint32_t first = 0; done && first < height; first += stripRows) {
    const uint32_t end = std::min(first + stripRows, height);
    if (rows)
      rows(end);
    if (rows && holds && !holds(rowsOf(image, first, end)))
      rows(0);
    done = seekBottom(file.get(), layout, end);
    for (uint32_t i = first; done && i < end; ++i) {
      const std::byte* pixels =
          image.pixels.data() + pixelBytes * width * (layout.fromBottom ? first + (end - 1 - i) : i);
      done = std::fwrite(isPlain ? pixels : filled(pixels), 1, rowBytes, file.get()) == rowBytes;
    }
  }
  closeWritten(std::move(file), path);
}

}  // namespace lacuna::io
