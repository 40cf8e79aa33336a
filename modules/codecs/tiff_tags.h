#pragma once
// libtiff for TIFF and DNG files: opening them, and Exif data in their folders; compressions of TIFF files.

#include <tiffio.h>

#include "modules/codecs/codec.h"

namespace lacuna::io {

struct CloseTiff {
  void operator()(TIFF* file) const { TIFFClose(file); }
};
using TiffFile = std::unique_ptr<TIFF, CloseTiff>;

// libtiff's first messages. They live as long as the file is open.
struct TiffMessages {
  std::string error, warning;
};

// `path`: for messages. `mode`: as libtiff's. Null if libtiff refuses it; `messages` then has the reason.
TiffFile openTiff(const std::string& path, const File& file, const char* mode, TiffMessages& messages);

// Writes and closes a file. `put` returns false if libtiff can't; libtiff's messages or errno say why. Throws
// FileError.
void writeTiffFile(const std::string& path, const std::string& part, const char* mode,
                   const std::function<bool(TIFF*)>& put);

// Author, device and time of Exif data, as tags of the picture. Values without a tag in libtiff are omitted.
void putMainExif(TIFF* file, std::span<const std::byte> exif);

// Writes the picture's tags, and behind them Exif's folders of the camera and the place. False if it can't.
bool writeTiffFolders(TIFF* file, std::span<const std::byte> exif);

// A tag of a folder as it is stored.
struct TiffEntry {
  uint16_t tag = 0, type = 0;
  uint64_t count = 0;
  std::vector<std::byte> bytes;  // in the file's order; empty if they are too many or not there
  bool isCut = false;            // they lie behind the file's end
};

// The folders of a TIFF or BigTIFF file, read without libtiff, which only has the tags that it knows
// and moves the file's place.
class TiffFolders {
 public:
  explicit TiffFolders(const File& file);  // reads the head; damaged files have no entries

  bool isBig() const { return isBig_; }
  uint64_t first() const { return first_; }
  std::vector<TiffEntry> entries(uint64_t folder) const;
  // The first whole number of an entry; 0 if there is none.
  uint64_t number(const std::vector<TiffEntry>& entries, uint16_t tag) const;
  // Exif data of their own: what the picture's folder says of author, device, time and place, and the folders
  // for these. Without makers' notes, whose places in the file are lost.
  std::vector<std::byte> exif(uint64_t folder) const;

 private:
  uint64_t numberAt(const std::byte* at, size_t bytes) const;

  int file_;
  bool isLittle_ = true, isBig_ = false;
  uint64_t first_ = 0;
};

// The choice of `tiff_compression` that a file of this compression is written with; empty if it isn't read.
std::string tiffCompressionName(uint16_t compression);

struct KeptPicture;
void writeTiff(const KeptPicture& picture, const std::string& part);

}  // namespace lacuna::io
