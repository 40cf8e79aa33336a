#pragma once
// Declarations of a dispatch's roles (frame/frame_graph.h).
//
// Image roles give load_<name>, raw_<name> (read) or store_<name>, storeRaw_<name> (write), see pixel_view.h.
// Array roles give a buffer `array_<name>.data[]` and other views of it, see array_view.h.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/passes/pass.h"

namespace lacuna {

std::string declareRoles(const std::vector<Role>& roles);
// For kernels, whose images may differ in extent; each also gets `ivec2 extent_<name>`, so that the shader is
// the same for all extents. `body` states which views of arrays are needed. In a tile of this extent, extents
// and positions are those of the whole picture.
struct KernelRoles {
  Extent dispatched;
  std::string_view body;
  std::optional<Extent> tile = {};
};
std::string declareRoles(const std::vector<Role>& roles, const KernelRoles& kernel);
// Codecs (pixel_view.h) of the types without a role, each once.
std::string declareCodecs(const std::vector<ValueType>& types, const std::vector<Role>& roles);
bool fetchesFloats(const std::vector<Role>& roles);  // from images of 32-bit floats, or of foreign formats
const Role* findRole(const std::vector<Role>& roles, const std::string& name);

}  // namespace lacuna
