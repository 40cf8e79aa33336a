// TIFF 6.0, section 2; Exif 2.32 (CIPA DC-008), 4.5.

#include "modules/codecs/exif.h"

#include <fmt/format.h>
#include <libexif/exif-data.h>
#include <libexif/exif-log.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "modules/codecs/orientation.h"

namespace lacuna::io {
namespace {

struct ReleaseData {
  void operator()(ExifData* data) const { exif_data_unref(data); }
};
struct ReleaseLog {
  void operator()(ExifLog* log) const { exif_log_unref(log); }
};

// The first entry that libexif reports as damaged. libexif passes its messages as variable arguments of C.
void onLog(ExifLog*, ExifLogCode code, const char*, const char* format, va_list arguments, void* found) {
  auto& text = *static_cast<std::string*>(found);
  if (!text.empty() || (code != EXIF_LOG_CODE_CORRUPT_DATA && code != EXIF_LOG_CODE_NO_MEMORY))
    return;
  char line[200];
  std::vsnprintf(line, sizeof(line), format, arguments);
  text = line;
}

using ExifHandle = std::unique_ptr<ExifData, ReleaseData>;

// `damage`: libexif's message, mostly empty.
ExifHandle load(std::span<const std::byte> exif, std::string& damage) {
  const std::unique_ptr<ExifLog, ReleaseLog> log(exif_log_new());
  ExifHandle data(exif_data_new());
  if (!log || !data)
    throw std::bad_alloc();
  exif_log_set_func(log.get(), onLog, &damage);
  exif_data_log(data.get(), log.get());
  // Only existing tags: libexif would otherwise add those that the standard demands.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  std::vector<unsigned char> bytes = {'E', 'x', 'i', 'f', 0, 0};
  std::ranges::transform(exif, std::back_inserter(bytes), std::to_integer<unsigned char>);
  exif_data_load_data(data.get(), bytes.data(), static_cast<unsigned>(bytes.size()));
  exif_data_log(data.get(), nullptr);
  return data;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (exif.empty())
    return entries;
  std::string damage;
  const ExifHandle data = load(exif, damage);
  for (int folder = 0; folder < EXIF_IFD_COUNT; ++folder) {
    const ExifContent* content = data->ifd[folder];
    for (unsigned i = 0; i < content->count; ++i) {
      ExifEntry* entry = content->entries[i];
      const char* name = exif_tag_get_name_in_ifd(entry->tag, static_cast<ExifIfd>(folder));
      char value[256];
      if (name != nullptr && entry->tag != EXIF_TAG_MAKER_NOTE)
        entries.emplace_back(name, exif_entry_get_value(entry, value, sizeof(value)));
    }
  }
  return entries;
}

namespace {

double numberAt(const ExifEntry& entry, ExifByteOrder order, size_t index) {
  const unsigned char* at = entry.data + index * exif_format_get_size(entry.format);
  switch (entry.format) {
    case EXIF_FORMAT_SHORT:
      return exif_get_short(at, order);
    case EXIF_FORMAT_SSHORT:
      return exif_get_sshort(at, order);
    case EXIF_FORMAT_LONG:
      return exif_get_long(at, order);
    case EXIF_FORMAT_SLONG:
      return exif_get_slong(at, order);
    case EXIF_FORMAT_RATIONAL: {
      const ExifRational number = exif_get_rational(at, order);
      return number.denominator == 0 ? 0.0 : double{1} * number.numerator / number.denominator;
    }
    case EXIF_FORMAT_SRATIONAL: {
      const ExifSRational number = exif_get_srational(at, order);
      return number.denominator == 0 ? 0.0 : double{1} * number.numerator / number.denominator;
    }
    default:
      return *at;
  }
}

}  // namespace

std::vector<ExifValue> exifValues(std::span<const std::byte> exif, ExifFolder folder) {
  std::vector<ExifValue> values;
  if (exif.empty())
    return values;
  std::string damage;
  const ExifHandle data = load(exif, damage);
  constexpr ExifIfd folders[] = {EXIF_IFD_0, EXIF_IFD_EXIF, EXIF_IFD_GPS};
  const ExifContent* content = data->ifd[folders[static_cast<size_t>(folder)]];
  for (unsigned i = 0; i < content->count; ++i) {
    const ExifEntry& entry = *content->entries[i];
    ExifValue value{static_cast<uint16_t>(entry.tag), {}, {}};
    const size_t count = std::min<size_t>(
        entry.components, entry.size / std::max<size_t>(exif_format_get_size(entry.format), 1));
    if (entry.data == nullptr || entry.format == EXIF_FORMAT_FLOAT || entry.format == EXIF_FORMAT_DOUBLE)
      continue;
    if (entry.format == EXIF_FORMAT_ASCII)
      value.text.assign(reinterpret_cast<const char*>(entry.data),
                        strnlen(reinterpret_cast<const char*>(entry.data), count));
    for (size_t k = 0; k < count && entry.format != EXIF_FORMAT_ASCII; ++k)
      value.numbers.push_back(numberAt(entry, exif_data_get_byte_order(data.get()), k));
    values.push_back(std::move(value));
  }
  return values;
}

Orientation exifOrientation(std::span<const std::byte> exif,
                            const std::function<void(const std::string&)>& complain) {
  if (exif.empty())
    return 1;
  std::string damage;
  const ExifHandle data = load(exif, damage);
  const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  if (entry == nullptr) {
    if (damage.empty() && data->ifd[EXIF_IFD_0]->count == 0)
      damage = "it has no entries";
    if (!damage.empty())
      complain(fmt::format("its Exif data is damaged ({}); taken as upright", damage));
    return 1;
  }
  if (entry->format != EXIF_FORMAT_SHORT || entry->components != 1) {
    complain("its Exif orientation is not a single short number; taken as upright");
    return 1;
  }
  const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
  if (orientation < 1 || orientation > 8) {
    complain(fmt::format("its Exif orientation is {}, expected 1 to 8; taken as upright", orientation));
    return 1;
  }
  return orientation;
}

namespace {

constexpr uint16_t shortType = 3, longType = 4;
constexpr uint16_t imageWidth = 0x0100, imageLength = 0x0101, orientation = 0x0112, exifFolder = 0x8769,
                   pixelWidth = 0xa002, pixelHeight = 0xa003, thumbnailOffset = 0x0201,
                   thumbnailBytes = 0x0202;

class Tiff {
 public:
  explicit Tiff(std::vector<std::byte>& bytes) : bytes_(bytes) {
    isLittle_ = bytes.size() >= 8 && bytes[0] == std::byte{'I'};
    isTiff_ = bytes.size() >= 8 && bytes[0] == bytes[1] && (isLittle_ || bytes[0] == std::byte{'M'}) &&
              number(2, 2) == 42;
  }

