#pragma once
// What lacuna-raw finds out with LibRaw. Exif data of a raw photograph of any format: the tags that LibRaw
// reports, collected into a small TIFF. Of DNG files also tags about the raw picture, which LibRaw leaves
// out, or simplifies. The visible pixels, and their meaning.

#include <libraw/libraw.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lacuna::raw {

// DNG 1.4
constexpr uint16_t noiseProfile = 51041, bitsPerSample = 258, compression = 259, sampleFormat = 339,
                   blackLevelDeltaH = 50715, blackLevelDeltaV = 50716, defaultCropOrigin = 50719,
                   defaultCropSize = 50720, opcodeList2 = 51009;

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
  std::string rawBytes(uint16_t tag) const;

 private:
  const std::map<uint16_t, TagValue>* rawPicture() const;
  static void onTag(void* self, int tag, int type, int count, unsigned order, void* file, long long base);
  void add(int tag, int type, int count, bool isLittle, void* file);

  using Folder = std::map<uint16_t, TagValue>;
  Folder main_, exif_, gps_;
  std::map<int, Folder> pictures_;  // of a DNG file
};

// The part of the stored pixels without masked borders, and without what the camera leaves out of its
// pictures.
struct Visible {
  uint32_t left = 0, top = 0, width = 0, height = 0;
  uint32_t cropLeft = 0, cropTop = 0;  // the same place, from LibRaw's first visible pixel
};

// A DNG file of colours, three numbers a pixel.
bool isDemosaiced(const libraw_data_t& data);

// Why a file is not read; "" if it is.
std::string refusal(const libraw_data_t& data);

// Why LibRaw can't read a DNG file's pixels, or takes them for others; "" if it can.
std::string dngRefusal(const ExifWriter& tags);

// How a DNG file's numbers become light, from 0 at black to 1 at white.
struct Mapping {
  uint32_t firstPlane = 0, planes = 0;
  std::vector<double> coefficients;  // of a polynomial, or
  std::vector<double> table;
  double operator()(double x) const;
};

// Those of all pixels, of a picture of this size.
std::vector<Mapping> mappingsOf(const ExifWriter& tags, uint32_t width, uint32_t height);

Visible visibleOf(const libraw_data_t& data, const ExifWriter& tags);
// Colours of 6x6 pixels, as in RawMessage.
void setLetters(LibRaw& raw, const Visible& visible, uint8_t* letters);
void setBlack(LibRaw& raw, const Visible& visible, float* black);

}  // namespace lacuna::raw
