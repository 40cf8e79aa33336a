#include "graph/shader/generate/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/shader/generate/pixel_view.h"

namespace lacuna {
namespace {

// By its address (GL_EXT_buffer_reference), under the same names.
std::string declareReferences(const Role& role, const std::string& access) {
  const uint32_t words = wordsPerPixel(role.type.channels, role.type.format);
  const bool isUint = role.type.format == Format::u32;
  const auto reference = [&](const char* type, const char* name, const std::string& element, uint32_t bytes) {
    return fmt::format(
        "layout(buffer_reference, std430, buffer_reference_align = {5}) {4}restrict buffer {0}_{2} {{ {3} "
        "data[]; "
        "}};\n#define {1}_{2} {0}_{2}(push.address_{2})\n",
        type, name, role.name, element, access, bytes);
  };
  std::string text = reference("Array", "array", isUint ? "uint" : "float", 4);
  if (role.kind == AccessKind::read && words > 1) {
    text += reference("Vectors", "vectors", fmt::format("{}vec{}", isUint ? "u" : "", words), 4 * words);
  }
  return text;
}

// The same memory twice: word by word, and for reading an element of two or four words at once.
std::string declareArray(const Role& role, uint32_t binding) {
  const uint32_t words = wordsPerPixel(role.type.channels, role.type.format);
  const bool isUint = role.type.format == Format::u32;
  if (role.uniform) {
    return fmt::format("layout(std430, binding = {1}) uniform Array_{0} {{ {2} data[{3}]; }} array_{0};\n",
                       role.name, binding, isUint ? "uint" : "float", words * role.type.arrayCount);
  }
  const char* access = role.kind == AccessKind::read ? "readonly " : "";
  if (role.byAddress) {
    return declareReferences(role, access);
  }
  std::string text =
      fmt::format("layout(std430, binding = {1}) {2}restrict buffer Array_{0} {{ {3} data[]; }} array_{0};\n",
                  role.name, binding, access, isUint ? "uint" : "float");
  if (role.kind == AccessKind::read && words > 1) {
    text += fmt::format(
        "layout(std430, binding = {1}) readonly restrict buffer Vectors_{0} {{ {3}vec{2} data[]; }} "
        "vectors_{0};\n",
        role.name, binding, words, isUint ? "u" : "");
  }
  return text;
}

// Extents other than the dispatch's are constants of the shader.
std::string declareRoles(const std::vector<Role>& roles, const Extent* dispatched) {
  std::string text;
  std::set<std::string> codecs;
  uint32_t binding = 0;
  for (const Role& role : roles) {
    ++binding;
    if (role.type.isArray()) {
      text += declareArray(role, binding);
      continue;
    }
    if (codecs.insert(pixelTypeName(role.type.channels, role.type.format)).second) {
      text += declareCodec(role.type.channels, role.type.format, fetchesFloats(roles));
    }
    PixelView view{role.name,        role.type.channels,
                   role.type.format, role.storage,
                   binding,          static_cast<uint32_t>(role.resources.size())};
    if (dispatched != nullptr) {
      const Extent& extent = role.type.extent;
      text += fmt::format(
          "#define extent_{} {}\n", role.name,
          extent == *dispatched ? "push.extent" : fmt::format("ivec2({}, {})", extent.width, extent.height));
      view.extent = "extent_" + role.name;
    }
    text += role.kind == AccessKind::read ? declareRead(view) : declareWrite(view);
  }
  return text;
}

}  // namespace

std::string declareRoles(const std::vector<Role>& roles) {
  return declareRoles(roles, nullptr);
}
std::string declareRoles(const std::vector<Role>& roles, Extent dispatched) {
  return declareRoles(roles, &dispatched);
}

std::string declareCodecs(const std::vector<ValueType>& types, const std::vector<Role>& roles) {
  std::set<std::string> known;
  for (const Role& role : roles) {
    if (!role.type.isArray()) {
      known.insert(pixelTypeName(role.type.channels, role.type.format));
    }
  }
  std::string text;
  for (const ValueType& type : types) {
    if (known.insert(pixelTypeName(type.channels, type.format)).second) {
      text += declareCodec(type.channels, type.format, fetchesFloats(roles));
    }
  }
  return text;
}

bool fetchesFloats(const std::vector<Role>& roles) {
  return std::any_of(roles.begin(), roles.end(), [](const Role& role) {
    return role.kind == AccessKind::read && role.storage == ResourceKind::image &&
           role.type.format == Format::f32;
  });
}

const Role* findRole(const std::vector<Role>& roles, const std::string& name) {
  for (const Role& role : roles) {
    if (role.name == name) {
      return &role;
    }
  }
  return nullptr;
}

}  // namespace lacuna
