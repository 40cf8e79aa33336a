// TIFF 6.0, section 2; Exif 2.32 (CIPA DC-008), 4.5.

#include "modules/codecs/exif_edit.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace lacuna::io {
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

  // Of one number, whatever its type; 0 for others. `entry`: where the entry stands.
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

  // Calls visit(tag, entry) for each entry of a folder. Returns where the offset of the next folder stands; 0
  // where the folder is damaged.
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

// Puts `value` into `name="..."` and `<name>...</name>`, wherever they stand.
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
