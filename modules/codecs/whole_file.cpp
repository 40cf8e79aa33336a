#include <ImfHeader.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPartType.h>
#include <fmt/format.h>

#include <string_view>

#include "modules/codecs/codec.h"
#include "modules/codecs/file_format.h"

namespace lacuna::io {
namespace {

using namespace std::string_view_literals;

void checkEnd(const std::string& path, std::string_view expected) {
  const File file = openToRead(path);
  std::string end(expected.size(), '\0');
  if (std::fseek(file.get(), -static_cast<long>(end.size()), SEEK_END) != 0 ||
      std::fread(end.data(), 1, end.size(), file.get()) != end.size() || end != expected)
    throw FileError(fmt::format("{}: it breaks off", path));
}

// Each part's last row, as it is compressed.
void checkLastRows(const std::string& path) {
  try {
    Imf::MultiPartInputFile file(path.c_str(), 0);
    for (int i = 0; i < file.parts(); ++i) {
      if (!file.partComplete(i))
        throw FileError(fmt::format("{}: it breaks off", path));
      if (file.header(i).hasType() && file.header(i).type() != Imf::SCANLINEIMAGE)
        continue;
      Imf::InputPart part(file, i);
      const char* row = nullptr;
      int bytes = 0;
      part.rawPixelData(file.header(i).dataWindow().max.y, row, bytes);
    }
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

void checkWhole(const std::string& path) {
  const FileFormat& format = formatOfFile(path);
  if (format.codec == &pngCodec)
    checkEnd(path, "\0\0\0\0IEND\xae\x42\x60\x82"sv);
  else if (format.codec == &jpegCodec)
    checkEnd(path, "\xff\xd9"sv);
  else if (format.codec == &exrCodec)
    checkLastRows(path);
  else
    format.codec->probe(path, {"output"}, {});  // compares sizes
}

}  // namespace lacuna::io
