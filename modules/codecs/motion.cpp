#include "modules/codecs/motion.h"

#include <fmt/format.h>

namespace lacuna {

std::array<float, 2> motionFactors(MotionConvention convention, Extent extent) {
  const auto width = static_cast<float>(extent.width), height = static_cast<float>(extent.height);
  switch (convention) {
    case MotionConvention::blender:
      return {1.0F, -1.0F};
    case MotionConvention::uv:
      return {width, height};
    case MotionConvention::ndc:
      return {width / 2, -height / 2};
    case MotionConvention::pixels:
      break;
  }
  return {1.0F, 1.0F};
}

std::string asParameters(MotionConvention convention, const std::array<float, 2>& scale) {
  const std::string text = fmt::format("motion:{}", nameOf(convention));
  return scale == std::array{1.0F, 1.0F} ? text
                                         : fmt::format("{} and motion_scale:{}:{}", text, scale[0], scale[1]);
}

std::string_view nameOf(MotionConvention convention) {
  switch (convention) {
    case MotionConvention::blender:
      return "blender";
    case MotionConvention::uv:
      return "uv";
    case MotionConvention::ndc:
      return "ndc";
    case MotionConvention::pixels:
      break;
  }
  return "pixels";
}

std::optional<MotionConvention> motionConventionFromName(std::string_view name) {
  for (const MotionConvention convention : motionConventions)
    if (nameOf(convention) == name)
      return convention;
  return std::nullopt;
}

}  // namespace lacuna
