#pragma once
// Files of a header, then rows of numbers: PFM, NumPy, PNM. Inside modules/codecs.

#include <functional>

#include "modules/codecs/codec.h"

namespace lacuna::io {

// How the pixels of an image lie in a file.
struct RowLayout {
  Extent extent;
  Format format = Format::f32;  // of its numbers
  uint32_t components = 1;      // numbers a pixel
  bool bigEndian = false;
  bool fromBottom = false;  // begins with the last row
  uint64_t firstByte = 0;   // of the first row; needed where it is fromBottom

  size_t rowBytes() const;
};
size_t bytesOf(Format format);
bool isFloat(Format format);        // of a number
uint32_t bitsOfOne(Format format);  // likewise; of integers, the largest
// These components of a row's pixels, of so many bytes each, without those between.
void packRow(const std::byte* pixels, size_t pixelBytes, size_t bytes, const std::vector<size_t>& components,
             std::span<std::byte> row);

// The next word of a header, and the one character of white space after it: pixels may start with any byte.
// `comments`: from # to the end of their line.
std::string nextWord(std::FILE* file, bool comments = false);
// The same as a number in a range; `what` it is. Throws FileError.
uint64_t nextNumber(std::FILE* file, const std::string& path, const char* label, const char* what,
                    uint64_t least, uint64_t most, bool comments = false);
constexpr uint64_t anySide = 999'999'999;  // checkSize() has the better message

// Reads a file of `label` ("PFM") from its first row on. If isFilled, pixels are rgba: grey counts three
// times, and alpha is the last of an even number of components, else 1; otherwise they have the file's first
// components. `next` reads a row's numbers as they are in memory; without it, they are copied.
using NextRow = std::function<void(std::span<std::byte> numbers)>;
void readRows(const std::string& path, const char* label, std::FILE* file, const RowLayout& layout,
              bool isFilled, const PlaneTarget& target, const OnRows& rows, const NextRow& next = {});

// Writes a file of this header and these components of the pixels, halves perhaps as floats. In rows, it
// reports by rows(0) if `holds` is false for some of them. Throws FileError.
void writeRows(const std::string& path, const std::string& part, const std::string& header,
               const NamedImage& image, const RowLayout& layout, const std::vector<size_t>& components,
               const OnRows& rows = {}, const std::function<bool(const NamedImage& strip)>& holds = {});

// The header of NumPy's .npy files, versions 1.0, 2.0 and 3.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
struct NpyHeader {
  std::string elements;       // NumPy's word for the type: "<f4"
  bool columnsFirst = false;  // fortran_order
  std::vector<uint64_t> shape;
};

// The text between a file's length field and its pixels, a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Throws FileError, which names `path`
// and the mistake's place.
NpyHeader parseNpyHeader(const std::string& path, std::string_view text);

// Everything before the pixels, in NumPy's form: version 1.0, a multiple of 64 bytes.
std::string npyPreamble(const NpyHeader& header);

}  // namespace lacuna::io
