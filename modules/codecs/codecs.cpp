// The codec of a file by its name and its first and last bytes, from the table of codecs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "graph/lists.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace io {
namespace {

using namespace std::string_view_literals;

// Recognised only for the message.
constexpr std::pair<std::string_view, const char*> others[] = {
    {"GIF8"sv, "GIF"},   {"BM"sv, "BMP"},     {"RIFF"sv, "RIFF (WebP?)"},
    {"II*\0"sv, "TIFF"}, {"MM\0*"sv, "TIFF"}, {"#?"sv, "Radiance HDR"},
};

struct FirstBytes {
  const Codec* codec = nullptr;
  const char* label = nullptr;  // null if it is not a known image file
};

FirstBytes firstBytesOf(const std::string& path) {
  const File file = openToRead(path);
  std::array<char, 8> head{};
  const std::string_view start(head.data(), std::fread(head.data(), 1, head.size(), file.get()));
  for (const Codec* codec : codecs())
    for (const std::string_view signature : codec->signatures)
      if (start.starts_with(signature) && (codec->claims == nullptr || codec->claims(path)))
        return {codec, codec->label};
  for (const auto& [signature, label] : others)
    if (start.starts_with(signature))
      return {nullptr, label};
  return {};
}

// "PNG, JPEG or NumPy"
std::string alternatives(const char* Codec::*name) {
  std::string text;
  for (const Codec* codec : codecs())
    text += (text.empty() ? "" : codec == codecs().back() ? " or " : ", ") + std::string(codec->*name);
  return text;
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

bool Codec::hasExtension(std::string_view extension) const {
  return contains(extensions, extension);
}

bool Codec::reads(std::string_view extension) const {
  return hasExtension(extension) || contains(readExtensions, extension);
}

const Codec* codecOfWord(std::string_view name) {
  for (const Codec* codec : codecs())
    if (name == codec->name)
      return codec;
  return nullptr;
}

const Codec* codecOfExtension(std::string_view extension) {
  for (const Codec* codec : codecs())
    if (codec->hasExtension(extension))
      return codec;
  return nullptr;
}

const Codec* readerOfExtension(std::string_view extension) {
  for (const Codec* codec : codecs())
    if (codec->reads(extension))
      return codec;
  return nullptr;
}

const Codec& codecOfContent(const std::string& path) {
  const FirstBytes found = firstBytesOf(path);
  const Codec* named = readerOfExtension(extensionOf(path));
  if (!found.codec && named && named->claims)
    refuse(path, "no {} that is known, or a damaged one", named->label);
  if (!found.label)
    refuse(path, "its first bytes are not those of a known image file");
  if (!found.codec)
    refuse(path, "this is a {} file; expected {}: convert it first, for example to a PNG of 16 bit",
           found.label, alternatives(&Codec::label));
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
