#pragma once
// The runtime's pixels, types of images and schedules as those of lacuna.h.

#include <cstddef>
#include <span>
#include <string>

#include "graph/door/lacuna/lacuna.h"
#include "graph/frame/frame_graph.h"
#include "graph/nodes/warm_up.h"
#include "graph/values/image_type.h"

namespace lacuna::door {

ValueType valueTypeOf(const ImageType& type, const std::string& name);  // throws Error: a size without pixels
// Throws Error for what is not an image: arrays, planes, packed words.
ImageType imageTypeOf(const ValueType& type, const std::string& name);

// An image in a frame's memory. Three components are stored as four.
ImageView viewOf(const ImageType& type, std::span<std::byte> memory);

// Throws Error where the pixels of `view` can't be those of an image, `name`, of this type.
void checkView(const ConstImageView& view, const ImageType& type, const std::string& name);

// A schedule. `built`: the graph before it was culled and fused.
GraphPlan planOf(const FrameGraph& schedule, const NodeGraph& built);
std::vector<PassPlan> passPlans(const Passes& passes);

}  // namespace lacuna::door
