#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "graph/shader/generate/array_view.h"
#include "graph/shader/generate/body_context.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna {

namespace {

// `push.extent` where an extent is the dispatch's.
std::string extentText(Extent extent, Extent dispatched) {
  return extent == dispatched ? "push.extent" : fmt::format("ivec2({}, {})", extent.width, extent.height);
}

std::string planeElement(const Member& member, const Role* role) {
  if (role == nullptr)
    return fmt::format("array_{}.data[0 * int((plane) + (i))]", member.name);
  return fmt::format("array_{}.data[(plane) * {} + (i)]", member.name, pixelCount(member.type.extent));
}

// A kernel's view of planes, macros around their buffer (roles.h): `planes_<name>` (0: an input that is not
// connected), `extent_<name>` and `at_<name>(plane, i)`, an lvalue: pixel i = y * width + x of a plane; for
// missing planes, one variable, whatever the indices. `role`: null then.
std::string declarePlanes(const Member& member, const Role* role, Extent dispatched) {
  const bool isAbsent = !member.connected && member.isInput;
  const Extent extent = isAbsent ? Extent{} : member.type.extent;
  return fmt::format("#define planes_{0} {1}\n#define extent_{0} {2}\n#define at_{0}(plane, i) {3}\n",
                     member.name, isAbsent ? 0 : planeCount(member.type), extentText(extent, dispatched),
                     planeElement(member, role));
}

// Whether the body calls that function and doesn't define one of that name.
bool calls(const Body& body, const char* function) {
  return body.text.find(function) != std::string::npos && !body.defines(function);
}

// Whether it makes an array of the whole picture, by accesses of that kind.
bool makesArrays(const ShaderContext& context, const std::vector<Role>& roles, AccessKind kind) {
  return std::ranges::any_of(roles, [&](const Role& role) {
    const ValueId value = valueNamed(context.node.outputs, role.name);
    return role.type.isArray() && role.kind == kind && !(value && context.graph.values[value].tile);
  });
}

// Facts of arrays that the body uses: the number of elements, for inputs 0 if nothing is connected, and
// others.
std::string counts(const ShaderContext& context, const std::string& body) {
  std::string text;
  for (const auto& members : {inputMembers(context), outputMembers(context)}) {
    for (const Member& member : members) {
      const bool isConnected = member.connected || !member.isInput;
      text += describeArray({member.name, member.type, isConnected, member.connected}, body);
    }
  }
  return text;
}

// Inputs that are not connected read as zeros.
std::string absentInputs(const ShaderContext& context, const std::string& body) {
  std::string text;
  for (const Member& member : inputMembers(context)) {
    if (!member.connected) {
      text += member.type.isArray()
                  ? standInArray(member.name, member.type, body)
                  : fmt::format("{0} load_{1}(ivec2 p) {{ return {0}(0); }}\n",
                                glslType(member.type.channels, member.type.format), member.name);
    }
  }
  return text;
}

// Stores to outputs that nothing reads do nothing. Indices of their arrays are made 0 (BodyRequest).
std::string unwantedOutputs(const ShaderContext& context, const std::string& body, Extent dispatched) {
  const auto extentOf = [&](const ValueType& type) {
    return context.inTiles() ? shrunk("wholeExtent()", shrinkOf(type.extent, *context.tile))
                             : extentText(type.extent, dispatched);
  };
  std::string text;
  for (const Member& member : outputMembers(context)) {
    if (member.connected)
      continue;
    const ValueType& type = member.type;
    text += type.isArray() ? standInArray(member.name, type, body)
                           : fmt::format("#define extent_{0} {1}\nvoid store_{0}(ivec2 p, {2} v) {{}}\n",
                                         member.name, extentOf(type), glslType(type.channels, type.format));
  }
  return text;
}

// The names of images with push constants for their extents.
std::vector<std::string> ownExtents(const ShaderContext& context, const std::vector<Role>& roles,
                                    Extent dispatched) {
  std::vector<std::string> names;
  for (const Role& role : roles)
    if (!context.inTiles() && hasOwnExtent(role, dispatched))
      names.push_back(role.name);
  return names;
}

// The names of addresses, in the order of the pass's accesses.
std::vector<std::string> addresses(const std::vector<Role>& roles) {
  std::vector<std::string> names;
  for (const Role& role : roles)
    if (role.byAddress)
      names.push_back(role.name);
  return names;
}

std::string planes(const ShaderContext& context, const std::vector<Role>& roles, Extent dispatched) {
  std::string text;
  for (const auto& members : {inputMembers(context), outputMembers(context)})
    for (const Member& member : members)
      text += member.type.isPlanes() ? declarePlanes(member, findRole(roles, member.name), dispatched) : "";
  return text;
}

// Constants of the node, then those of the variant; constant_id 0 is the level's.
std::string constants(const ShaderContext& context, const KernelSchedule& schedule) {
  std::string text;
  size_t id = 0;
  const auto specialized = [&](const char* type, const std::string& name, const std::string& value) {
    text += fmt::format("layout(constant_id = {}) const {} {} = {};\n", id, type, name, value);
  };
  const std::vector<NodeConstant>& own = context.node.description->constants;
  for (size_t i = 0; i < own.size(); ++i) {
    ++id;
    if (own[i].parameter.empty()) {
      text += fmt::format("const int {} = {};\n", own[i].name, own[i].number);
      continue;
    }
    const ModuleId module = context.node.module;
    const ModuleDescription& owner = *context.graph.modules.modules[module].description;
    const int32_t value = context.node.constants[i];
    const ParameterType type = owner.parameter(own[i].parameter)->type;
    if (type == ParameterType::integer)
      specialized("int", own[i].name, std::to_string(value));
    else if (type == ParameterType::floating)
      specialized("float", own[i].name, literal(std::bit_cast<float>(value)));
    else
      text += fmt::format("#define {} {}\n", own[i].name, value);
  }
  for (size_t i = 0; i < schedule.constants.size(); ++i) {
    ++id;
    if (schedule.variant->matrix2)  // matrix types depend on them, which the compiler must know
      text += fmt::format("const int {} = {};\n", schedule.variant->constants[i].name, schedule.constants[i]);
    else
      specialized("int", schedule.variant->constants[i].name, std::to_string(schedule.constants[i]));
  }
  return text;
}

// The macros of typeMacros() for each image, and word_NAME, the type of a stored pixel (raw_NAME reads one),
// with decode_NAME or encode_NAME.
std::string formatsOf(const ShaderContext& context) {
  std::string text = declareFormats();
  const auto add = [&](const Member& member, const char* codec) {
    const ValueType& type = member.type;
    if (type.isArray())
      return;
    text += typeMacros(member) + fmt::format("#define word_{0} {1}\n#define {2}_{0} {2}_{3}\n", member.name,
                                             wordType(type.channels, type.format), codec,
                                             pixelTypeName(type.channels, type.format));
  };
  for (const Member& member : inputMembers(context))
    add(member, "decode");
  for (const Member& member : outputMembers(context))
    add(member, "encode");
  return text;
}

// Whether invocations are pixels.
bool isOverPixels(const ShaderContext& context, const std::vector<Role>& roles, Extent dispatched) {
  if (!context.node.description->kernel.invocations.empty())
    return false;
  const std::string& named = context.node.description->kernel.extentOf;
  const Role* role = findRole(roles, named.empty() ? context.node.description->outputs.front().name : named);
  return role != nullptr ? !role->type.isArray() : std::ranges::any_of(roles, [&](const Role& each) {
    return !each.type.isArray() && !hasOwnExtent(each, dispatched);
  });
}

// In tiles a body must not use places of workgroups for pixels, and must ask whether a tile has the pixels of
// an array's element.
void checkTileBody(const ShaderContext& context, const Body& body, const std::vector<Role>& roles,
                   bool overPixels) {
  const std::string& file = context.variant.empty() ? context.node.description->shader : context.variant;
  const auto refuse = [&](const std::string& why, const char* hint) {
    throw ShaderSourceError(
        {{.file = instanceOf(context.graph, context.node).description->folder + "/" + file,
          .message = fmt::format("{} can't run in tiles: its body {}", context.node.name, why),
          .hint = fmt::format("{}; or let the graph take more of the device's memory", hint)}});
  };
  for (const char* place : {"gl_GlobalInvocationID", "gl_WorkGroupID", "gl_NumWorkGroups"})
    if (overPixels && body.text.find(place) != std::string::npos)
      refuse(fmt::format("uses {}, which isn't a place in the picture", place), "p.position is");
  const bool adds = makesArrays(context, roles, AccessKind::readWrite);
  if (adds && !calls(body, "ownsPixel")) {
    refuse("doesn't ask whether a pixel is one that a tile adds", "ownsPixel(p) tells");
  } else if (!adds && makesArrays(context, roles, AccessKind::write) && !calls(body, "hasPixels")) {
    refuse("doesn't ask whether a tile has the pixels that an element is made of",
           "hasPixels(first, last) tells");
  }
}

// A body whose invocations work together is written for the workgroup that its node states.
void checkWorkgroup(const ShaderContext& context, const Body& body) {
  const NodeDescription& node = *context.node.description;
  if (!context.variant.empty() || node.kernel.workgroup[0] > 0 || node.kernel.matrix)
    return;
  for (const char* word : {"barrier", "gl_WorkGroupSize", "gl_LocalInvocationID", "gl_LocalInvocationIndex"})
    if (calls(body, word) || (*word == 'g' && body.text.find(word) != std::string::npos)) {
      throw ShaderSourceError(
          {{.file = instanceOf(context.graph, context.node).description->folder + "/" + node.shader,
            .message = fmt::format("{} uses {}, but doesn't state its workgroup", context.node.name, word),
            .hint = "state the one that the body is written for: workgroup = [16, 16] below [node.kernel]"}});
    }
}

// `partOrigin()`, which the head has in tiles. `hasPixels(first, last)`: always, except in tiles: there
// inputs are right within the node's halo around the core. `ownsPixel(p)`: in tiles only one has it in its
// core.
std::string pixelQuery(const ShaderContext& context, const Body& body) {
  const bool asks = calls(body, "hasPixels"), owns = calls(body, "ownsPixel");
  if (!context.inTiles()) {
    const bool places = calls(body, "partOrigin");
    return std::string(asks ? "bool hasPixels(ivec2 first, ivec2 last) { return true; }\n" : "") +
           (owns ? "bool ownsPixel(ivec2 p) { return true; }\n" : "") +
           (places ? "ivec2 partOrigin() { return ivec2(0); }\n" : "");
  }
  std::string own = owns ? "bool ownsPixel(ivec2 p) { return inCore(p - partOrigin()); }\n" : "";
  if (!asks)
    return own;
  const Footprint& footprint = context.node.description->footprint;
  return own + fmt::format(R"(bool hasPixels(ivec2 first, ivec2 last) {{
  first -= partOrigin();
  last -= partOrigin();
  return all(greaterThanEqual(first, ivec2(push.coreX, push.coreY) - {0})) &&
         all(lessThan(last, ivec2(push.coreEndX, push.coreEndY) + {0}));
}}
)",
                           static_cast<int>(footprint.kind == FootprintKind::halo ? footprint.amount : 0.0F));
}

}  // namespace

