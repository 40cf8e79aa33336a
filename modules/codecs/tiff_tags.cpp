// TIFF 6.0, section 2; BigTIFF: https://www.awaresystems.be/imaging/tiff/bigtiff.html; Exif 2.32, 4.6.

#include "modules/codecs/tiff_tags.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "modules/codecs/exif.h"

namespace lacuna::io {
namespace {

void keepMessage(std::string& to, const char* format, va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  if (to.empty())
    to = text.data();
}

int onTiffError(TIFF*, void* to, const char*, const char* format, va_list arguments) {
  keepMessage(static_cast<TiffMessages*>(to)->error, format, arguments);
  return 1;
}

int onTiffWarning(TIFF*, void* to, const char*, const char* format, va_list arguments) {
  keepMessage(static_cast<TiffMessages*>(to)->warning, format, arguments);
  return 1;
}

}  // namespace

TiffFile openTiff(const std::string& path, const File& file, const char* mode, TiffMessages& messages) {
  // libtiff allocates what a tag or a strip promises.
  constexpr tmsize_t mostAtOnce = tmsize_t{64} << 20U;
  using Options = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
  const Options options(TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), mostAtOnce + 2 * static_cast<tmsize_t>(fileBytes(path)));
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onTiffError, &messages);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onTiffWarning, &messages);
  const int copy = dup(fileno(file.get()));
  lseek(copy, 0, SEEK_SET);  // libtiff begins where the file is
  TiffFile tiff(TIFFFdOpenExt(copy, path.c_str(), mode, options.get()));
  if (!tiff)
    ::close(copy);
  return tiff;
}

void writeTiffFile(const std::string& path, const std::string& part, const char* mode,
                   const std::function<bool(TIFF*)>& put) {
  File file = openToWrite(path, part);
  TiffMessages messages;
  errno = 0;
  TiffFile tiff = openTiff(path, file, mode, messages);
  const bool isWritten = tiff != nullptr && put(tiff.get()) && TIFFFlush(tiff.get()) == 1;
  const int number = errno;
  tiff.reset();
  if (!isWritten || !messages.error.empty())
    refuse(path, "can't be written: {}", number != 0 ? std::strerror(number) : messages.error.c_str());
  closeWritten(std::move(file), path);
}

namespace {

template <typename Number>
void appendNumber(std::vector<std::byte>& bytes, double value) {
  const auto number = static_cast<Number>(value);
  const auto* from = reinterpret_cast<const std::byte*>(&number);
  bytes.insert(bytes.end(), from, from + sizeof number);
}

// Numbers as libtiff takes them: floats or doubles, or integers of this size.
std::vector<std::byte> packedNumbers(const std::vector<double>& numbers, bool fractional, int size) {
  std::vector<std::byte> bytes;
  for (const double number : numbers) {
    const double whole = std::clamp(number, -2147483648.0, 4294967295.0);
    if (fractional)
      size == sizeof(double) ? appendNumber<double>(bytes, number) : appendNumber<float>(bytes, number);
    else if (size == 1)
      appendNumber<uint8_t>(bytes, std::clamp(whole, 0.0, 255.0));
    else if (size == 2)
      appendNumber<uint16_t>(bytes, std::clamp(whole, 0.0, 65535.0));
    else
      appendNumber<int64_t>(bytes, whole), bytes.resize(bytes.size() - (sizeof(int64_t) - 4));
  }
  return bytes;
}

// libtiff wants each value of Exif data in its tag's type.
void putNumbers(TIFF* file, const TIFFField* field, const ExifValue& value) {
  const TIFFDataType type = TIFFFieldDataType(field);
  const bool fractional =
      type == TIFF_RATIONAL || type == TIFF_SRATIONAL || type == TIFF_FLOAT || type == TIFF_DOUBLE;
  const std::vector<std::byte> bytes = packedNumbers(value.numbers, fractional, TIFFFieldSetGetSize(field));
  const int count = TIFFFieldWriteCount(field);
  if (TIFFFieldPassCount(field) != 0)
    TIFFSetField(file, value.tag, static_cast<uint32_t>(value.numbers.size()), bytes.data());
  else if (count == 1 && fractional)
    TIFFSetField(file, value.tag, value.numbers.front());
  else if (count == 1)
    TIFFSetField(file, value.tag,
                 static_cast<uint32_t>(std::clamp(value.numbers.front(), 0.0, 4294967295.0)));
  else if (count == static_cast<int>(value.numbers.size()))
    TIFFSetField(file, value.tag, bytes.data());
}

void putExif(TIFF* file, const ExifValue& value) {
  const TIFFField* field = TIFFFindField(file, value.tag, TIFF_ANY);
  if (field == nullptr)
    return;
  const bool isText = TIFFFieldDataType(field) == TIFF_ASCII;
  if (isText && !value.text.empty() && TIFFFieldPassCount(field) == 0)
    TIFFSetField(file, value.tag, value.text.c_str());
  else if (!isText && !value.numbers.empty() &&
           TIFFFieldSetGetSize(field) <= static_cast<int>(sizeof(double)))
    putNumbers(file, field, value);
}

}  // namespace

