// TIFF 6.0, section 2; Exif 2.32 (CIPA DC-008), 4.6; the numbers of folders are those of LibRaw's callback.

#include "modules/codecs/raw_unpack/unpack.h"

#include <libraw/libraw.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace lacuna::raw {
namespace {

constexpr uint16_t asciiType = 2, shortType = 3, longType = 4, doubleType = 12;
constexpr uint16_t orientationTag = 0x0112, exifFolder = 0x8769, gpsFolder = 0x8825, makerNote = 0x927c,
                   interoperability = 0xa005, lensModel = 0xa434;
constexpr size_t mostValueBytes = 8192, mostPictureBytes = 8 * 65536;  // a rational for each row
// Author, time and device; the rest of the main folder is about the file's own pixels.
const std::set<uint16_t> mainTags = {0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x8298};

constexpr uint16_t subfileType = 254, photometric = 262, colourFilterArray = 32803, linearRaw = 34892;
const std::set<uint16_t> pictureTags = {
    subfileType,      bitsPerSample,    compression,       photometric,     sampleFormat,
    blackLevelDeltaH, blackLevelDeltaV, defaultCropOrigin, defaultCropSize, opcodeList2};

// Bytes of a value of each type; 0 if there is no such type.
constexpr size_t typeBytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8};
// The size of its numbers; a rational has two of four bytes.
constexpr size_t wordBytes[] = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8};

template <typename Number>
void append(std::string& bytes, Number number) {
  for (size_t i = 0; i < sizeof number; ++i)
    bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

using Folder = std::map<uint16_t, TagValue>;

size_t folderBytes(const Folder& folder) {
  size_t bytes = 2 + 12 * folder.size() + 4;
  for (const auto& [tag, value] : folder)
    bytes += value.bytes.size() > 4 ? (value.bytes.size() + 1) / 2 * 2 : 0;
  return bytes;
}

void appendFolder(std::string& out, const Folder& folder) {
  std::string values;
  const size_t valuesAt = out.size() + 2 + 12 * folder.size() + 4;
  append(out, static_cast<uint16_t>(folder.size()));
  for (const auto& [tag, value] : folder) {
    append(out, tag);
    append(out, value.type);
    append(out, value.count);
    if (value.bytes.size() <= 4) {
      out += value.bytes + std::string(4 - value.bytes.size(), '\0');
      continue;
    }
    append(out, static_cast<uint32_t>(valuesAt + values.size()));
    values += value.bytes + std::string(value.bytes.size() % 2, '\0');
  }
  append(out, uint32_t{0});
  out += values;
}

template <typename Number>
TagValue valueOf(uint16_t type, Number number) {
  TagValue value{type, 1, {}};
  append(value.bytes, number);
  return value;
}

void removeLongest(Folder& folder) {
  const auto longest = std::max_element(folder.begin(), folder.end(), [](const auto& a, const auto& b) {
    return a.second.bytes.size() < b.second.bytes.size();
  });
  if (longest != folder.end())
    folder.erase(longest);
}

}  // namespace

void ExifWriter::listen(LibRaw& raw) {
  raw.set_exifparser_handler(&ExifWriter::onTag, this);
}

void ExifWriter::onTag(void* self, int tag, int type, int count, unsigned order, void* file, long long) {
  constexpr unsigned littleEndian = 0x4949;
  static_cast<ExifWriter*>(self)->add(tag, type, count, order == littleEndian, file);
}

void ExifWriter::add(int tag, int type, int count, bool isLittle, void* file) {
  const int where = tag >> 16;
  const auto number = static_cast<uint16_t>(tag & 0xffff);
  const bool isMain = where >= 0x10 && (mainTags.count(number) > 0 || number == noiseProfile);
  const bool isExif = where == 0 && number != makerNote && number != interoperability;
  const bool isPicture = where >= 0x10 && pictureTags.count(number) > 0;
  Folder* folder = isMain       ? &main_
                   : isPicture  ? &pictures_[where]
                   : isExif     ? &exif_
                   : where == 5 ? &gps_
                                : nullptr;
  if (folder == nullptr || folder->count(number) > 0 || type < 1 || type > doubleType || count < 1)
    return;
  const size_t bytes = typeBytes[type] * static_cast<size_t>(count);
  if (bytes > (isPicture ? mostPictureBytes : mostValueBytes))
    return;
  TagValue value{static_cast<uint16_t>(type), static_cast<uint32_t>(count), std::string(bytes, '\0')};
  auto* stream = static_cast<LibRaw_abstract_datastream*>(file);
  if (stream->read(value.bytes.data(), 1, bytes) != static_cast<int>(bytes))
    return;
  if (const size_t word = wordBytes[type]; word > 1 && !isLittle)
    for (size_t at = 0; at < bytes; at += word)
      std::reverse(value.bytes.data() + at, value.bytes.data() + at + word);
  folder->emplace(number, std::move(value));
}

