#pragma once
// What a renderer's motion vectors mean. Inside Lacuna: previous position = position + motion, in pixels, x
// to the right and y down.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "graph/module/image_type.h"

namespace lacuna {

enum class MotionConvention {
  pixels,   // as inside
  blender,  // pixels, y up
  uv,       // shares of the width and the height, y down
  ndc,      // shares of half the width and half the height, y up
};

inline constexpr std::array motionConventions = {MotionConvention::pixels, MotionConvention::blender,
                                                 MotionConvention::uv, MotionConvention::ndc};

// What x and y are multiplied by, to mean what they do inside.
std::array<float, 2> motionFactors(MotionConvention convention, Extent extent);

// "motion:blender" or "motion:pixels and motion_scale:-1:-1": what a user writes.
std::string asParameters(MotionConvention convention, const std::array<float, 2>& scale);

std::string_view nameOf(MotionConvention convention);
std::optional<MotionConvention> motionConventionFromName(std::string_view name);

}  // namespace lacuna
