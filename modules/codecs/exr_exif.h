#pragma once
// Exif data as attributes of an OpenEXR file. Inside modules/codecs.

#include <ImfHeader.h>

#include <cstddef>
#include <span>

namespace lacuna::io {

// By OpenImageIO's names and types: Make, expTime, aperture, Exif:FocalLength, GPS:Latitude. Makers' notes
// and other bytes without a meaning are left out.
void addExif(Imf::Header& header, std::span<const std::byte> exif);

}  // namespace lacuna::io
