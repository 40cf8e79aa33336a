#pragma once
// Inside modules/codecs: the interface of codecs, and their common functions.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string_view>

#include "modules/codecs/icc.h"
#include "modules/codecs/image_file.h"

namespace lacuna {
struct ImageInfo;
}

namespace lacuna::io {

// Data of PNG and JPEG files beside their pixels.
struct Density {
  enum class Unit { none, inch, centimetre, metre };  // the first three as JFIF numbers them
  uint32_t x = 1, y = 1;  // pixels for each unit; without a unit, the pixel's shape
  Unit unit = Unit::none;
  bool operator==(const Density&) const = default;
};

struct PngChunk {
  std::string name;  // "tEXt"
  std::vector<std::byte> data;
};

struct JpegSegment {
  int marker = 0;
  std::vector<std::byte> data;
};

struct Metadata {
  std::vector<std::byte> exif = {};  // TIFF
  std::string xmp = {};
  std::vector<std::string> comments = {};
  std::optional<Density> density = {};
  ColourDescription colour = {};
  std::vector<PngChunk> colourChunks = {};  // cICP, mDCV, cLLI, sRGB, gAMA, cHRM: unchanged
  // Data that only the same format can hold: chunks that are safe to copy, Photoshop's and IPTC's segments.
  std::vector<PngChunk> pngChunks = {};
  std::vector<JpegSegment> jpegSegments = {};
  std::vector<std::string> lost = {};   // what no written file keeps: "its animation"
  std::optional<int> orientation = {};  // where the format itself states it, before Exif
  // Of floats, which are delivered linear: the file's own statement. `colour` has what is delivered.
  std::optional<ColourDescription> stored = {};
  std::string curve = {};        // of floats: "PQ, 1 is 203 cd/m2"
  std::string compression = {};  // one of o-file's choices for formats that have several
  bool isLossless = true;
};

using PlaneTypes = std::map<std::string, ValueType>;

// A file's format of pixels.
struct StoredKind {
  int bits = 8;  // of a component; 16 of half floats
  bool isFloat = false;
  bool grey = false;   // one component, and perhaps alpha
  bool alpha = false;  // the image has alpha, or a transparent colour

  bool isWide() const { return bits > 8 && !isFloat; }  // read as 16 bits
  Format format() const;                                // of its components in memory
};

// The kind of pixels in the format's files, by which i-file and o-file choose their nodes.
enum class Holds {
  encoded,  // integers through a curve, with alpha
  opaque,   // the same without alpha: shown over black
  planes,   // colour as floats, multiplied by alpha, and other planes
  floats,   // colour as floats, multiplied by alpha, which is not written
  numbers,  // as they come
  mosaic,   // what a sensor delivers
};
std::string_view wordOf(Holds holds);

// A format of files. modules/README.md says how to add one.
struct Codec {
  const char* name;                          // "jpg": of modules/codecs/formats, and `format`'s value
  const char* label;                         // "JPEG"
  std::vector<std::string_view> extensions;  // ".jpg", ".jpeg", in lower case; the usual one first
  std::vector<std::string_view> readExtensions = {};  // other extensions that are read, and not written
  std::vector<std::string_view> signatures;  // possible first bytes of its files, 12 at most; '.' is any
  // Whether a file with this beginning is one; if null, it is.
  bool (*claims)(const std::string& path) = nullptr;
  Holds holds;
  std::vector<std::string_view> readingParameters = {};  // parameters of i-file that not all formats have
  std::vector<std::string_view> writingParameters = {};  // of o-file, likewise
  uint32_t largestSide = maximumSide;                    // that it can write
  int mostBits = 16;                                     // that it can write, of integers
  bool holdsGrey = true;                                 // or else grey is written as a colour
  bool holdsFloats = false;  // or else linear floats: read as `floats`, written as `planes` with the colour
  bool writesRows = false;   // write() calls WriteOptions::rows
  bool isPicture = true;     // false if files consist mostly of numbers

  PlaneTypes (*probe)(const std::string& path, const std::vector<std::string>& wanted,
                      const ReadOptions& options) = nullptr;
  void (*read)(const std::string& path, std::span<const PlaneTarget> targets,
               const ReadOptions& options) = nullptr;
  // `path` is the name for messages, `part` the file to write.
  void (*write)(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
                const WriteOptions& options);
  // What the header states. Throws FileError.
  StoredKind (*kind)(const std::string& path, const std::string& plane, const ReadOptions& options) = nullptr;
  // As stored in the file; null if it has neither a profile nor anything else that names colours.
  Metadata (*metadata)(const std::string& path, const ReadOptions& options) = nullptr;
  // Whether a file is complete, judged by its last bytes, or else by a function that throws FileError. If a
  // format has neither, probe() compares sizes.
  std::string_view end = {};
  void (*checkEnd)(const std::string& path) = nullptr;
  // All of ImageInfo except codec and format; if null, they come from `kind`, `probe` and `metadata`.
  void (*describe)(const std::string& path, const ReadOptions& options, ImageInfo& info) = nullptr;

