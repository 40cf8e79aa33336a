#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

Channels channelsOf(const std::string& glslTypeName) {
  if (glslTypeName == "float")
    return Channels::any1;
  return glslTypeName == "vec2" ? Channels::any2 : glslTypeName == "vec3" ? Channels::rgb : Channels::rgba;
}

const Role& roleOf(const StencilContext& context, const std::string& from) {
  return *findRole(context.roles, from == "state" ? "state" : "feature_" + from);
}

bool isFeature(const StencilDescription& stencil, const Member& member) {
  const auto& features = stencil.features;
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
  if (plainFloats(field))
    return field.type;
  if (field.from.empty())
    return wordType(channelsOf(field.type), field.storage);
  const Role& role = roleOf(context, field.from);
  return wordType(role.type.channels, role.type.format);
}

// The value of a field of the node's taps.
std::string fieldType(const ShaderContext& context, const TapField& field) {
  if (!field.type.empty())
    return field.type;
  if (field.from == "state") {
    const ValueType state = stateType(context);
    return std::string(glslType(state.channels, state.format));
  }
  for (const Member& member : inputMembers(context))
    if (member.name == field.from)
      return std::string(glslType(member.type.channels, member.type.format));
  return "float";
}

// What makes the field's value of its pixel's words.
std::string decoderOf(const StencilContext& context, const TapField& field) {
  const Role& role = roleOf(context, field.from);
  return fmt::format("{}_{}", readsBytes(context, field) ? "bytes" : "decode",
                     pixelTypeName(role.type.channels, role.type.format));
}

using RoleText = std::function<std::string(const Role&)>;

bool isSampled(const Role& role) {
  return role.name == "state" || role.name.compare(0, 8, "feature_") == 0;
}

// The place of a role's pixel: features that are reread, at `o`, in the original layout.
std::string positionOf(const StencilContext& context, const Role& role) {
  return context.rereads() && role.name != "state" ? "o" : "p";
}

struct PixelText {
  RoleText value;
  RoleText words;
};

PixelText decoded(const RoleText& words) {
  return {[words](const Role& role) {
            return fmt::format("decode_{}({})", pixelTypeName(role.type.channels, role.type.format),
                               words(role));
          },
          words};
}

// Reads a Sample and makes the Tap of it.
std::string sampleAndLoad(const StencilContext& context, const PixelText& read) {
  std::string text = "  n0_Sample s;\n";
  for (const Role& role : context.roles) {
    if (isSampled(role)) {
      text += fmt::format("  s.{} = {};\n", role.name == "state" ? "state" : memberName(role.name.substr(8)),
                          read.value(role));
    }
  }
  for (const Member& member : inputMembers(context.shader)) {
    if (!member.connected && isFeature(context.stencil(), member)) {
      text += fmt::format("  s.{} = {}(0);\n", memberName(member.name),
                          glslType(member.type.channels, member.type.format));
    }
  }
  text += "  n0_Tap t;\n";
  for (const TapField& field : context.stencil().tap) {
    if (readsBytes(context, field)) {
      text += fmt::format("  t.{} = {}({});\n", memberName(field.name), decoderOf(context, field),
                          read.words(roleOf(context, field.from)));
    } else if (!field.from.empty()) {
      text += fmt::format("  t.{} = s.{};\n", memberName(field.name),
                          field.from == "state" ? "state" : memberName(field.from));
    }
  }
  if (context.body.defines("load"))
    text += "  n0_load(t, s);\n";
  for (const TapField& field : context.stencil().tap)
    if (field.from.empty() && field.storage != Format::f32)
      text += fmt::format("  t.{0} = {1}(t.{0});\n", memberName(field.name), roundTo(field));
  return text;
}

PixelText inMemory(const StencilContext& context) {
  const auto reading = [&context](const char* function) {
    return [&context, function](const Role& role) {
      return fmt::format("{}_{}{}({})", function, role.name, role.name == "state" ? context.suffix() : "",
                         positionOf(context, role));
    };
  };
  return {reading("load"), reading("raw")};
}

std::string directTap(const StencilContext& context) {
  return fmt::format("n0_Tap tapAt{}(ivec2 p{}) {{\n", context.suffix(),
                     context.rereads() ? ", ivec2 o" : "") +
         sampleAndLoad(context, inMemory(context)) + "  return t;\n}\n";
}

