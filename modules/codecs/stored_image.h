#pragma once
// From a decoder's rows of 8 or 16 bit, or floats, to the image in memory: colours by the file's profile,
// turned upright.

#include <functional>

#include "graph/lists.h"

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"

namespace lacuna::io {

// All facts in a header: pixels are rgba words of `wordBytes`.
struct StoredHeader {
  // wholePixelBytes: of a decoder that makes all rows at once, besides them.
  StoredHeader(Extent size, const StoredKind& kind, uint64_t wholePixelBytes = 0);

  Extent extent;
  uint32_t wordBytes;
  bool isFloat;             // halves or floats, which become linear light
  bool isStraight = false;  // floats are still to be multiplied by alpha
  bool inStrips;            // false if the decoder makes all rows at once
  uint64_t decoderBytes;    // the decoder's memory for the whole picture, besides its rows
  Orientation orientation = 1;
  ColourDescription colour;
};

class StoredImage {
 public:
  // Calls options.warn for a profile that isn't used. Throws FileError for sizes beyond the limits, for
  // images that take more than readMemory() to decode, and for CMYK.
  StoredImage(const std::string& path, StoredHeader header, const ReadOptions& options);

  uint32_t wordBytes() const { return header_.wordBytes; }
  ValueType type() const;  // rgba; u8, u16, f16 or f32

  // Calls readRows(memory, count) until all rows are read: directly into `destination` if they need no
  // conversion. They pass by options.rows if they are decoded and delivered in this order. Needs:
  // destination holds type().
  using ReadRows = std::function<void(std::byte* rows, uint32_t count)>;
  void deliver(std::span<std::byte> destination, const ReadRows& readRows) const;

 private:
  bool isPlain() const { return header_.orientation == 1 && !colour_.transform; }
  uint32_t rowsAtOnce() const;

  StoredHeader header_;
  ColourReading colour_;
  OnRows rows_;
};

// What the readers of encoded pictures share.
class StoredReader : NoCopy {
 protected:
  StoredReader(const std::string& path, const ReadOptions& options) : path_(path), options_(options) {}

  // Upright, with the colours that the file states. Calls options.warn for what can't be understood.
  ValueType open(StoredHeader header, const Metadata& stated);

  const std::string& path_;
  const ReadOptions& options_;
  std::optional<StoredImage> image_;
};

// Colours by code points (H.273) as files of videos state them: unstated ones count as sRGB, curves of
// BT.709 as what they are, and light beyond white is delivered linear.
constexpr int unstatedCode = 2;
void describeCodes(int primaries, int transfer, Metadata& metadata);

// Floats are delivered linear; metadata.colour is what the file states.
void deliverLinear(Metadata& metadata);

}  // namespace lacuna::io
