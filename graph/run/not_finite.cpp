#include "graph/run/not_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace lacuna {
namespace {

// Finds numbers whose exponent is all ones. Blocks of a fixed size become vector instructions, so scanning is
// as fast as reading memory.
template <class Word>
struct Scan {
  static constexpr size_t block = 512;
  static constexpr auto exponent = static_cast<Word>(sizeof(Word) == 2 ? 0x7c00 : 0x7f800000);
  static bool isNotFinite(Word word) { return (word & exponent) == exponent; }

  static bool hasSome(const std::byte* from) {
    std::array<Word, block> words;
    std::memcpy(words.data(), from, sizeof words);
    Word any = 0;
    for (size_t i = 0; i < block; ++i)
      any = static_cast<Word>(any | (isNotFinite(words[i]) ? 1 : 0));
    return any != 0;
  }

  // Calls found(index of the word) for each.
  template <class Found>
  static void each(std::span<const std::byte> bytes, const Found& found) {
    const size_t count = bytes.size() / sizeof(Word);
    for (size_t first = 0; first < count; first += block) {
      const size_t last = std::min(first + block, count);
      if (last - first == block && !hasSome(bytes.data() + first * sizeof(Word)))
        continue;
      for (size_t i = first; i < last; ++i) {
        Word word;
        std::memcpy(&word, bytes.data() + i * sizeof(Word), sizeof(Word));
        if (isNotFinite(word))
          found(i);
      }
    }
  }
};

template <class Found>
void eachNotFinite(const FilePlane& plane, const Found& found) {
  const ValueType& type = plane.type;
  if (type.channels == Channels::depth || type.channels == Channels::normal || type.channels == Channels::mv)
    return;
  const std::span<const std::byte> pixels = plane.pixels.first(std::min(plane.pixels.size(), byteSize(type)));
  if (type.format == Format::f16)
    Scan<uint16_t>::each(pixels, found);
  else if (type.format == Format::f32)
    Scan<uint32_t>::each(pixels, found);
}

}  // namespace

std::vector<FilePlane> rowsOf(std::vector<FilePlane> planes, uint32_t first, uint32_t end) {
  for (FilePlane& plane : planes) {
    const size_t rowBytes = byteSize(plane.type) / plane.type.extent.height;
    plane.pixels = plane.pixels.subspan(first * rowBytes, (end - first) * rowBytes);
    plane.type.extent.height = end - first;
  }
  return planes;
}

void findNotFinite(const std::vector<FilePlane>& rows, uint32_t firstRow, FoundNotFinite& found) {
  for (const FilePlane& plane : rows) {
    eachNotFinite(plane, [&](size_t word) {
      if (found.values++ == 0 && !plane.type.isArray()) {
        const size_t bytes = plane.type.format == Format::f16 ? 2 : 4;
        const size_t pixel = word * bytes / bytesPerPixel(plane.type.channels, plane.type.format);
        found.plane = plane.name;
        found.x = pixel % plane.type.extent.width;
        found.y = firstRow + pixel / plane.type.extent.width;
      }
    });
  }
}

void NotFinite::look(const std::string& file, int frame, const FoundNotFinite& written,
                     const std::function<uint64_t()>& countRead) {
  add({file, frame, written, false, {}, written.values > 0 ? countRead() : 0});
}

void NotFinite::lookAtCounted(const std::string& file, int frame, const Counted& counted,
                              const std::function<uint64_t()>& countRead) {
  add({file,
       frame,
       {counted.values, {}, counted.x, counted.y},
       true,
       {},
       counted.values > 0 ? countRead() : 0});
}

void NotFinite::lookAtRead(const std::string& file, int frame, const FoundNotFinite& read,
                           const std::string& by) {
  add({file, frame, read, false, by, 0});
}

void NotFinite::add(First found) {
  if (found.found.values == 0)
    return;
  const std::scoped_lock lock(mutex_);
  frames_.insert(found.frame);
  if (!first_ || found.frame < first_->frame)
    first_ = std::move(found);
}

std::string NotFinite::text() {
  const std::scoped_lock lock(mutex_);
  if (!first_)
    return {};
  const First& f = *first_;
  const std::string place =
      f.isCounted ? fmt::format(" before encoding, the first at pixel {}, {}", f.found.x, f.found.y)
      : f.found.plane.empty()
          ? ""
          : fmt::format(", the first of '{}' at pixel {}, {}", f.found.plane, f.found.x, f.found.y);
  const std::string read = !f.by.empty() ? fmt::format("; {} has numbers in their place", f.by)
                           : f.read > 0  ? fmt::format("; {} of the values that were read are, too", f.read)
                                         : "; all that was read is finite";
  const std::string frames =
      frames_.size() > 1
          ? fmt::format("; so are values of {} frames, of which this is the first", frames_.size())
          : "";
  std::string text = fmt::format("{}: {} value{} NaN or infinite{}{}{}", f.file, f.found.values,
                                 f.found.values == 1 ? " is" : "s are", place, read, frames);
  first_.reset();
  frames_.clear();
  return text;
}

}  // namespace lacuna
