#include "modules/codecs/file_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

namespace lacuna::io {

bool FileFormat::has(std::string_view extension) const {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::span<const FileFormat> fileFormats() {
  static const FileFormat formats[] = {
      {"png", "PNG", &pngCodec, "o-png", {".png"}},
      {"jpg", "JPEG", &jpegCodec, "o-jpg", {".jpg", ".jpeg", ".jpe", ".jfif"}},
      {"exr", "OpenEXR", &exrCodec, "o-exr", {".exr"}, true},
      {"pfm", "PFM", &pfmCodec, "o-pfm", {".pfm"}},
      {"npy", "NumPy", &npyCodec, "o-npy", {".npy"}},
  };
  return formats;
}

const FileFormat* formatOfWord(std::string_view word) {
  for (const FileFormat& format : fileFormats())
    if (word == format.word)
      return &format;
  return nullptr;
}

const FileFormat* formatOfExtension(std::string_view extension) {
  for (const FileFormat& format : fileFormats())
    if (format.has(extension))
      return &format;
  return nullptr;
}

const FileFormat& formatOfFile(const std::string& path) {
  const std::string codec = codecOfFile(path);
  for (const FileFormat& format : fileFormats())
    if (codec == format.codec->name)
      return format;
  throw std::logic_error(fmt::format("no format has the codec '{}'", codec));
}

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string knownExtensions() {
  std::vector<std::string_view> all;
  for (const FileFormat& format : fileFormats())
    all.insert(all.end(), format.extensions.begin(), format.extensions.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace lacuna::io
