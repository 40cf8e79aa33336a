#pragma once
// libjpeg-turbo through its libjpeg interface. Errors come by longjmp: functions that call setjmp have no
// locals with destructors, and what they change lives in a struct of their caller.

#include <array>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include "graph/io/codec.h"

namespace lacuna::io {

// First member: libjpeg's own, so that its pointer is one to this.
struct JpegErrors {
  jpeg_error_mgr manager{};
  std::jmp_buf escape;
  std::array<char, JMSG_LENGTH_MAX> text{};
};

// Makes what libjpeg reports a longjmp to `escape`, with the reason in `text`.
jpeg_error_mgr* prepare(JpegErrors& errors);

void writeJpeg(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options);

}  // namespace lacuna::io
