#pragma once
// A kernel's view of an array: GLSL blocks around its buffer, all of the same memory.
//
// `array_<name>.data[]`: numbers, float (f32), float16_t (f16, by 16-bit storage) or uint (u32), also of an
// output, whose invocation may read what it wrote. For a read array with elements of two or four numbers
// `vectors_<name>.data[]`, whole elements. `words_<name>.data[]`, uint, and `quads_<name>.data[]`, uvec4, of
// any array: its memory is rounded up to 16 bytes. The last two are only declared for bodies that name them.

#include <string>
#include <string_view>

#include "graph/passes/pass.h"

namespace lacuna {

// The blocks of a role, bound, or accessed by their address in the push constants.
std::string declareArray(const Role& role, uint32_t binding, std::string_view body);

// What stands for a missing buffer: variables of the invocation, of one element each. Halves are floats
// there, since 16-bit variables need more than 16-bit storage.
std::string standInArray(const std::string& name, const ValueType& type, std::string_view body);

// Facts about an input or output, each declared if bodies name it: `shape_<name>`, an ivec4 (zeros:
// not connected), and of arrays `element_<name>`, the type of array_<name>.data[], and
// `format_<name>`.
struct ArrayFacts {
  std::string name;
  ValueType type;
  bool isConnected = true;  // an input
  bool hasBuffer = true;    // else a stand-in
};
std::string describeArray(const ArrayFacts& array, std::string_view body);

// The extensions of a shader with these roles.
std::string arrayExtensions(const std::vector<Role>& roles);

}  // namespace lacuna
