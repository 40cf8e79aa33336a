#include "graph/pictures/compare.h"

#include "graph/door/errors.h"

namespace lacuna {
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
    throw Error(ErrorKind::call, "compare: the image has " + std::to_string(image.width) + "x" +
                                     std::to_string(image.height) + " pixels, but the reference has " +
                                     std::to_string(reference.width) + "x" +
                                     std::to_string(reference.height));
  }
  return door::guarded([&] { return compare(coloursOf(image), coloursOf(reference)); });
}

}  // namespace lacuna
