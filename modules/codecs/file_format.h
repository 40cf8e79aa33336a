#pragma once
// The formats of files: what their names end with, and who writes them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "modules/codecs/codec.h"

namespace lacuna::io {

struct FileFormat {
  const char* word;   // "jpg": as a value of the parameter `format`
  const char* label;  // "JPEG"
  const Codec* codec;
  const char* sink;                          // the module that writes it
  std::vector<std::string_view> extensions;  // ".jpg", ".jpeg", in lower case
  bool hasPlanes = false;                    // it holds more than one image

  bool has(std::string_view extension) const;
};

std::span<const FileFormat> fileFormats();
const FileFormat* formatOfWord(std::string_view word);            // null: none
const FileFormat* formatOfExtension(std::string_view extension);  // null: none
const FileFormat& formatOfFile(const std::string& path);          // by its first bytes; throws FileError

// ".jpg" of "a/b.JPG", in lower case; "" where the name has none.
std::string extensionOf(const std::string& path);
std::string knownExtensions();  // ".png, .jpg, ..."

}  // namespace lacuna::io
