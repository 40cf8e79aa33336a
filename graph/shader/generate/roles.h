#pragma once
// Declarations of a dispatch's roles (compile/schedule.h).
//
// Image roles give load_<name>, raw_<name> (read) or store_<name>, storeRaw_<name> (write), see pixel_view.h.
// Array roles give a buffer `array_<name>.data[]` of float (f32) or uint (u32), also of an output to be read
// again by who wrote it; and, where one that is read has elements of two or four words,
// `vectors_<name>.data[]` of whole elements. So do arrays that are reached by their address.

#include <string>
#include <vector>

#include "graph/compile/schedule.h"

namespace lacuna {

std::string declareRoles(const std::vector<Role>& roles);
// For dispatches whose images differ in extent; each also gets `ivec2 extent_<name>`.
std::string declareRoles(const std::vector<Role>& roles, Extent dispatched);
// Codecs (pixel_view.h) of the types that no role has, each once.
std::string declareCodecs(const std::vector<ValueType>& types, const std::vector<Role>& roles);
bool fetchesFloats(const std::vector<Role>& roles);  // from images of 32-bit floats
const Role* findRole(const std::vector<Role>& roles, const std::string& name);

}  // namespace lacuna
