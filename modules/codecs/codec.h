#pragma once
// Inside modules/codecs: what a codec is, and what all of them need.

#include <cstdio>
#include <memory>

#include "modules/codecs/image_file.h"
#include "modules/codecs/metadata.h"

namespace lacuna::io {

using PlaneTypes = std::map<std::string, ValueType>;

// How a file stores a picture.
struct StoredKind {
  int bits = 8;  // of a component; 16 of half floats
  bool isFloat = false;
  bool grey = false;   // one component, and perhaps alpha
  bool alpha = false;  // it has alpha, or a colour that is transparent
};

struct Codec {
  const char* name;
  PlaneTypes (*probe)(const std::string& path, const std::vector<std::string>& wanted,
                      const ReadOptions& options);
  void (*read)(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options);
  // `path` is the name for messages, `part` the file to write.
  void (*write)(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
                const WriteOptions& options);
  // From the header. Throws FileError.
  StoredKind (*kind)(const std::string& path, const std::string& plane, const ReadOptions& options);
  Metadata (*metadata)(const std::string& path) = nullptr;  // as it stands in the file; null: it has none
};

// Whether a file that one of them has written goes on to its end, by its header and its last bytes: pixels
// are not decoded. Throws FileError where it does not.
void checkWhole(const std::string& path);

// Whether a file begins as the codec's files do. Throws FileError.
void checkSignature(const Codec& codec, const std::string& path);

extern const Codec pngCodec, jpegCodec, pfmCodec, exrCodec, npyCodec;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File openToRead(const std::string& path);                            // throws FileError
File openToWrite(const std::string& path, const std::string& part);  // throws FileError
// Why a library could not write: by `number`, errno then, where the file is to blame; else in its own words.
std::string writeMistake(const File& file, int number, const char* text);
void closeWritten(File file, const std::string& path);  // throws FileError, e.g. when the disk is full

uint64_t fileBytes(const std::string& path);  // 0 where that can't be told

// Refuses sizes of zero or above the limits. Throws FileError.
void checkSize(const std::string& path, uint64_t width, uint64_t height);

// For codecs of one image: its type under every wanted name, and the same type expected of every target.
PlaneTypes singlePlane(const ValueType& type, const std::vector<std::string>& wanted);
void checkTarget(const std::string& path, const PlaneTarget& target, const ValueType& found);

// The one plane of a file that holds one. Throws FileError if there are more, or its pixels are too few.
const NamedImage& onlyPlane(const std::string& path, const std::vector<NamedImage>& planes);
void checkPixels(const std::string& path, const NamedImage& plane);

}  // namespace lacuna::io
