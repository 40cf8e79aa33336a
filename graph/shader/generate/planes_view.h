#pragma once
// A kernel's view of planes: macros around their buffer (roles.h).

#include <string>

#include "graph/shader/generate/body_context.h"

namespace lacuna {

// `planes_<name>` (0: an input that is not connected), `extent_<name>` and `at_<name>(plane, i)`, an lvalue:
// pixel i = y * width + x of a plane; for missing planes, one variable, whatever the indices. `role`: null
// then.
std::string declarePlanes(const Member& member, const Role* role, Extent dispatched);

// `push.extent` where an extent is the dispatch's.
std::string extentText(Extent extent, Extent dispatched);

}  // namespace lacuna
