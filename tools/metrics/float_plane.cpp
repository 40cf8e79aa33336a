#include "tools/metrics/float_plane.h"

#include <fmt/format.h>

#include <cstring>

#include "modules/codecs/half_float.h"
#include "modules/codecs/image_info.h"

namespace lacuna {

FloatPlane readFloats(const std::string& path, const std::string& plane, const ReadOptions& options) {
  const std::string codec = codecOfFile(path);
  const ValueType type = probeImage(codec, path, {plane}, options).at(plane);
  if (type.format != Format::f16 && type.format != Format::f32)
    throw FileError(fmt::format("{}: its numbers are {}; expected f16 or f32", path, name(type.format)));
  std::vector<std::byte> bytes(byteSize(type));
  readImage(codec, path, plane, type, bytes, options);
  const size_t wordBytes = type.format == Format::f16 ? 2 : 4;
  FloatPlane floats{bytesPerPixel(type.channels, type.format) / wordBytes, type.extent, {}};
  floats.values.resize(bytes.size() / wordBytes);
  for (size_t i = 0; i < floats.values.size(); ++i) {
    if (type.format == Format::f16) {
      uint16_t bits = 0;
      std::memcpy(&bits, bytes.data() + 2 * i, 2);
      half value;
      value.setBits(bits);
      floats.values[i] = value;
    } else {
      std::memcpy(&floats.values[i], bytes.data() + 4 * i, 4);
    }
  }
  return floats;
}

}  // namespace lacuna