void putMainExif(TIFF* file, std::span<const std::byte> exif) {
  for (const ExifValue& value : exifValues(exif, ExifFolder::main))
    for (const uint32_t tag : {TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE, TIFFTAG_MODEL, TIFFTAG_SOFTWARE,
                               TIFFTAG_DATETIME, TIFFTAG_ARTIST, TIFFTAG_COPYRIGHT})
      if (value.tag == tag)
        putExif(file, value);
}

namespace {

// Writes the folder after everything else, and returns its offset; 0 if there is none, or it can't be
// written.
uint64_t putFolder(TIFF* file, std::span<const std::byte> exif, ExifFolder folder, int (*create)(TIFF*)) {
  const std::vector<ExifValue> values = exifValues(exif, folder);
  if (values.empty() || create(file) != 0)
    return 0;
  for (const ExifValue& value : values)
    putExif(file, value);
  uint64_t offset = 0;
  const bool isWritten = TIFFWriteCustomDirectory(file, &offset) == 1;
  TIFFFreeDirectory(file);  // the next folder would only forget its values
  return isWritten ? offset : 0;
}

}  // namespace

bool writeTiffFolders(TIFF* file, std::span<const std::byte> exif) {
  if (TIFFWriteDirectory(file) != 1)
    return false;
  const uint64_t camera = putFolder(file, exif, ExifFolder::camera, TIFFCreateEXIFDirectory),
                 gps = putFolder(file, exif, ExifFolder::gps, TIFFCreateGPSDirectory);
  if (camera == 0 && gps == 0)
    return true;
  return TIFFSetDirectory(file, 0) == 1 &&
         (camera == 0 || TIFFSetField(file, TIFFTAG_EXIFIFD, camera) == 1) &&
         (gps == 0 || TIFFSetField(file, TIFFTAG_GPSIFD, gps) == 1) && TIFFRewriteDirectory(file) == 1;
}

namespace {

constexpr uint16_t wordType = 4, mostType = 12;  // later ones are BigTIFF's
constexpr uint16_t exifPointer = 0x8769, gpsPointer = 0x8825, interopPointer = 0xa005, makerNote = 0x927c;
// Of the picture's folder; the rest is about how its pixels are stored.
constexpr std::array<uint16_t, 10> mainTags = {0x010e, 0x010f, 0x0110, 0x0112,      0x0131,
                                               0x0132, 0x013b, 0x8298, exifPointer, gpsPointer};
constexpr size_t mostEntries = 1024, mostValueBytes = 65536;

size_t bytesOfType(uint16_t type) {
  constexpr std::array<size_t, 19> bytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < bytes.size() ? bytes.at(type) : 0;
}

// Exif data that grow: values and inner folders lie before the folder that names them.
class ExifBytes {
 public:
  explicit ExifBytes(bool isLittle) : isLittle_(isLittle) {
    const char order = isLittle ? 'I' : 'M';
    bytes_ = {std::byte(order), std::byte(order)};
    add(42, 2);
    add(0, 4);
  }

  // Returns the place of what was added.
  size_t add(std::span<const std::byte> bytes) {
    bytes_.resize(bytes_.size() + bytes_.size() % 2);
    const size_t at = bytes_.size();
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return at;
  }
  void add(uint64_t number, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
      bytes_.push_back(static_cast<std::byte>(number >> 8 * (isLittle_ ? i : bytes - 1 - i) & 0xffU));
  }
  size_t addFolder(const std::vector<TiffEntry>& entries) {
    std::vector<size_t> places;
    for (const TiffEntry& entry : entries)
      places.push_back(entry.bytes.size() > 4 ? add(entry.bytes) : 0);
    const size_t at = add(std::span<const std::byte>());
    add(entries.size(), 2);
    for (size_t i = 0; i < entries.size(); ++i) {
      const TiffEntry& entry = entries[i];
      add(entry.tag, 2);
      add(entry.type, 2);
      add(entry.count, 4);
      if (places[i] != 0)
        add(places[i], 4);
      else
        bytes_.insert(bytes_.end(), entry.bytes.begin(), entry.bytes.end());
      bytes_.resize(bytes_.size() + (places[i] != 0 ? 0 : 4 - entry.bytes.size()));
    }
    add(0, 4);
    return at;
  }
  TiffEntry pointer(uint16_t tag, size_t place) const {
    ExifBytes number(isLittle_);
    number.bytes_.clear();
    number.add(place, 4);
    return {tag, wordType, 1, number.bytes_};
  }
  std::vector<std::byte> startingAt(size_t place) && {
    const TiffEntry start = pointer(0, place);
    std::ranges::copy(start.bytes, bytes_.begin() + 4);
    return std::move(bytes_);
  }

