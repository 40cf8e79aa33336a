#pragma once
// DNG files (Adobe, Digital Negative Specification 1.4), by libtiff.

#include "modules/codecs/codec.h"

struct tiff;

namespace lacuna::io {

void writeDng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);
// Whether all strips lie within the file. Throws FileError.
void checkDng(const std::string& path);

// Exif data into the folders of a file that is being written. Values for which libtiff has no tag are left
// out.
void putMainExif(tiff* file, std::span<const std::byte> exif);
// Write the folder of the camera's settings, and that of the place, after everything else, and return its
// offset; 0 if there is none, or it can't be written.
uint64_t putExifFolder(tiff* file, std::span<const std::byte> exif);
uint64_t putGpsFolder(tiff* file, std::span<const std::byte> exif);

}  // namespace lacuna::io