GeneratedShader kernelShader(const ShaderContext& context, const ShaderSpec& spec,
                             const std::vector<Role>& roles, Extent dispatched) {
  const std::string prefix = ownPrefix;
  const KernelSchedule& schedule = spec.kernel;
  const std::array<uint32_t, 2>& workgroup = schedule.workgroup;
  const Body body = ownBody(context);
  checkWorkgroup(context, body);
  const bool overPixels = isOverPixels(context, roles, dispatched);
  const uint32_t shrink = context.inTiles() && overPixels ? shrinkOf(dispatched, *context.tile) : 1;
  if (context.inTiles())
    checkTileBody(context, body, roles, overPixels);
  GeneratedShader out;
  out.block = ownParamBlock(context);
  // Every invocation calls run(), also those outside the extent, because it may have barriers.
  out.glsl = shaderHead({workgroup[0], workgroup[1], context.inTiles(), false,
                         ownExtents(context, roles, dispatched), addresses(roles),
                         arrayExtensions(roles) + (spec.matrices ? matrixExtensions(*spec.matrices) : "")}) +
             constants(context, schedule) + out.block.glsl +
             declareRoles(roles, {dispatched, body.text, context.tile}) + absentInputs(context, body.text) +
             unwantedOutputs(context, body.text, dispatched) + counts(context, body.text) +
             planes(context, roles, dispatched) + formatsOf(context) +
             declareInputs(prefix, inputMembers(context)) + declareWanted(prefix, outputMembers(context)) +
             pixelQuery(context, body) + body.text + "#line 1 \"generated\"\nvoid main() {\n" +
             fmt::format("  {}_run({});\n}}\n", prefix,
                         pixelText(context.inTiles() && overPixels, "ivec2(gl_GlobalInvocationID.xy)",
                                   "push.extent", "0", "1", shrink));
  return out;
}

}  // namespace lacuna
