#pragma once
// NumPy's arrays as views of the door. lacuna/arrays.py has checked them: height x width (x channels) of u8,
// u16, f16 or f32, a pixel's channels side by side, in either order.

#include <pybind11/numpy.h>

#include "lacuna/lacuna.h"

namespace lacuna::python {

ConstImageView viewOf(const pybind11::array& array);
ImageView writableViewOf(const pybind11::array& array);  // throws Error for what is read-only

}  // namespace lacuna::python
