#include "modules/codecs/codec.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lacuna::io {

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

void throwDamaged(const std::string& path, std::string_view label, std::string_view what) {
  refuse(path, "damaged {} file: {}", label, what);
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

void checkPromise(const std::string& path, std::string_view label, Extent extent, uint64_t pixelsPerByte) {
  if (pixelCount(extent) / pixelsPerByte > fileBytes(path))
    throwDamaged(path, label, fmt::format("it is too short for {} x {} pixels", extent.width, extent.height));
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

}  // namespace lacuna::io
