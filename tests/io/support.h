#pragma once
// Common parts of the tests of image files: random images, and bytes of files.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "modules/codecs/image_file.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"

namespace lacuna::test {

namespace fs = std::filesystem;

inline std::vector<std::byte> randomBytes(size_t count, std::mt19937_64& random = testRandom()) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>(random() & 0xffU);
  return bytes;
}

// Finite halves or floats of both signs and many magnitudes; the unused fourth of three components is 0.
inline std::vector<std::byte> randomPixels(const ValueType& type, std::mt19937_64& random = testRandom()) {
  std::vector<std::byte> bytes = randomBytes(byteSize(type), random);
  const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const size_t size = type.format == Format::f16 || type.format == Format::u16 ? 2
                      : type.format == Format::u8                              ? 1
                                                                               : 4;
  for (size_t at = 0; at < bytes.size(); at += size) {
    if (type.format == Format::f16 && (bytes[at + 1] & std::byte{0x7c}) == std::byte{0x7c})
      bytes[at + 1] &= std::byte{0xbf};
    if (type.format == Format::f32)
      bytes[at + 3] &= std::byte{0xbf};
    const bool unused = componentCount(type.channels) == 3 && at % pixelBytes / size == 3;
    if (unused)
      std::memset(bytes.data() + at, 0, size);
  }
  return bytes;
}

inline std::vector<std::byte> readPlane(const std::string& codec, const std::string& path,
                                        const std::string& plane) {
  const ValueType type = probeImage(codec, path, {plane}).at(plane);
  std::vector<std::byte> pixels(byteSize(type), std::byte{0xee});
  readImage(codec, path, plane, type, pixels);
  return pixels;
}

inline std::vector<float> asFloats(const std::vector<std::byte>& bytes) {
  std::vector<float> floats(bytes.size() / 4);
  std::memcpy(floats.data(), bytes.data(), floats.size() * 4);
  return floats;
}

// The error's text, or "" if nothing is thrown.
template <class Work>
std::string errorOf(Work work) {
  try {
    work();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

inline std::string probeError(const std::string& codec, const std::string& path,
                              const std::string& plane = "output") {
  return errorOf([&] { probeImage(codec, path, {plane}); });
}

}  // namespace lacuna::test
