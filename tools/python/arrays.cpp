#include "tools/python/arrays.h"

#include <array>

namespace py = pybind11;

namespace lacuna::python {
namespace {

PixelFormat formatOf(const py::dtype& type) {
  return type.kind() == 'f' ? (type.itemsize() == 2 ? PixelFormat::f16 : PixelFormat::f32)
                            : (type.itemsize() == 1 ? PixelFormat::u8 : PixelFormat::u16);
}

template <class View, class Byte>
View view(Byte* first, const py::array& array) {
  const py::ssize_t count = array.ndim() == 3 ? array.shape(2) : 1;
  const py::ssize_t step = count > 1 ? array.strides(2) : array.itemsize();
  const bool isReversed = step < 0;  // as BGR images are, seen as RGB
  constexpr std::array orders{ChannelOrder::x, ChannelOrder::xy, ChannelOrder::rgb, ChannelOrder::rgba};
  View made;
  made.pixels = first + (isReversed ? (count - 1) * step : 0);
  made.width = static_cast<int>(array.shape(1));
  made.height = static_cast<int>(array.shape(0));
  made.order = isReversed ? ChannelOrder::bgr : orders.at(static_cast<size_t>(count - 1));
  made.format = formatOf(array.dtype());
  // Strides of a single row or pixel may be anything.
  made.rowBytes = made.height > 1 ? array.strides(0) : 0;
  made.pixelBytes = made.width > 1 ? static_cast<size_t>(array.strides(1)) : 0;
  return made;
}

}  // namespace

ConstImageView viewOf(const py::array& array) {
  return view<ConstImageView>(static_cast<const std::byte*>(array.data()), array);
}

ImageView writableViewOf(const py::array& array) {
  if (!array.writeable()) {
    throw Error(ErrorKind::call, "out: the array is read-only");
  }
  return view<ImageView>(static_cast<std::byte*>(const_cast<void*>(array.data())), array);
}

}  // namespace lacuna::python