  bool isTiff() const { return isTiff_; }
  uint32_t first() const { return number(4, 4); }

  // The value of an entry with one number of any type; 0 for others. `entry`: the entry's place.
  uint32_t valueAt(size_t entry) const {
    const uint32_t type = number(entry + 2, 2);
    if (number(entry + 4, 4) != 1)
      return 0;
    return type == shortType ? number(entry + 8, 2) : type == longType ? number(entry + 8, 4) : 0;
  }
  void setValueAt(size_t entry, uint32_t value) {
    const uint32_t type = number(entry + 2, 2);
    if (number(entry + 4, 4) != 1)
      return;
    if (type == shortType && value <= 0xffff)
      put(entry + 8, 2, value);
    else if (type == longType)
      put(entry + 8, 4, value);
  }

  // Calls visit(tag, entry) for each entry of a folder. Returns the place of the next folder's offset; 0 if
  // the folder is damaged.
  size_t forEntries(size_t folder, const std::function<void(uint32_t tag, size_t entry)>& visit) const {
    constexpr size_t entryBytes = 12;
    if (folder < 8 || folder + 2 > bytes_.size())
      return 0;
    const size_t count = number(folder, 2), end = folder + 2 + count * entryBytes;
    if (end + 4 > bytes_.size())
      return 0;
    for (size_t entry = folder + 2; entry < end; entry += entryBytes)
      visit(number(entry, 2), entry);
    return end;
  }

