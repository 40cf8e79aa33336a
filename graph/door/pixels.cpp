#include "graph/door/state.h"

// Imath's conversion by a table needs its library, which liblacuna.so doesn't link.
#define IMATH_HALF_NO_LOOKUP_TABLE
#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "graph/door/errors.h"
#include "graph/pictures/compare.h"

namespace lacuna {
namespace {

// The component (red first, alpha 3) at each place.
struct Order {
  std::array<size_t, 4> components;
  size_t count;
  bool hasColours;  // otherwise one or two numbers
};

Order orderOf(ChannelOrder order) {
  switch (order) {
    case ChannelOrder::x:
      return {{0}, 1, false};
    case ChannelOrder::xy:
      return {{0, 1}, 2, false};
    case ChannelOrder::rgb:
      return {{0, 1, 2}, 3, true};
    case ChannelOrder::bgr:
      return {{2, 1, 0}, 3, true};
    case ChannelOrder::rgba:
      return {{0, 1, 2, 3}, 4, true};
    case ChannelOrder::bgra:
      break;
  }
  return {{2, 1, 0, 3}, 4, true};
}

const char* nameOf(ChannelOrder order) {
  constexpr std::array names{"x", "xy", "rgb", "bgr", "rgba", "bgra"};
  return names.at(static_cast<size_t>(order));
}

size_t bytesOf(PixelFormat format) {
  return format == PixelFormat::u8 ? 1 : format == PixelFormat::f32 ? 4 : 2;
}

// How each format's numbers become floats and back.
template <class Number, int largest>
struct Normalized {
  using Stored = Number;
  static float load(Number stored) { return static_cast<float>(stored) / static_cast<float>(largest); }
  static Number store(float value) {
    const float within = value > 0.0F ? std::min(value, 1.0F) : 0.0F;  // NaN is 0
    const float shifted = within * static_cast<float>(largest) + 0.5F;
    return static_cast<Number>(shifted);
  }
};
using Bytes = Normalized<uint8_t, 255>;
using Shorts = Normalized<uint16_t, 65535>;
struct Halves {
  using Stored = uint16_t;
  static float load(uint16_t stored) { return imath_half_to_float(stored); }
  static uint16_t store(float value) { return imath_float_to_half(value); }
};
struct Floats {
  using Stored = float;
  static float load(float stored) { return stored; }
  static float store(float value) { return value; }
};

// Offsets of rows and pixels, with 0 replaced.
struct Steps {
  size_t pixel;
  std::ptrdiff_t row;
};

Steps stepsOf(const ConstImageView& view) {
  const size_t pixel =
      view.pixelBytes > 0 ? view.pixelBytes : orderOf(view.order).count * bytesOf(view.format);
  const auto row = static_cast<std::ptrdiff_t>(pixel * static_cast<size_t>(view.width));
  return {pixel, view.rowBytes != 0 ? view.rowBytes : row};
}

// There are no gaps between pixels, so rows are copied as a whole.
bool isDense(const ConstImageView& view) {
  return stepsOf(view).pixel == orderOf(view.order).count * bytesOf(view.format);
}

struct RowCopy {
  Order source, target;
  size_t sourceStep, targetStep;  // bytes to the next pixel
  int width;
};

template <class From, class To>
void copyRow(const std::byte* source, std::byte* target, const RowCopy& row) {
  for (int x = 0; x < row.width; ++x) {
    std::array<float, 4> components{0.0F, 0.0F, 0.0F, 1.0F};
    for (size_t i = 0; i < row.source.count; ++i) {
      typename From::Stored number;
      std::memcpy(&number, source + i * sizeof number, sizeof number);
      components[row.source.components[i]] = From::load(number);
    }
    for (size_t i = 0; i < row.target.count; ++i) {
      const typename To::Stored number = To::store(components[row.target.components[i]]);
      std::memcpy(target + i * sizeof number, &number, sizeof number);
    }
    source += row.sourceStep;
    target += row.targetStep;
  }
}

using CopyRow = void (*)(const std::byte* source, std::byte* target, const RowCopy& row);

template <class From>
CopyRow rowCopierFrom(PixelFormat to) {
  switch (to) {
    case PixelFormat::u8:
      return copyRow<From, Bytes>;
    case PixelFormat::u16:
      return copyRow<From, Shorts>;
    case PixelFormat::f16:
      return copyRow<From, Halves>;
    case PixelFormat::f32:
      break;
  }
  return copyRow<From, Floats>;
}

CopyRow rowCopier(PixelFormat from, PixelFormat to) {
  switch (from) {
    case PixelFormat::u8:
      return rowCopierFrom<Bytes>(to);
    case PixelFormat::u16:
      return rowCopierFrom<Shorts>(to);
    case PixelFormat::f16:
      return rowCopierFrom<Halves>(to);
    case PixelFormat::f32:
      break;
  }
  return rowCopierFrom<Floats>(to);
}

std::string sizeText(int width, int height) {
  return fmt::format("{}x{}", width, height);
}

// Mistakes in a view alone.
void checkAlone(const ConstImageView& view, const std::string& name) {
  if (view.pixels == nullptr)
    door::refuse("{}: the view has no pixels (a null pointer)", name);
  if (view.width < 1 || view.height < 1)
    door::refuse("{}: the view has {} pixels; expected 1x1 or more", name, sizeText(view.width, view.height));
  const Steps steps = stepsOf(view);
  const size_t bytes = orderOf(view.order).count * bytesOf(view.format);
  if (steps.pixel < bytes)
    door::refuse("{}: pixelBytes is {}, but a pixel takes {}", name, steps.pixel, bytes);
  const size_t row = steps.pixel * static_cast<size_t>(view.width - 1) + bytes;
  if (view.height > 1 && static_cast<size_t>(std::abs(steps.row)) < row)
    door::refuse("{}: rowBytes is {}, but a row of {} pixels takes {}", name, steps.row, view.width, row);
}

}  // namespace

ConstImageView readOnly(const ImageView& view) {
  return {view.pixels, view.width, view.height, view.order, view.format, view.rowBytes, view.pixelBytes};
}

void copy(const ConstImageView& from, const ImageView& to) {
  checkAlone(from, "copy: from");
  checkAlone(readOnly(to), "copy: to");
  if (from.width != to.width || from.height != to.height) {
    door::refuse("copy: from {} pixels to {}", sizeText(from.width, from.height),
                 sizeText(to.width, to.height));
  }
  const Order fromOrder = orderOf(from.order), toOrder = orderOf(to.order);
  if (fromOrder.hasColours != toOrder.hasColours ||
      (!fromOrder.hasColours && fromOrder.count != toOrder.count))
    door::refuse("copy: from the order {} to {}", nameOf(from.order), nameOf(to.order));
  const Steps fromSteps = stepsOf(from), toSteps = stepsOf(readOnly(to));
  const bool isSame =
      from.format == to.format && from.order == to.order && isDense(from) && isDense(readOnly(to));
  const RowCopy row{fromOrder, toOrder, fromSteps.pixel, toSteps.pixel, to.width};
  const CopyRow converted = rowCopier(from.format, to.format);
  for (int y = 0; y < to.height; ++y) {
    const auto* source = static_cast<const std::byte*>(from.pixels) + y * fromSteps.row;
    auto* target = static_cast<std::byte*>(to.pixels) + y * toSteps.row;
    if (isSame)
      std::memcpy(target, source, fromSteps.pixel * static_cast<size_t>(to.width));
    else
      converted(source, target, row);
  }
}

namespace door {

ValueType valueTypeOf(const ImageType& type, const std::string& name) {
  if (type.width < 1 || type.height < 1)
    door::refuse("{}: an image of {} pixels; expected 1x1 or more", name, sizeText(type.width, type.height));
  ValueType value;
  value.channels = type.channels;
  value.format = static_cast<Format>(type.format);
  value.colour = type.colour;
  value.extent = {static_cast<uint32_t>(type.width), static_cast<uint32_t>(type.height)};
  return value;
}
static_assert(static_cast<int>(PixelFormat::f32) == static_cast<int>(Format::f32) &&
              static_cast<int>(PixelFormat::f16) == static_cast<int>(Format::f16));

ImageType imageTypeOf(const ValueType& type, const std::string& name) {
  if (type.isArray() || type.format == Format::u32)
    door::refuse("{}: {} is not an image of a program", name, print(type));
  return {static_cast<int>(type.extent.width), static_cast<int>(type.extent.height), type.channels,
          static_cast<PixelFormat>(type.format), type.colour};
}

ImageView viewOf(const ImageType& type, std::span<std::byte> memory) {
  const int count = componentCount(type.channels);
  ImageView view;
  view.pixels = memory.data();
  view.width = type.width;
  view.height = type.height;
  view.order = count == 1 ? ChannelOrder::x : count == 2 ? ChannelOrder::xy : ChannelOrder::rgba;
  view.format = type.format;
  view.pixelBytes = bytesPerPixel(type.channels, static_cast<Format>(type.format));
  return view;
}

void checkView(const ConstImageView& view, const ImageType& type, const std::string& name) {
  checkAlone(view, name);
  if (view.width != type.width || view.height != type.height) {
    door::refuse("{}: the view has {} pixels, but the image has {}", name, sizeText(view.width, view.height),
                 sizeText(type.width, type.height));
  }
  const int count = componentCount(type.channels);
  const Order order = orderOf(view.order);
  if (count > 2 ? !order.hasColours : order.count != static_cast<size_t>(count)) {
    door::refuse("{}: the view has the order {}, but the image's components are {}: expected {}", name,
                 nameOf(view.order), lacuna::name(type.channels),
                 count == 1   ? "x"
                 : count == 2 ? "xy"
                              : "rgb, bgr, rgba or bgra");
  }
}

}  // namespace door
namespace {

ColourImage coloursOf(const ConstImageView& view) {
  ColourImage colours;
  colours.extent = {static_cast<uint32_t>(view.width), static_cast<uint32_t>(view.height)};
  colours.rgb.resize(size_t{3} * colours.extent.width * colours.extent.height);
  copy(
      view,
      {.pixels = colours.rgb.data(), .width = view.width, .height = view.height, .order = ChannelOrder::rgb});
  return colours;
}

}  // namespace

Metrics compare(const ConstImageView& image, const ConstImageView& reference) {
  if (image.width != reference.width || image.height != reference.height) {
    door::refuse("compare: the image has {} pixels, but the reference has {}",
                 sizeText(image.width, image.height), sizeText(reference.width, reference.height));
  }
  return door::guarded([&] { return compare(coloursOf(image), coloursOf(reference)); });
}

}  // namespace lacuna
