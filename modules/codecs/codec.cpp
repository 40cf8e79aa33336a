// The codec of a file by its name and its first and last bytes, from the table of codecs; common functions of
// codecs.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/files/memory_bound.h"
#include "graph/lists.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace io {
namespace {

using namespace std::string_view_literals;

// Recognised only for the message.
constexpr const char* heic = "HEIC";
constexpr std::pair<std::string_view, const char*> others[] = {
    {"GIF8", "GIF"},      {"BM", "BMP"},          {"RIFF", "RIFF"},
    {"....ftyphe", heic}, {"....ftypmif1", heic}, {"....ftypmsf1", heic},
};

bool begins(std::string_view start, std::string_view signature) {
  return start.size() >= signature.size() &&
         std::ranges::equal(signature, start.substr(0, signature.size()),
                            [](char expected, char found) { return expected == '.' || expected == found; });
}

struct FirstBytes {
  const Codec* codec = nullptr;
  const char* label = nullptr;  // null if it is not a known image file
};

FirstBytes firstBytesOf(const std::string& path) {
  const File file = openToRead(path);
  std::array<char, 12> head{};
  const std::string_view start(head.data(), std::fread(head.data(), 1, head.size(), file.get()));
  for (const Codec* codec : codecs())
    for (const std::string_view signature : codec->signatures)
      if (begins(start, signature) && (codec->claims == nullptr || codec->claims(path)))
        return {codec, codec->label};
  for (const auto& [signature, label] : others)
    if (begins(start, signature))
      return {nullptr, label};
  return {};
}

std::string alternatives(const char* Codec::*name) {
  std::vector<std::string> names;
  for (const Codec* codec : codecs())
    names.emplace_back(codec->*name);
  return joinChoices(names);
}

template <class Fits>
const Codec* firstOf(const Fits& fits) {
  const auto found = std::ranges::find_if(codecs(), [&](const Codec* codec) { return fits(*codec); });
  return found == codecs().end() ? nullptr : *found;
}

void checkLastBytes(const std::string& path, std::string_view expected) {
  const File file = openToRead(path);
  std::string end(expected.size(), '\0');
  if (std::fseek(file.get(), -static_cast<long>(end.size()), SEEK_END) != 0 ||
      std::fread(end.data(), 1, end.size(), file.get()) != end.size() || end != expected)
    refuse(path, "it breaks off");
}

}  // namespace

std::string_view wordOf(Holds holds) {
  constexpr std::string_view words[] = {"encoded", "opaque", "planes", "floats", "numbers", "mosaic"};
  return words[static_cast<size_t>(holds)];
}

Format StoredKind::format() const {
  return isFloat ? (bits > 16 ? Format::f32 : Format::f16) : bits > 8 ? Format::u16 : Format::u8;
}

bool Codec::hasExtension(std::string_view extension) const {
  return contains(extensions, extension);
}

bool Codec::reads(std::string_view extension) const {
  return hasExtension(extension) || contains(readExtensions, extension);
}

const Codec* codecOfWord(std::string_view name) {
  return firstOf([&](const Codec& codec) { return name == codec.name; });
}

const Codec* codecOfExtension(std::string_view extension) {
  return firstOf([&](const Codec& codec) { return codec.hasExtension(extension); });
}

const Codec* readerOfExtension(std::string_view extension) {
  return firstOf([&](const Codec& codec) { return codec.reads(extension); });
}

const Codec& codecOfContent(const std::string& path) {
  const FirstBytes found = firstBytesOf(path);
  const Codec* named = readerOfExtension(extensionOf(path));
  if (!found.codec && named && named->claims)
    refuse(path, "no {} that is known, or a damaged one", named->label);
  if (!found.label)
    refuse(path, "its first bytes are not those of a known image file");
  if (!found.codec)
    refuse(path, "this is a {} file; expected {}: convert it first, for example to a PNG of 16 bit{}",
           found.label, alternatives(&Codec::label),
           found.label == heic ? ", or read it by i-heic in a graph, which needs libheif and a build with "
                                 "-DLACUNA_HEIC=ON (modules/heic/README.md)"
                               : "");
  return *found.codec;
}