  bool isEncoded() const { return holds == Holds::encoded || holds == Holds::opaque; }
  Holds holdsIn(bool isFloat) const { return holdsFloats && isFloat ? Holds::floats : holds; }
  bool hasExtension(std::string_view extension) const;
  bool reads(std::string_view extension) const;
};

std::span<const Codec* const> codecs();                      // of modules/codecs/formats, in its order
const Codec* codecOfWord(std::string_view name);             // null: none
const Codec* codecOfExtension(std::string_view extension);   // that writes it, or null
const Codec* readerOfExtension(std::string_view extension);  // null: none
const Codec& codecOfContent(const std::string& path);        // by its first bytes; throws FileError

// ".jpg" for "a/b.JPG", in lower case; "" if the name has none.
std::string extensionOf(const std::string& path);
std::string knownExtensions(bool picturesAlone = false);  // ".png, .jpg, ..."
std::string knownFormats();                               // "png, jpg, exr, pfm or npy"

// Whether a file that one of them has written is complete, by its header and its last bytes: pixels are not
// decoded. Throws FileError if it does not.
void checkWhole(const std::string& path);

// Whether a file begins like the codec's files. Throws FileError.
void checkSignature(const Codec& codec, const std::string& path);

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File openToRead(const std::string& path);                            // throws FileError
std::vector<std::byte> readWhole(const std::string& path);           // throws FileError
File openToWrite(const std::string& path, const std::string& part);  // throws FileError
// After a library could not write: by errno if the file is the cause, else in the library's own words.
[[noreturn]] void refuseToWrite(const std::string& path, const File& file, const char* text);
void closeWritten(File file, const std::string& path);  // throws FileError, e.g. when the disk is full
void writeWhole(const std::string& path, const std::string& part, std::span<const std::byte> bytes);

// A copy of a library's bytes, bytes as text, and as libraries take them.
inline std::vector<std::byte> bytesAt(const void* at, size_t count) {
  const auto* bytes = static_cast<const std::byte*>(at);
  return {bytes, bytes + count};
}
inline std::string asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline const uint8_t* asWords(const void* bytes) {
  return static_cast<const uint8_t*>(bytes);
}

// Throws FileError, or calls options.warn, with a text that begins with the file's name.
template <class... Values>
[[noreturn]] void refuse(const std::string& path, fmt::format_string<Values...> text, Values&&... values) {
  throw FileError(path + ": " + fmt::format(text, std::forward<Values>(values)...));
}
template <class Options, class... Values>
void warn(const Options& options, const std::string& path, fmt::format_string<Values...> text,
          Values&&... values) {
  if (options.warn)
    options.warn(path + ": " + fmt::format(text, std::forward<Values>(values)...));
}
template <class... Values>
[[noreturn]] void throwDamaged(const std::string& path, const char* label, fmt::format_string<Values...> text,
                               Values&&... values) {
  refuse(path, "damaged {} file: {}", label, fmt::format(text, std::forward<Values>(values)...));
}

uint64_t fileBytes(const std::string& path);  // 0 if it is unknown

// Refuses sizes of zero or above the limits. Throws FileError.
void checkSize(const std::string& path, uint64_t width, uint64_t height);

// Refuses files too short for these pixels in any encoding. Throws FileError.
void checkPromise(const std::string& path, const char* label, Extent extent, uint64_t pixelsPerByte);

// Every target must expect the type that is found.
void checkTarget(const std::string& path, const PlaneTarget& target, const ValueType& found);

// With the functions for reading by a class of readers, which read the header when they are made:
//   Reader(path, options); ValueType type(plane); void read(target); StoredKind kind(plane);
// and perhaps Metadata metadata(). type() is called before read(), and may complain of what the file states.
template <class Reader>
Codec readBy(Codec codec) {
  codec.probe = [](const std::string& path, const std::vector<std::string>& wanted,
                   const ReadOptions& options) {
    Reader reader(path, options);
    PlaneTypes types;
    for (const std::string& plane : wanted.empty() ? std::vector<std::string>{"output"} : wanted)
      types[plane] = reader.type(plane);
    return types;
  };
  codec.read = [](const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
    for (const PlaneTarget& target : targets) {
      Reader reader(path, options);
      checkTarget(path, target, reader.type(target.name));
      reader.read(target);
    }
  };
  codec.kind = [](const std::string& path, const std::string& plane, const ReadOptions& options) {
    return Reader(path, options).kind(plane);
  };
  if constexpr (requires(const Reader& reader) { reader.metadata(); })
    codec.metadata = [](const std::string& path, const ReadOptions& options) {
      return Reader(path, options).metadata();
    };
  return codec;
}

// The plane of a file that holds only one. Throws FileError if there are more, or its pixels are too few.
const NamedImage& onlyPlane(const std::string& path, const std::vector<NamedImage>& planes);
void checkPixels(const std::string& path, const NamedImage& plane);

NamedImage rowsOf(NamedImage image, uint32_t first, uint32_t end);
// Pictures are read and written in strips of so many rows.
constexpr uint32_t stripRows = 64;
}  // namespace lacuna::io
