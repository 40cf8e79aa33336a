// TIFF 6.0, section 2; Exif 2.32 (CIPA DC-008), 4.5.

#include "modules/codecs/exif.h"

#include <fmt/format.h>
#include <libexif/exif-data.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace lacuna::io {
namespace {

struct ReleaseData {
  void operator()(ExifData* data) const { exif_data_unref(data); }
};
using ExifHandle = std::unique_ptr<ExifData, ReleaseData>;

ExifHandle load(std::span<const std::byte> exif) {
  ExifHandle data(exif_data_new());
  if (!data)
    throw std::bad_alloc();
  // Only existing tags: libexif would otherwise add those that the standard demands.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  std::vector<unsigned char> bytes = {'E', 'x', 'i', 'f', 0, 0};
  std::ranges::transform(exif, std::back_inserter(bytes), std::to_integer<unsigned char>);
  exif_data_load_data(data.get(), bytes.data(), static_cast<unsigned>(bytes.size()));
  return data;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (exif.empty())
    return entries;
  const ExifHandle data = load(exif);
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
  const auto ratio = [](const auto& number) {
    return number.denominator == 0 ? 0.0 : double{1} * number.numerator / number.denominator;
  };
  switch (entry.format) {
    case EXIF_FORMAT_SHORT:
      return exif_get_short(at, order);
    case EXIF_FORMAT_SSHORT:
      return exif_get_sshort(at, order);
    case EXIF_FORMAT_LONG:
      return exif_get_long(at, order);
    case EXIF_FORMAT_SLONG:
      return exif_get_slong(at, order);
    case EXIF_FORMAT_RATIONAL:
      return ratio(exif_get_rational(at, order));
    case EXIF_FORMAT_SRATIONAL:
      return ratio(exif_get_srational(at, order));
    default:
      return *at;
  }
}

}  // namespace

