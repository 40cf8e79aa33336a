#pragma once
// libjpeg-turbo through its libjpeg interface. Errors come by longjmp: functions that call setjmp have no
// locals with destructors, and what they change lives in a struct of their caller.

#include <array>
#include <csetjmp>
#include <string_view>

#include <jpeglib.h>

#include "modules/codecs/codec.h"

namespace lacuna::io {

constexpr int exifMarker = JPEG_APP0 + 1, iccMarker = JPEG_APP0 + 2, boxMarker = JPEG_APP0 + 11,
              photoshopMarker = JPEG_APP0 + 13;
// The first bytes of exifMarker's segments.
constexpr std::string_view exifSignature("Exif\0\0", 6);
constexpr std::string_view xmpSignature("http://ns.adobe.com/xap/1.0/\0", 29);

// The first member is libjpeg's own, so that its pointer also points to this.
struct JpegErrors {
  jpeg_error_mgr manager{};
  std::jmp_buf escape;
  std::array<char, JMSG_LENGTH_MAX> text{};
};

// Makes what libjpeg reports a longjmp to `escape`, with the reason in `text`.
jpeg_error_mgr* prepare(JpegErrors& errors);

extern const Codec jpgCodec;

void writeJpeg(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options);

}  // namespace lacuna::io
