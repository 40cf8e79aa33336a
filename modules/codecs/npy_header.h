#pragma once
// The header of NumPy's .npy files, versions 1.0, 2.0 and 3.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::io {

struct NpyHeader {
  std::string elements;       // NumPy's word for the type: "<f4"
  bool columnsFirst = false;  // fortran_order
  std::vector<uint64_t> shape;
};

// Names the mistake and its place.
struct NpyHeaderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text between a file's length field and its pixels, a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Throws NpyHeaderError.
NpyHeader parseNpyHeader(std::string_view text);

// Everything before the pixels, in NumPy's form: version 1.0, a multiple of 64 bytes.
std::string npyPreamble(const NpyHeader& header);

}  // namespace lacuna::io
