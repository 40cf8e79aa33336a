#include <fmt/format.h>

#include <array>
#include <string_view>

#include "modules/codecs/codec.h"
#include "modules/codecs/file_format.h"

namespace lacuna {
namespace {

struct Signature {
  std::string_view bytes;
  const char* label;
  const char* codec;  // empty: recognised for the message alone
};

using namespace std::string_view_literals;
constexpr Signature signatures[] = {
    {"\x89PNG\r\n\x1a\n"sv, "PNG", "png"},
    {"\xff\xd8\xff"sv, "JPEG", "jpeg"},
    {"\x76\x2f\x31\x01"sv, "OpenEXR", "exr"},
    {"\x93NUMPY"sv, "NumPy", "npy"},
    {"PF"sv, "PFM", "pfm"},
    {"Pf"sv, "PFM", "pfm"},
    {"GIF8"sv, "GIF", ""},
    {"BM"sv, "BMP", ""},
    {"RIFF"sv, "RIFF (WebP?)", ""},
    {"II*\0"sv, "TIFF or raw photograph", ""},
    {"MM\0*"sv, "TIFF or raw photograph", ""},
    {"#?"sv, "Radiance HDR", ""},
    {"P5"sv, "PGM", ""},
    {"P6"sv, "PPM", ""},
};

const char* labelOf(std::string_view codec) {
  for (const Signature& signature : signatures)
    if (codec == signature.codec)
      return signature.label;
  return "";
}

const Signature* signatureOf(const std::string& path) {
  const io::File file = io::openToRead(path);
  std::array<char, 8> head{};
  const size_t count = std::fread(head.data(), 1, head.size(), file.get());
  const std::string_view start(head.data(), count);
  for (const Signature& signature : signatures)
    if (start.substr(0, signature.bytes.size()) == signature.bytes)
      return &signature;
  return nullptr;
}

}  // namespace

void io::checkSignature(const Codec& codec, const std::string& path) {
  const Signature* found = signatureOf(path);
  if (found && std::string_view(found->codec) == codec.name)
    return;
  if (!found)
    throw FileError(fmt::format("{}: expected {}, but its first bytes are those of no known image file", path,
                                labelOf(codec.name)));
  std::string reader;
  for (const FileFormat& format : fileFormats())
    if (std::string_view(format.codec->name) == found->codec)
      reader = fmt::format("; i-{} reads it, i-file reads all formats", format.word);
  throw FileError(fmt::format("{}: expected {}, but this is a {} file{}", path, labelOf(codec.name),
                              found->label, reader));
}

std::string formatOfCodec(std::string_view codec) {
  return labelOf(codec);
}

bool isImageFile(const std::string& path) {
  try {
    return !codecOfFile(path).empty();
  } catch (const FileError&) {
    return false;
  }
}

std::string codecOfFile(const std::string& path) {
  const Signature* found = signatureOf(path);
  if (!found)
    throw FileError(fmt::format("{}: its first bytes are those of no known image file", path));
  if (*found->codec == '\0')
    throw FileError(fmt::format(
        "{}: this is a {} file; expected PNG, JPEG, PFM, OpenEXR or NumPy: convert it first, to a "
        "PNG of 16 bit, say",
        path, found->label));
  return found->codec;
}

}  // namespace lacuna
