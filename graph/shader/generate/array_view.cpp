#include "graph/shader/generate/array_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace lacuna {
namespace {

constexpr uint32_t wordBytes = 4;
constexpr uint32_t quadBytes = 16;

// The same memory as elements of one GLSL type: `Words_x { uint data[]; } words_x`.
struct Block {
  const char* type;
  const char* name;
  std::string element;
  uint32_t bytes;  // of an element
};

bool mentions(std::string_view body, const std::string& word) {
  const auto isPart = [&](size_t at) {
    return at < body.size() && (std::isalnum(static_cast<unsigned char>(body[at])) != 0 || body[at] == '_');
  };
  for (size_t at = body.find(word); at != std::string_view::npos; at = body.find(word, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size()))
      return true;
  return false;
}

const char* numberType(Format format) {
  return format == Format::u32 ? "uint" : format == Format::f16 ? "float16_t" : "float";
}

std::string vectorType(Format format, uint32_t numbers) {
  return fmt::format("{}vec{}", format == Format::u32 ? "u" : format == Format::f16 ? "f16" : "", numbers);
}

std::vector<Block> blocksOf(const std::string& name, const ValueType& type, bool hasVectors,
                            std::string_view body) {
  const uint32_t bytes = type.format == Format::f16 ? 2 : wordBytes;
  const uint32_t numbers = bytesPerElement(type) / bytes;
  std::vector<Block> blocks = {{"Array", "array", numberType(type.format), bytes}};
  if (hasVectors && numbers > 1)
    blocks.push_back({"Vectors", "vectors", vectorType(type.format, numbers), numbers * bytes});
  if (mentions(body, "words_" + name))
    blocks.push_back({"Words", "words", "uint", wordBytes});
  if (mentions(body, "quads_" + name))
    blocks.push_back({"Quads", "quads", "uvec4", quadBytes});
  return blocks;
}

// `{0}_{2}` is the block's type, `{1}_{2}` its name.
std::string declareBlock(const Block& block, const Role& role, uint32_t binding, const char* access) {
  if (role.uniform) {
    const size_t elements = (byteSize(role.type) + block.bytes - 1) / block.bytes;
    return fmt::format("layout(std430, binding = {3}) uniform {0}_{2} {{ {4} data[{5}]; }} {1}_{2};\n",
                       block.type, block.name, role.name, binding, block.element, elements);
  }
  if (role.byAddress) {
    return fmt::format(
        "layout(buffer_reference, std430, buffer_reference_align = {3}) {4}buffer {0}_{2} {{ {5} data[]; "
        "}};\n"
        "#define {1}_{2} {0}_{2}(push.address_{2})\n",
        block.type, block.name, role.name, block.bytes, access, block.element);
  }
  return fmt::format("layout(std430, binding = {3}) {4}buffer {0}_{2} {{ {5} data[]; }} {1}_{2};\n",
                     block.type, block.name, role.name, binding, access, block.element);
}

}  // namespace

std::string declareArray(const Role& role, uint32_t binding, std::string_view body) {
  const bool isRead = role.kind == AccessKind::read;
  const std::vector<Block> blocks = blocksOf(role.name, role.type, isRead && !role.uniform, body);
  // Writes to one block may be read through another one.
  const char* access = isRead ? "readonly restrict " : blocks.size() == 1 ? "restrict " : "";
  std::string text;
  for (const Block& block : blocks)
    text += declareBlock(block, role, binding, access);
  return text;
}

std::string standInArray(const std::string& name, const ValueType& type, std::string_view body) {
  ValueType wide = type;
  wide.format = type.format == Format::f16 ? Format::f32 : type.format;
  std::string text;
  for (const Block& block : blocksOf(name, wide, true, body)) {
    text += fmt::format("struct {0}_{2} {{ {3} data[1]; }};\n{0}_{2} {1}_{2};\n", block.type, block.name,
                        name, block.element);
  }
  return text;
}

std::string describeArray(const ArrayFacts& array, std::string_view body) {
  std::string text;
  // Where a body doesn't ask, pictures of all sizes share its shader.
  if (array.type.isArray() && mentions(body, "count_" + array.name)) {
    text +=
        fmt::format("const int count_{} = {};\n", array.name, array.isConnected ? array.type.arrayCount : 0);
  }
  if (mentions(body, "shape_" + array.name)) {
    text += fmt::format("const ivec4 shape_{} = ivec4({});\n", array.name,
                        fmt::join(array.isConnected ? shapeVector(array.type) : ArrayShape{}, ", "));
  }
  if (array.type.isArray() && mentions(body, "element_" + array.name)) {
    const bool isWide = array.type.format == Format::f16 && !array.hasBuffer;
    text += fmt::format("#define element_{} {}\n", array.name,
                        numberType(isWide ? Format::f32 : array.type.format));
  }
  if (array.type.isArray() && mentions(body, "format_" + array.name))
    text += fmt::format("#define format_{} {}\n", array.name, static_cast<int>(array.type.format));
  return text;
}

std::string arrayExtensions(const std::vector<Role>& roles) {
  const bool hasHalves = std::any_of(roles.begin(), roles.end(), [](const Role& role) {
    return role.type.isArray() && role.type.format == Format::f16;
  });
  return hasHalves ? "#extension GL_EXT_shader_16bit_storage : require\n" : "";
}

}  // namespace lacuna