 private:
  bool isLittle_;
  std::vector<std::byte> bytes_;
};

}  // namespace

TiffFolders::TiffFolders(const File& file) : file_(fileno(file.get())) {
  std::array<std::byte, 16> head{};
  if (pread(file_, head.data(), head.size(), 0) < 8 || head[0] != head[1])
    return;
  isLittle_ = head[0] == std::byte{'I'};
  isBig_ = numberAt(&head[2], 2) == 43;
  first_ = isBig_ ? numberAt(&head[8], 8) : numberAt(&head[4], 4);
}

uint64_t TiffFolders::numberAt(const std::byte* at, size_t bytes) const {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i)
    value = value << 8U | std::to_integer<uint64_t>(at[isLittle_ ? bytes - 1 - i : i]);
  return value;
}

std::vector<TiffEntry> TiffFolders::entries(uint64_t folder) const {
  const size_t countBytes = isBig_ ? 8 : 2, entryBytes = isBig_ ? 20 : 12, wordBytes = isBig_ ? 8 : 4;
  const auto readAt = [&](uint64_t at, std::span<std::byte> bytes) {
    return at <= INT64_MAX && pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(at)) ==
                                  static_cast<ssize_t>(bytes.size());
  };
  std::array<std::byte, 20> some{};
  std::vector<TiffEntry> entries;
  if (folder < 8 || !readAt(folder, std::span(some).first(countBytes)))
    return entries;
  const uint64_t count = std::min<uint64_t>(numberAt(some.data(), countBytes), mostEntries);
  for (uint64_t i = 0;
       i < count && readAt(folder + countBytes + i * entryBytes, std::span(some).first(entryBytes)); ++i) {
    TiffEntry entry{static_cast<uint16_t>(numberAt(&some[0], 2)),
                    static_cast<uint16_t>(numberAt(&some[2], 2)),
                    numberAt(&some[4], wordBytes),
                    {}};
    const size_t each = bytesOfType(entry.type);
    std::byte last{};
    entry.isCut =
        each != 0 && entry.count > wordBytes / each &&
        !readAt(numberAt(&some[4 + wordBytes], wordBytes) + entry.count * each - 1, std::span(&last, 1));
    if (each != 0 && entry.count <= mostValueBytes / each) {
      entry.bytes.resize(entry.count * each);
      const std::byte* value = &some[4 + wordBytes];
      if (entry.bytes.size() <= wordBytes)
        std::copy_n(value, entry.bytes.size(), entry.bytes.begin());
      else if (!readAt(numberAt(value, wordBytes), entry.bytes))
        entry.bytes.clear();
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

uint64_t TiffFolders::number(const std::vector<TiffEntry>& entries, uint16_t tag) const {
  const auto found = std::ranges::find(entries, tag, &TiffEntry::tag);
  const size_t bytes = found == entries.end() ? 0 : bytesOfType(found->type);
  return bytes == 0 || bytes > found->bytes.size() ? 0 : numberAt(found->bytes.data(), bytes);
}

std::vector<std::byte> TiffFolders::exif(uint64_t folder) const {
  ExifBytes exif(isLittle_);
  const auto isPointer = [](uint16_t tag) {
    return tag == exifPointer || tag == gpsPointer || tag == interopPointer;
  };
  using Entries = std::vector<TiffEntry>;
  const std::function<Entries(const Entries&, int)> kept = [&](const Entries& all, int depth) {
    Entries some;
    for (const TiffEntry& entry : all) {
      if (depth == 0 && std::ranges::find(mainTags, entry.tag) == mainTags.end())
        continue;
      if (!isPointer(entry.tag)) {
        if (!entry.bytes.empty() && entry.tag != makerNote && entry.type <= mostType)
          some.push_back(entry);
      } else if (depth < 2) {
        if (const Entries inner = kept(entries(number(all, entry.tag)), depth + 1); !inner.empty())
          some.push_back(exif.pointer(entry.tag, exif.addFolder(inner)));
      }
    }
    return some;
  };
  const Entries main = kept(entries(folder), 0);
  return main.empty() ? std::vector<std::byte>() : std::move(exif).startingAt(exif.addFolder(main));
}

}  // namespace lacuna::io
