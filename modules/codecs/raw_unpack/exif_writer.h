#pragma once
// Exif data of a raw photograph of any format: collects the tags that LibRaw reports into a small TIFF. Of
// DNG files also tags about the raw picture, which LibRaw leaves out, or simplifies.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class LibRaw;

namespace lacuna::raw {

// DNG 1.4
constexpr uint16_t noiseProfile = 51041, bitsPerSample = 258, compression = 259, sampleFormat = 339,
                   blackLevelDeltaH = 50715, blackLevelDeltaV = 50716, defaultCropOrigin = 50719,
                   defaultCropSize = 50720;

// The content of a tag, in the byte order of the written file: little endian.
struct TagValue {
  uint16_t type = 0;
  uint32_t count = 0;
  std::string bytes;
};

class ExifWriter {
 public:
  void listen(LibRaw& raw);  // before a file is opened

  // Takes the lens's name from makers' notes if Exif doesn't state it; "" if it isn't known.
  void nameLens(const std::string& name);
  // Exif data with this orientation and at most this many bytes; the longest values are left out.
  std::string tiff(uint16_t orientation, size_t mostBytes) const;
  // The numbers of a tag: of the first folder, as doubles, or of the raw picture's. None if it is missing.
  std::vector<double> doubles(uint16_t tag) const;
  std::vector<double> rawNumbers(uint16_t tag) const;

 private:
  static void onTag(void* self, int tag, int type, int count, unsigned order, void* file, long long base);
  void add(int tag, int type, int count, bool isLittle, void* file);

  using Folder = std::map<uint16_t, TagValue>;
  Folder main_, exif_, gps_;
  std::map<int, Folder> pictures_;  // of a DNG file
};

}  // namespace lacuna::raw
