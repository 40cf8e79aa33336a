#include <fmt/format.h>

#include <algorithm>

#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

Channels channelsOf(const std::string& glslTypeName) {
  if (glslTypeName == "float") {
    return Channels::any1;
  }
  return glslTypeName == "vec2" ? Channels::any2 : glslTypeName == "vec3" ? Channels::rgb : Channels::rgba;
}

const Role& roleOf(const StencilContext& context, const std::string& from) {
  return *findRole(context.roles, from == "state" ? "state" : "feature_" + from);
}

bool isFeature(const StencilContext& context, const Member& member) {
  const auto& features = context.stencil().features;
  return std::find(features.begin(), features.end(), member.name) != features.end();
}

// From an optional feature that is not connected: always zero.
bool isAbsent(const StencilContext& context, const TapField& field) {
  return !field.from.empty() && field.from != "state" &&
         findRole(context.roles, "feature_" + field.from) == nullptr;
}

std::string roundTo(const TapField& field) {
  return fmt::format("round_{}", pixelTypeName(channelsOf(field.type), field.storage));
}

// A computed vec3 in f32 stays three words in shared memory instead of the four of a stored pixel.
bool plainFloats(const TapField& field) {
  return field.from.empty() && field.storage == Format::f32;
}

std::string cellType(const StencilContext& context, const TapField& field) {
  if (plainFloats(field)) {
    return field.type;
  }
  if (field.from.empty()) {
    return wordType(channelsOf(field.type), field.storage);
  }
  const Role& role = roleOf(context, field.from);
  return wordType(role.type.channels, role.type.format);
}

// Reads a Sample and makes the Tap of it.
std::string sampleAndLoad(const StencilContext& context) {
  std::string text = "  n0_Sample s;\n";
  for (const Role& role : context.roles) {
    const bool state = role.name == "state";
    if (!state && role.name.compare(0, 8, "feature_") != 0) {
      continue;
    }
    text +=
        fmt::format("  s.{} = load_{}(p);\n", state ? "state" : memberName(role.name.substr(8)), role.name);
  }
  for (const Member& member : inputMembers(context.shader)) {
    if (!member.connected && isFeature(context, member)) {
      text += fmt::format("  s.{} = {}(0);\n", memberName(member.name),
                          glslType(member.type.channels, member.type.format));
    }
  }
  text += "  n0_Tap t;\n";
  for (const TapField& field : context.stencil().tap) {
    if (!field.from.empty()) {
      text += fmt::format("  t.{} = s.{};\n", memberName(field.name),
                          field.from == "state" ? "state" : memberName(field.from));
    }
  }
  if (context.body.defines("load")) {
    text += "  n0_load(t, s);\n";
  }
  for (const TapField& field : context.stencil().tap) {
    if (field.from.empty() && field.storage != Format::f32) {
      text += fmt::format("  t.{0} = {1}(t.{0});\n", memberName(field.name), roundTo(field));
    }
  }
  return text;
}

std::string directTap(const StencilContext& context) {
  return "n0_Tap tapAt(ivec2 p) {\n" + sampleAndLoad(context) + "  return t;\n}\n";
}

std::string sharedTap(const StencilContext& context) {
  std::string tiles;
  std::string fillText;
  std::string read;
  for (const TapField& field : context.stencil().tap) {
    const std::string name = memberName(field.name);
    if (isAbsent(context, field)) {
      read += fmt::format("  t.{} = {}(0);\n", name, field.type);
      continue;
    }
    const std::string type = cellType(context, field);
    tiles += fmt::format("shared {} tile_{}[CELLS];\n", type, field.name);
    std::string codec;
    if (!field.from.empty()) {
      const Role& role = roleOf(context, field.from);
      codec = pixelTypeName(role.type.channels, role.type.format);
    } else if (!plainFloats(field)) {
      codec = pixelTypeName(channelsOf(field.type), field.storage);
    }
    const bool plain = codec.empty();
    fillText += fmt::format("  tile_{0}[cell] = {1};\n", field.name,
                            !field.from.empty() ? fmt::format("raw_{}(p)", roleOf(context, field.from).name)
                            : plain             ? "t." + name
                                                : fmt::format("encode_{}(t.{})", codec, name));
    read += fmt::format("  t.{0} = {1};\n", name,
                        plain ? fmt::format("tile_{}[cell]", field.name)
                              : fmt::format("decode_{}(tile_{}[cell])", codec, field.name));
  }
  return tiles + "void fillCell(int cell, ivec2 p) {\n" + sampleAndLoad(context) + fillText + "}\n" +
         "n0_Tap tapAt(int cell) {\n  n0_Tap t;\n" + read + "  return t;\n}\n";
}

}  // namespace

std::string tapTypes(const StencilContext& context) {
  const Role& state = roleOf(context, "state");
  std::string text = fmt::format("#define n0_State {}\nstruct n0_Sample {{\n  n0_State state;\n",
                                 glslType(state.type.channels, state.type.format));
  for (const Member& member : inputMembers(context.shader)) {
    if (isFeature(context, member)) {
      text += fmt::format("  {} {};\n", glslType(member.type.channels, member.type.format),
                          memberName(member.name));
    }
  }
  text += "};\nstruct n0_Tap {\n";
  for (const TapField& field : context.stencil().tap) {
    text += fmt::format("  {} {};\n", field.type, memberName(field.name));
  }
  text += "};\n";
  return text;
}

std::string tapAccess(const StencilContext& context) {
  std::string codecs;
  for (const TapField& field : context.stencil().tap) {
    if (field.from.empty() && field.storage != Format::f32) {
      codecs += declareCodec(channelsOf(field.type), field.storage, fetchesFloats(context.roles));
    }
  }
  return codecs + (context.schedule().shares() ? sharedTap(context) : directTap(context));
}

}  // namespace lacuna