void ExifWriter::nameLens(const std::string& name) {
  if (!name.empty() && exif_.count(lensModel) == 0)
    exif_[lensModel] = {asciiType, static_cast<uint32_t>(name.size() + 1), name + '\0'};
}

namespace {

template <typename Number>
double number(const char* at) {
  Number from;
  std::memcpy(&from, at, sizeof from);
  return static_cast<double>(from);
}
template <typename Number>
double ratio(const char* at) {
  const double below = number<Number>(at + sizeof(Number));
  return below == 0.0 ? 0.0 : number<Number>(at) / below;
}
double none(const char*) {
  return 0.0;
}

// By type: bytes, text, whole numbers and their ratios, the same with signs, and floats.
constexpr auto numberOfType = std::to_array<double (*)(const char*)>(
    {none, number<uint8_t>, none, number<uint16_t>, number<uint32_t>, ratio<uint32_t>, none, none,
     number<int16_t>, number<int32_t>, ratio<int32_t>, number<float>, number<double>});

std::vector<double> numbersOf(const std::map<uint16_t, TagValue>& folder, uint16_t tag) {
  std::vector<double> numbers;
  if (const auto found = folder.find(tag); found != folder.end())
    for (size_t i = 0; i < found->second.count; ++i)
      numbers.push_back(
          numberOfType[found->second.type](found->second.bytes.data() + i * typeBytes[found->second.type]));
  return numbers;
}

}  // namespace

std::vector<double> ExifWriter::doubles(uint16_t tag) const {
  return numbersOf(main_, tag);
}

// The full picture of a sensor or of linear colours; others are previews and masks.
const std::map<uint16_t, TagValue>* ExifWriter::rawPicture() const {
  for (const auto& [where, folder] : pictures_) {
    const std::vector<double> type = numbersOf(folder, subfileType), kind = numbersOf(folder, photometric);
    if ((type.empty() || type[0] == 0) && !kind.empty() &&
        (kind[0] == colourFilterArray || kind[0] == linearRaw))
      return &folder;
  }
  return nullptr;
}

std::vector<double> ExifWriter::rawNumbers(uint16_t tag) const {
  const auto* picture = rawPicture();
  return picture == nullptr ? std::vector<double>{} : numbersOf(*picture, tag);
}

std::string ExifWriter::rawBytes(uint16_t tag) const {
  const auto* picture = rawPicture();
  return picture == nullptr || picture->count(tag) == 0 ? std::string() : picture->at(tag).bytes;
}

std::string ExifWriter::tiff(uint16_t orientation, size_t mostBytes) const {
  Folder main = main_, exif = exif_;
  main.erase(noiseProfile);
  main[orientationTag] = valueOf(shortType, orientation);
  main[exifFolder] = valueOf(longType, uint32_t{0});
  if (!gps_.empty())
    main[gpsFolder] = valueOf(longType, uint32_t{0});
  constexpr size_t header = 8;
  while (!exif.empty() && header + folderBytes(main) + folderBytes(exif) + folderBytes(gps_) > mostBytes)
    removeLongest(exif);
  const size_t exifAt = header + folderBytes(main), gpsAt = exifAt + folderBytes(exif);
  main[exifFolder] = valueOf(longType, static_cast<uint32_t>(exifAt));
  if (!gps_.empty())
    main[gpsFolder] = valueOf(longType, static_cast<uint32_t>(gpsAt));
  std::string out("II*\0\x08\0\0\0", header);
  appendFolder(out, main);
  appendFolder(out, exif);
  if (!gps_.empty())
    appendFolder(out, gps_);
  return out.size() <= mostBytes ? out : std::string();
}

}  // namespace lacuna::raw