// `Words wordsAt(ivec2 p)`: a stored pixel, so that all loads of a thread can be in flight before it decodes
// the first.
std::string storedWords(const StencilContext& context) {
  std::string members;
  std::string reads;
  for (const Role& role : context.roles) {
    if (isSampled(role)) {
      members += fmt::format(" {} {};", wordType(role.type.channels, role.type.format), role.name);
      reads += fmt::format("{}raw_{}({})", reads.empty() ? "" : ", ", role.name, positionOf(context, role));
    }
  }
  const std::string original =
      context.rereads() ? "  ivec2 o = ivec2(pixelAt(p.x, push.extent.x, LOG_DILATION), pixelAt(p.y, "
                          "push.extent.y, LOG_DILATION));\n"
                        : "";
  return fmt::format("struct Words {{{} }};\nWords wordsAt(ivec2 p) {{\n{}  return Words({});\n}}\n", members,
                     original, reads);
}

struct TileText {
  std::string arrays;
  std::string fill;  // of cell, with the pixel's words w
  std::string read;  // n0_Tap t of cell
};

// Taps are made once a pixel (staged decompression: Dolp, Hanika, Dachsbacher 2024, section 4.2), and lie in
// the tile field by field.
TileText tileText(const StencilContext& context) {
  TileText tile{{},
                sampleAndLoad(context, decoded([](const Role& role) { return "w." + role.name; })),
                "  n0_Tap t;\n"};
  for (const TapField& field : context.stencil().tap) {
    const std::string name = memberName(field.name);
    if (isAbsent(context, field)) {
      tile.read += fmt::format("  t.{} = {}(0);\n", name, fieldType(context.shader, field));
      continue;
    }
    tile.arrays += fmt::format("shared {} tile_{}[CELLS];\n", cellType(context, field), field.name);
    std::string words = "t." + name, decoder;
    if (!field.from.empty()) {
      words = "w." + roleOf(context, field.from).name;
      decoder = decoderOf(context, field);
    } else if (!plainFloats(field)) {
      const std::string codec = pixelTypeName(channelsOf(field.type), field.storage);
      words = fmt::format("encode_{}(t.{})", codec, name);
      decoder = "decode_" + codec;
    }
    tile.fill += fmt::format("  tile_{}[cell] = {};\n", field.name, words);
    tile.read += fmt::format("  t.{} = {}(tile_{}[cell]);\n", name, decoder, field.name);
  }
  return tile;
}

// Pixels lie in the tile as they are stored, and are decoded at every tap.
TileText encodedTileText(const StencilContext& context) {
  TileText tile{{}, {}, sampleAndLoad(context, decoded([](const Role& role) {
                                        return "tile_" + role.name + "[cell]";
                                      }))};
  for (const Role& role : context.roles) {
    if (isSampled(role)) {
      tile.arrays += fmt::format("shared {} tile_{}[CELLS];\n",
                                 wordType(role.type.channels, role.type.format), role.name);
      tile.fill += fmt::format("  tile_{0}[cell] = w.{0};\n", role.name);
    }
  }
  return tile;
}

std::string sharedTap(const StencilContext& context) {
  const TileText tile = context.schedule().decodesAtTaps ? encodedTileText(context) : tileText(context);
  return tile.arrays + storedWords(context) + "void fillCell(int cell, Words w) {\n" + tile.fill +
         "}\nn0_Tap tapAt(int cell) {\n" + tile.read + "  return t;\n}\n";
}

}  // namespace

bool readsBytes(const StencilContext& context, const TapField& field) {
  return field.bytes && !isAbsent(context, field) && roleOf(context, field.from).type.format == Format::u8;
}

std::string tapTypes(const ShaderContext& context) {
  const ValueType state = stateType(context);
  const StencilDescription& stencil = context.node.description->stencil;
  std::string text = fmt::format("#define n0_State {}\nstruct n0_Sample {{\n  n0_State state;\n",
                                 glslType(state.channels, state.format));
  for (const Member& member : inputMembers(context)) {
    if (isFeature(stencil, member)) {
      text += fmt::format("  {} {};\n", glslType(member.type.channels, member.type.format),
                          memberName(member.name));
    }
  }
  text += "};\nstruct n0_Tap {\n";
  for (const TapField& field : stencil.tap)
    text += fmt::format("  {} {};\n", fieldType(context, field), memberName(field.name));
  text += "};\n";
  return text;
}

std::vector<ValueType> tapFieldTypes(const StencilContext& context) {
  std::vector<ValueType> types;
  for (const TapField& field : context.stencil().tap) {
    if (field.from.empty() && field.storage != Format::f32) {
      types.emplace_back();
      types.back().channels = channelsOf(field.type);
      types.back().format = field.storage;
    }
  }
  return types;
}

std::string declareTapBytes(const StencilContext& context) {
  std::set<std::string> declared;
  for (const TapField& field : context.stencil().tap)
    if (readsBytes(context, field))
      declared.insert(declareBytes(roleOf(context, field.from).type.channels));
  return fmt::format("{}", fmt::join(declared, ""));
}

std::string tapAccess(const StencilContext& context) {
  return context.schedule().shares() ? sharedTap(context) : directTap(context);
}

}  // namespace lacuna
