#pragma once
// The size of the image, number of planes, or shape of the array that a kernel makes, if its description
// states it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// The extent of an output under its module's parameters, relative to an image `of`. Sizes that
// follow from a factor or from the aspect are rounded to the nearest pixel, at least 1. nullopt, and reported
// at the parameter, for a window that is not inside the image, a size beside a factor, or a side above 65535.
std::optional<Extent> outputExtent(const ModuleInstance& owner, const OutputExtent& wanted,
                                   const ValueType& of, Diagnostics& diagnostics);

// By a footprint's factor: rounded up.
Extent scaledExtent(Extent extent, float factor);

// The pixel at which an output's window begins.
PixelPlace windowStart(const ModuleInstance& owner, const OutputExtent& wanted, const ValueType& of);

// The extent if the parameters give both sides, so that no image is needed.
std::optional<Extent> fixedExtent(const ModuleInstance& owner, const OutputExtent& wanted);

// If fixedExtent has no extent, reports why, at the parameter that is 0.
void reportNoExtent(const ModuleInstance& owner, const OutputExtent& wanted, const std::string& output,
                    Diagnostics& diagnostics);

// The facts on which the number of an output's planes depends.
struct PlanesRequest {
  const NodeOutput* output = nullptr;
  ValueType of;              // the image or planes that its extent is relative to; 0x0: none
  uint32_t inputPlanes = 0;  // of the node's first input of planes; 0 if there is none
  Extent extent;
  bool isRead = true;
};

// Its number of planes; nullopt, and reported, if that is 0 or more than an array holds. Outputs that nothing
// reads may have more.
std::optional<uint32_t> outputPlanes(const ModuleInstance& owner, const PlanesRequest& request,
                                     Diagnostics& diagnostics);

// Sizes that an output states as its shape, or a kernel as its `invocations`, and `name` in messages;
// `inputs`: types of the node's inputs by name. nullopt, and reported, if a size is below 1 or an array can't
// hold that many elements.
std::optional<std::vector<uint32_t>> statedSizes(const ModuleInstance& owner,
                                                 const std::vector<Formula>& stated, const std::string& name,
                                                 const std::map<std::string, ValueType>& inputs,
                                                 Diagnostics& diagnostics);

}  // namespace lacuna