std::vector<ExifValue> exifValues(std::span<const std::byte> exif, ExifFolder folder) {
  std::vector<ExifValue> values;
  if (exif.empty())
    return values;
  const ExifHandle data = load(exif);
  constexpr ExifIfd folders[] = {EXIF_IFD_0, EXIF_IFD_EXIF, EXIF_IFD_GPS};
  const ExifContent* content = data->ifd[folders[static_cast<size_t>(folder)]];
  for (unsigned i = 0; i < content->count; ++i) {
    const ExifEntry& entry = *content->entries[i];
    const char* name = exif_tag_get_name_in_ifd(entry.tag, folders[static_cast<size_t>(folder)]);
    ExifValue value{
        .tag = static_cast<uint16_t>(entry.tag),
        .name = name != nullptr ? name : "",
        .isFraction = entry.format == EXIF_FORMAT_RATIONAL || entry.format == EXIF_FORMAT_SRATIONAL,
        .isUndefined = entry.format == EXIF_FORMAT_UNDEFINED};
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

namespace {

constexpr uint16_t shortType = 3, longType = 4, signedShortType = 8, signedLongType = 9;
constexpr uint16_t imageWidth = 0x0100, imageLength = 0x0101, orientation = 0x0112, exifFolder = 0x8769,
                   pixelWidth = 0xa002, pixelHeight = 0xa003, thumbnailOffset = 0x0201,
                   thumbnailBytes = 0x0202, colourSpace = 0xa001, interoperability = 0xa005,
                   interopIndex = 0x0001;

class Tiff {
 public:
  explicit Tiff(std::span<const std::byte> bytes) : bytes_(bytes) {
    isLittle_ = bytes.size() >= 8 && bytes[0] == std::byte{'I'};
    isTiff_ = bytes.size() >= 8 && bytes[0] == bytes[1] && (isLittle_ || bytes[0] == std::byte{'M'}) &&
              number(2, 2) == 42;
  }

  bool isTiff() const { return isTiff_; }
  uint32_t first() const { return number(4, 4); }

  // Where an entry's first number lies: one that is whole and lies in the entry itself.
  struct Place {
    size_t at = 0, bytes = 0;  // 0: there is none
  };
  Place placeOf(size_t entry) const {
    const uint32_t type = number(entry + 2, 2), count = number(entry + 4, 4);
    const size_t bytes = type == shortType || type == signedShortType ? 2
                         : type == longType || type == signedLongType ? 4
                                                                      : 0;
    return count == 0 || bytes == 0 || count > 4 / bytes ? Place{} : Place{entry + 8, bytes};
  }
  // 0 if there is none. `entry`: the entry's place.
  uint32_t valueAt(size_t entry) const {
    const Place place = placeOf(entry);
    return number(place.at, place.bytes);
  }

  // Calls visit(tag, entry) for each entry of a folder that is there. Returns the place of the next folder's
  // offset; 0 if the folder breaks off.
  size_t forEntries(size_t folder, const std::function<void(uint32_t tag, size_t entry)>& visit) const {
    constexpr size_t entryBytes = 12;
    if (folder < 8 || folder + 2 > bytes_.size())
      return 0;
    const size_t count = number(folder, 2), end = folder + 2 + count * entryBytes;
    for (size_t entry = folder + 2; entry < end && entry + entryBytes <= bytes_.size(); entry += entryBytes)
      visit(number(entry, 2), entry);
    return end + 4 > bytes_.size() ? 0 : end;
  }

  uint32_t number(size_t at, size_t count) const {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i)
      value = value << 8 | std::to_integer<uint32_t>(bytes_[at + (isLittle_ ? count - 1 - i : i)]);
    return value;
  }
  bool isLittle() const { return isLittle_; }

 private:
  std::span<const std::byte> bytes_;
  bool isLittle_ = false, isTiff_ = false;
};

void put(std::vector<std::byte>& exif, const Tiff& tiff, Tiff::Place place, uint32_t value) {
  for (size_t i = 0; i < place.bytes && (place.bytes == 4 || value <= 0xffff); ++i)
    exif[place.at + (tiff.isLittle() ? i : place.bytes - 1 - i)] =
        static_cast<std::byte>(value >> 8 * i & 0xffU);
}

// Cuts off the second folder, which is the thumbnail's, and wipes the picture in it.
void removeThumbnail(const Tiff& tiff, size_t nextAt, std::vector<std::byte>& exif) {
  const uint32_t folder = tiff.number(nextAt, 4);
  uint64_t start = 0, count = 0;
  tiff.forEntries(folder, [&](uint32_t tag, size_t entry) {
    start = tag == thumbnailOffset ? tiff.valueAt(entry) : start;
    count = tag == thumbnailBytes ? tiff.valueAt(entry) : count;
  });
  put(exif, tiff, {nextAt, 4}, 0);
  if (start < 8 || start + count > exif.size())
    return;
  if (start + count == exif.size())
    exif.resize(start);
  else
    std::fill_n(exif.begin() + static_cast<std::ptrdiff_t>(start), count, std::byte{0});
}

// Removes attributes and elements whose names begin with `start`, "GCamera:MotionPhoto".
void removeXmp(std::string& xmp, const std::string& start) {
  std::string edited;
  size_t done = 0;
  for (size_t at = xmp.find(start); at != std::string::npos; at = xmp.find(start, std::max(at + 1, done))) {
    const char before = at == 0 ? ' ' : xmp[at - 1];
    size_t from = at - 1, end = std::string::npos;
    if (before == '<') {
      end = xmp.find('>', at);
      if (end != std::string::npos && xmp[end - 1] != '/') {
        const std::string last = "</" + xmp.substr(at, xmp.find_first_of(" \t\r\n/>", at) - at) + ">";
        end = xmp.find(last, end);
        end += end == std::string::npos ? 0 : last.size() - 1;
      }
    } else if (at > 0 && std::string_view(" \t\r\n").find(before) != std::string_view::npos) {
      const size_t first = xmp.find_first_of("\"'", at);
      end = first == std::string::npos ? first : xmp.find(xmp[first], first + 1);
    } else {
      continue;
    }
    if (end == std::string::npos)
      break;
    edited.append(xmp, done, from - done);
    done = end + 1;
  }
  xmp = edited.append(xmp, done);
}

// Names of a space, by the prefix that this packet uses.
void removeXmpOf(std::string& xmp, const std::string& space, const std::string& names) {
  for (const char mark : {'"', '\''}) {
    const size_t at = xmp.find(std::string("=") + mark + space + mark);
    const size_t before = at == std::string::npos ? at : xmp.rfind("xmlns:", at);
    constexpr size_t declaration = 6, longest = 64;
    if (before != std::string::npos && at - before < longest)
      removeXmp(xmp, xmp.substr(before + declaration, at - before - declaration) + ":" + names);
  }
}

// What other files say of data that follows the picture.
void removeOnce(std::string& xmp) {
  constexpr std::pair<const char*, const char*> spaces[] = {
      {"http://ns.google.com/photos/1.0/container/", ""},
      {"http://ns.google.com/photos/1.0/camera/", "MotionPhoto"},
      {"http://ns.google.com/photos/1.0/camera/", "MicroVideo"},
      {"http://ns.adobe.com/hdr-gain-map/1.0/", ""},
      {"http://ns.apple.com/HDRGainMap/1.0/", ""}};
  for (const auto& [space, names] : spaces)
    removeXmpOf(xmp, space, names);
}

// What is left may look like such names again in a packet that is no XML: it is dropped.
void removeXmpOfOtherData(std::string& xmp) {
  constexpr int most = 4;
  for (int i = 0; i <= most; ++i) {
    const std::string before = xmp;
    removeOnce(xmp);
    if (xmp == before)
      return;
  }
  xmp.clear();
}

// Puts `value` into all `name="..."` and `<name>...</name>`.
void setXmpValue(std::string& xmp, const std::string& name, const std::string& value) {
  const auto replace = [&](const std::string& before, char end) {
    std::string edited;  // in linear time, however often the name is there
    size_t done = 0;
    for (size_t at = xmp.find(before); at != std::string::npos; at = xmp.find(before, done)) {
      const size_t from = at + before.size(), to = xmp.find(end, from);
      if (to == std::string::npos)
        break;
      edited.append(xmp, done, from - done).append(value);
      done = to;
    }
    xmp = edited.append(xmp, done);
  };
  replace(name + "=\"", '"');
  replace(name + "='", '\'');
  replace("<" + name + ">", '<');
}

}  // namespace

std::vector<std::byte> trimmedExif(std::vector<std::byte> exif) {
  constexpr std::string_view signature("Exif\0\0", 6);
  const std::string_view text(reinterpret_cast<const char*>(exif.data()), exif.size());
  size_t bytes = 0;
  while (text.substr(bytes).starts_with(signature))
    bytes += signature.size();
  exif.erase(exif.begin(), exif.begin() + static_cast<std::ptrdiff_t>(bytes));
  return exif;
}

Orientation orientationOf(const Metadata& metadata, const std::function<void(const std::string&)>& complain) {
  if (metadata.orientation)
    return *metadata.orientation;
  const auto upright = [&](const std::string& why) {
    if (complain)
      complain(why + "; taken as upright");
    return 1;
  };
  const auto checked = [&](const char* source, uint32_t value) {
    return value >= 1 && value <= 8
               ? static_cast<Orientation>(value)
               : upright(fmt::format("its {} orientation is {}, expected 1 to 8", source, value));
  };
  const Tiff tiff(metadata.exif);
  Tiff::Place place;
  bool isStated = false;
  const auto find = [&](uint32_t tag, size_t entry) {
    if (tag == orientation) {
      isStated = true;
      place = tiff.placeOf(entry);
    }
  };
  const bool isWhole = tiff.isTiff() && tiff.forEntries(tiff.first(), find) != 0;
  if (isStated)
    return place.bytes == 0 ? upright("its Exif orientation is not a whole number")
                            : checked("Exif", tiff.number(place.at, place.bytes));
  for (const std::string_view before : {"tiff:Orientation=\"", "tiff:Orientation>"})
    for (size_t at = metadata.xmp.find(before); at != std::string::npos;
         at = metadata.xmp.find(before, at + 1))
      if (const char digit = metadata.xmp.c_str()[at + before.size()]; digit >= '0' && digit <= '9')
        return checked("XMP", static_cast<uint32_t>(digit - '0'));
  return metadata.exif.empty() || isWhole ? 1 : upright("its Exif data is damaged");
}

namespace {

bool statesAdobeRgb(const std::vector<std::byte>& exif) {
  constexpr uint32_t adobe = 2, uncalibrated = 0xffff;  // 2: not in the standard, but in files
  const Tiff tiff(exif);
  if (!tiff.isTiff())
    return false;
  uint32_t inner = 0, interop = 0, space = uncalibrated;
  bool isR03 = false;
  const auto find = [&](uint32_t tag, size_t entry) {
    inner = tag == exifFolder ? tiff.valueAt(entry) : inner;
    interop = tag == interoperability ? tiff.valueAt(entry) : interop;
    space = tag == colourSpace ? tiff.valueAt(entry) : space;
  };
  tiff.forEntries(tiff.first(), find);
  tiff.forEntries(inner, find);
  tiff.forEntries(interop, [&](uint32_t tag, size_t entry) {
    isR03 = isR03 || (tag == interopIndex && std::memcmp(&exif[entry + 8], "R03", 4) == 0);
  });
  return space == adobe || (space == uncalibrated && isR03);
}

}  // namespace

bool describeAdobeRgb(const std::vector<std::byte>& exif, ColourDescription& colour) {
  if (!colour.profile.empty() || !statesAdobeRgb(exif))
    return false;
  colour.gamma = adobeRgbGamma;
  colour.whiteAndPrimaries = adobeRgbWhiteAndPrimaries;
  return true;
}

void editExif(std::vector<std::byte>& exif, Extent extent, bool isTurned) {
  const Tiff tiff(exif);
  if (!tiff.isTiff())
    return;
  uint32_t inner = 0;
  const auto edit = [&](uint32_t tag, size_t entry) {
    if (tag == orientation && isTurned)
      put(exif, tiff, tiff.placeOf(entry), 1);
    else if (tag == imageWidth || tag == pixelWidth)
      put(exif, tiff, tiff.placeOf(entry), extent.width);
    else if (tag == imageLength || tag == pixelHeight)
      put(exif, tiff, tiff.placeOf(entry), extent.height);
    else if (tag == exifFolder)
      inner = tiff.valueAt(entry);
  };
  const size_t nextAt = tiff.forEntries(tiff.first(), edit);
  if (inner != 0)
    tiff.forEntries(inner, edit);
  if (nextAt != 0 && tiff.number(nextAt, 4) != 0)
    removeThumbnail(tiff, nextAt, exif);
}

void removeXmpExtension(std::string& xmp) {
  removeXmpOf(xmp, "http://ns.adobe.com/xmp/note/", "HasExtendedXMP");
}

void editXmp(std::string& xmp, Extent extent, bool isTurned) {
  removeXmpOfOtherData(xmp);
  if (isTurned)
    setXmpValue(xmp, "tiff:Orientation", "1");
  for (const char* name : {"tiff:ImageWidth", "exif:PixelXDimension"})
    setXmpValue(xmp, name, std::to_string(extent.width));
  for (const char* name : {"tiff:ImageLength", "exif:PixelYDimension"})
    setXmpValue(xmp, name, std::to_string(extent.height));
}

}  // namespace lacuna::io