  uint32_t number(size_t at, size_t count) const {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i)
      value = value << 8 | std::to_integer<uint32_t>(bytes_[at + (isLittle_ ? count - 1 - i : i)]);
    return value;
  }
  void put(size_t at, size_t count, uint32_t value) {
    for (size_t i = 0; i < count; ++i)
      bytes_[at + (isLittle_ ? i : count - 1 - i)] = static_cast<std::byte>(value >> 8 * i & 0xffU);
  }

 private:
  std::vector<std::byte>& bytes_;
  bool isLittle_ = false, isTiff_ = false;
};

// Cuts off the second folder, which is the thumbnail's, and wipes the picture in it.
void removeThumbnail(Tiff& tiff, size_t nextAt, std::vector<std::byte>& exif) {
  const uint32_t folder = tiff.number(nextAt, 4);
  uint64_t start = 0, count = 0;
  tiff.forEntries(folder, [&](uint32_t tag, size_t entry) {
    start = tag == thumbnailOffset ? tiff.valueAt(entry) : start;
    count = tag == thumbnailBytes ? tiff.valueAt(entry) : count;
  });
  tiff.put(nextAt, 4, 0);
  if (start < 8 || start + count > exif.size())
    return;
  if (start + count == exif.size())
    exif.resize(start);
  else
    std::fill_n(exif.begin() + static_cast<std::ptrdiff_t>(start), count, std::byte{0});
}

// Puts `value` into all `name="..."` and `<name>...</name>`.
void setXmpValue(std::string& xmp, const std::string& name, const std::string& value) {
  const auto replace = [&](const std::string& before, char end) {
    for (size_t at = xmp.find(before); at != std::string::npos; at = xmp.find(before, at + 1)) {
      const size_t from = at + before.size(), to = xmp.find(end, from);
      if (to != std::string::npos)
        xmp.replace(from, to - from, value);
    }
  };
  replace(name + "=\"", '"');
  replace(name + "='", '\'');
  replace("<" + name + ">", '<');
}

}  // namespace

void editExif(std::vector<std::byte>& exif, Extent extent, bool upright) {
  Tiff tiff(exif);
  if (!tiff.isTiff())
    return;
  uint32_t inner = 0;
  const auto edit = [&](uint32_t tag, size_t entry) {
    if (tag == orientation && upright)
      tiff.setValueAt(entry, 1);
    else if (tag == imageWidth || tag == pixelWidth)
      tiff.setValueAt(entry, extent.width);
    else if (tag == imageLength || tag == pixelHeight)
      tiff.setValueAt(entry, extent.height);
    else if (tag == exifFolder)
      inner = tiff.valueAt(entry);
  };
  const size_t nextAt = tiff.forEntries(tiff.first(), edit);
  if (inner != 0)
    tiff.forEntries(inner, edit);
  if (nextAt != 0 && tiff.number(nextAt, 4) != 0)
    removeThumbnail(tiff, nextAt, exif);
}

void editXmp(std::string& xmp, Extent extent, bool upright) {
  if (upright)
    setXmpValue(xmp, "tiff:Orientation", "1");
  for (const char* name : {"tiff:ImageWidth", "exif:PixelXDimension"})
    setXmpValue(xmp, name, std::to_string(extent.width));
  for (const char* name : {"tiff:ImageLength", "exif:PixelYDimension"})
    setXmpValue(xmp, name, std::to_string(extent.height));
}

}  // namespace lacuna::io
