#pragma once
// How large an image a kernel makes, where its description says so.

#include <optional>

#include "graph/compile/module_graph.h"

namespace lacuna {

// The extent of an output under its module's parameters, relative to an image `of`. Sizes that
// follow from a factor or from the aspect are rounded to the nearest pixel, at least 1. nullopt, and reported
// at the parameter: a window that is not inside the image, a size beside a factor, a side above 65536.
std::optional<Extent> outputExtent(const ModuleInstance& owner, const OutputExtent& wanted,
                                   const ValueType& of, Diagnostics& diagnostics);

// The extent where the parameters give both sides, so that there need be no image to be relative to.
std::optional<Extent> fixedExtent(const ModuleInstance& owner, const OutputExtent& wanted);

// Reports why fixedExtent has none, at the parameter that is 0; nothing where it has one.
void reportNoExtent(const ModuleInstance& owner, const OutputExtent& wanted, const std::string& output,
                    Diagnostics& diagnostics);

}  // namespace lacuna