void checkSignature(const Codec& codec, const std::string& path) {
  const FirstBytes found = firstBytesOf(path);
  if (found.codec == &codec)
    return;
  throw FileError(
      found.label ? fmt::format("{}: expected {}, but this is a {} file{}", path, codec.label, found.label,
                                found.codec ? "; i-file reads all formats" : "")
                  : fmt::format("{}: expected {}, but its first bytes are not those of a known image file",
                                path, codec.label));
}

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string knownExtensions(bool picturesAlone) {
  std::vector<std::string_view> all;
  for (const Codec* codec : codecs())
    if (codec->isPicture || !picturesAlone)
      all.insert(all.end(), codec->extensions.begin(), codec->extensions.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string knownFormats() {
  return alternatives(&Codec::name);
}

void checkWhole(const std::string& path) {
  const Codec& codec = codecOfContent(path);
  if (codec.checkEnd)
    codec.checkEnd(path);
  else if (!codec.end.empty())
    checkLastBytes(path, codec.end);
  else
    codec.probe(path, {"output"}, {});
}

File openToRead(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    refuse(path, "can't be read: {}", std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    refuse(path, "expected a file, but this is a folder");
  if (!S_ISREG(status.st_mode))
    refuse(path, "expected a regular file");
  if (status.st_size == 0)
    refuse(path, "the file is empty");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    refuse(path, "can't be read: {}", std::strerror(errno));
  return file;
}

std::vector<std::byte> readWhole(const std::string& path) {
  const File file = openToRead(path);
  const uint64_t bytes = fileBytes(path);
  checkMemory(path, bytes);
  std::vector<std::byte> whole(bytes);
  if (std::fread(whole.data(), 1, whole.size(), file.get()) != whole.size())
    refuse(path, "can't be read: {}", std::strerror(errno));
  return whole;
}

File openToWrite(const std::string& path, const std::string& part) {
  File file(std::fopen(part.c_str(), "w+b"));  // libtiff reads what it wrote
  if (!file)
    refuse(path, "can't be written: {}", std::strerror(errno));
  return file;
}

void refuseToWrite(const std::string& path, const File& file, const char* text) {
  const int number = errno;
  refuse(path, "can't be written: {}",
         std::ferror(file.get()) != 0 && number != 0 ? std::strerror(number) : text);
}

void closeWritten(File file, const std::string& path) {
  const bool damaged = std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0;
  const int reason = errno;
  if (std::fclose(file.release()) != 0 || damaged)
    refuse(path, "can't be written: {}", std::strerror(damaged ? reason : errno));
}

void writeWhole(const std::string& path, const std::string& part, std::span<const std::byte> bytes) {
  File file = openToWrite(path, part);
  std::fwrite(bytes.data(), 1, bytes.size(), file.get());  // closeWritten reports what can't be written
  closeWritten(std::move(file), path);
}

uint64_t fileBytes(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

void checkSize(const std::string& path, uint64_t width, uint64_t height) {
  if (width == 0 || height == 0)
    refuse(path, "the image has no pixels ({} x {})", width, height);
  if (width > maximumSide || height > maximumSide)
    refuse(path, "{} x {} pixels, but a side may have {} at most", width, height, maximumSide);
  if (width * height > maximumPixels)
    refuse(path, "{} x {} pixels are {}, but an image may have {} at most", width, height, width * height,
           maximumPixels);
}

void checkPromise(const std::string& path, const char* label, Extent extent, uint64_t pixelsPerByte) {
  if (pixelCount(extent) / pixelsPerByte > fileBytes(path))
    throwDamaged(path, label, "it is too short for {} x {} pixels", extent.width, extent.height);
}

void checkTarget(const std::string& path, const PlaneTarget& target, const ValueType& found) {
  const Extent had = target.expected.extent, has = found.extent;
  if (!(had == has))
    refuse(path,
           "{} x {} pixels, but the first file that was read had {} x {}; all frames must be of one size",
           has.width, has.height, had.width, had.height);
  if (!(target.expected == found))
    refuse(path, "'{}' is {}, but was {} in the first file that was read", target.name, print(found),
           print(target.expected));
  if (target.destination.size() < byteSize(found))
    refuse(path, "'{}' needs {} bytes of memory, but there are {}", target.name, byteSize(found),
           target.destination.size());
}

void checkPixels(const std::string& path, const NamedImage& plane) {
  checkSize(path, plane.type.extent.width, plane.type.extent.height);
  if (plane.pixels.size() < byteSize(plane.type))
    refuse(path, "'{}' has {} bytes of pixels, but {} needs {}", plane.name, plane.pixels.size(),
           print(plane.type), byteSize(plane.type));
}

NamedImage rowsOf(NamedImage image, uint32_t first, uint32_t end) {
  const size_t rowBytes = byteSize(image.type) / image.type.extent.height;
  image.type.extent.height = end - first;
  image.pixels = image.pixels.subspan(first * rowBytes, (end - first) * rowBytes);
  return image;
}

const NamedImage& onlyPlane(const std::string& path, const std::vector<NamedImage>& planes) {
  if (planes.size() != 1)
    refuse(path, "such a file holds one image, not {}", planes.size());
  checkPixels(path, planes.front());
  return planes.front();
}

}  // namespace io

std::string codecOfFile(const std::string& path) {
  return io::codecOfContent(path).name;
}

bool isImageFile(const std::string& path) {
  try {
    io::codecOfContent(path);
    return true;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace lacuna
