#include <fmt/format.h>

#include "graph/shader/generate/part_text.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/stencil_kernel.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

// The place of the thread's pixel o in the layout of the state.
std::string storedAt(const StencilContext& context, int o) {
  const int column = context.columnOf(o);
  return fmt::format("ivec2(vx{}, vy + {} * s)", column > 0 ? fmt::format(" + {} * s", column) : "",
                     context.rowOf(o));
}

// The state at the centre, as the level before left it: carried by the tap where it holds the state.
std::string centreState(const StencilContext& context, int o) {
  for (const TapField& field : context.stencil().tap)
    if (field.from == "state" && !readsBytes(context, field))
      return fmt::format("m{}.{}", o, memberName(field.name));
  return fmt::format("load_state{}({})", context.suffix(), storedAt(context, o));
}

// The result of an earlier level of a dispatch of fused levels.
std::string earlierState(int level) {
  return fmt::format("load_state{}(at)", level > 0 ? std::to_string(level) : "");
}

// Whether the pixel's window, or for columns of rows both, reaches outside.
std::string keeps(const StencilContext& context, int o) {
  const StencilUse use = context.use();
  const std::string radius = use.hasReach() ? "reach" : std::to_string(context.shader.node.radius);
  const bool both = use.isSquare() || context.stencil().support == Support::separable;
  const auto along = [&](char axis) {
    const std::string place =
        context.shader.inTiles() ? fmt::format("at.{}", axis) : fmt::format("p{}.position.{}", o, axis);
    return fmt::format("min({0}, e.{1} - 1 - {0})", place, axis);
  };
  return both ? fmt::format("min({}, {}) < {}", along('x'), along('y'), radius)
              : fmt::format("{} < {}", along(use.window == Support::row ? 'x' : 'y'), radius);
}

// The filter's result for pixel o.
std::string result(const StencilContext& context, int o) {
  const std::string filtered = fmt::format("n0_finish(a{0}, k{0}, p{0})", o);
  // The rows pass of a separable window covers all columns.
  if (!context.keepsBorder() || context.pass.window != windowsOf(context.shader.node).back())
    return filtered;
  const std::string kept =
      findRole(context.roles, "kept") != nullptr ? "load_kept(at)" : centreState(context, o);
  return fmt::format("{} ? {} : {}", keeps(context, o), kept, filtered);
}

// Sum of the details of all levels up to `last`, this one, from their states at the pixel in the original
// layout.
std::string gatheredSum(const StencilContext& context, int o, int last) {
  std::string text;
  const auto finer = [&](int level) {
    return level == last ? centreState(context, o)
           : context.fusedLevel > 0
               ? earlierState(level)
               : fmt::format("load_finer({}at)", last > 1 ? fmt::format("{}, ", level) : "");
  };
  for (int level = 0; level < last; ++level) {
    const int dilation = context.stencil().dilated ? 1 << level : 1;
    text += fmt::format(
        "    {0} n0_detail({1}, {2}, {3});\n", level == 0 ? "n0_State sum =" : "sum = sum +", finer(level),
        finer(level + 1),
        pixelText(context.shader.inTiles(), "at", "e", std::to_string(level), std::to_string(dilation)));
  }
  return text + fmt::format("    {} n0_detail({}, v, p{});\n", last == 0 ? "n0_State sum =" : "sum = sum +",
                            centreState(context, o), o);
}

std::string carriedSum(const StencilContext& context, int o) {
  if (context.fusedLevel > 0 || context.pass.first)
    return gatheredSum(context, o, context.fusedLevel);
  return fmt::format("    n0_State sum = load_sum({}) + n0_detail({}, v, p{});\n", storedAt(context, o),
                     centreState(context, o), o);
}

// The level's result as words `w` and value `v`, rounded to the state's format if it is not only stored.
std::string roundedResult(const StencilContext& context, int o) {
  const ValueType state = stateType(context.shader);
  return fmt::format("    {1} w = encode_{2}({0});\n    n0_State v = decode_{2}(w);\n", result(context, o),
                     wordType(state.channels, state.format), pixelTypeName(state.channels, state.format));
}

std::string storeFeatures(const StencilContext& context) {
  std::string text;
  for (const std::string& feature : context.stencil().features)
    if (findRole(context.roles, "out_feature_" + feature) != nullptr)
      text += fmt::format("    storeRaw_out_feature_{0}(next, raw_feature_{0}(ivec2(vx, vy)));\n", feature);
  return text;
}

// The stores of a level that another one follows in the same dispatch: into shared memory for that one, and
// for the workgroup's own pixels also into outputs.
std::string finishForNext(const StencilContext& context, int o) {
  const std::string next = fmt::format("state{}", context.fusedLevel + 1);
  std::string stores;
  if (findRole(context.roles, next) != nullptr)
    stores += fmt::format("storeRaw_{}(at, w);", next);
  if (context.pass.tapped)
    stores += fmt::format(" store_out_{}(at, v);", context.stencil().tapOutput);
  return fmt::format("    ivec2 at = {};\n", context.position(o)) + roundedResult(context, o) +
         fmt::format("    tile{0}[cell{0}(at)] = w;\n", context.fusedLevel + 1) +
         (stores.empty() ? "" : fmt::format("    if (isOwn(at)) {{ {} }}\n", stores));
}

std::string finishPixel(const StencilContext& context, int o) {
  const Synthesis synthesis = context.schedule().synthesis;
  const bool last = context.pass.last;
  const bool carries = synthesis == Synthesis::carried;
  const bool gathers = synthesis == Synthesis::gathered && last;
  const bool permuteNext = context.permutes() && !last;
  std::string text = fmt::format("    ivec2 at = {};\n", context.position(o));
  text += permuteNext
              ? "    ivec2 next = ivec2(nextPlace(vx, x, e.x, LEVEL), nextPlace(vy, y0, e.y, LEVEL));\n"
              : "    ivec2 next = at;\n";
  if (!carries && !context.pass.tapped && !context.pass.writesOutputs) {
    text += fmt::format("    store_out_state(next, {});\n", result(context, o));
    return permuteNext ? text + storeFeatures(context) : text;
  }
  text += roundedResult(context, o);
  text += carries   ? carriedSum(context, o)
          : gathers ? gatheredSum(context, o, context.shader.node.levels - 1)
                    : "";
  if (context.pass.tapped)
    text += fmt::format("    store_out_{}(at, v);\n", context.stencil().tapOutput);
  if (context.pass.writesOutputs)
    return text + fmt::format("    storeResult({}, p{});\n", carries || gathers ? "v + sum" : "v", o);
  text += carries ? "    store_out_sum(next, sum);\n" : "";
  text += "    storeRaw_out_state(next, w);\n";
  return permuteNext ? text + storeFeatures(context) : text;
}

}  // namespace

std::string finishPixels(const StencilContext& context) {
  std::string text;
  for (int o = 0; o < context.schedule().pixels(); ++o) {
    const std::string across = fmt::format("{} < e.x", context.column(o));
    const std::string down = fmt::format("{} < e.y", context.row(o));
    text += o == 0                     ? "  {\n"
            : context.columnOf(o) == 0 ? fmt::format("  if ({}) {{\n", down)
            : context.rowOf(o) == 0    ? fmt::format("  if ({}) {{\n", across)
                                       : fmt::format("  if ({} && {}) {{\n", across, down);
    text += (context.followed ? finishForNext(context, o) : finishPixel(context, o)) + "  }\n";
  }
  return text;
}

namespace {

// `int borderAt(int i, int n)`: the pixel inside that stands for position i of n, along an axis. Fewer steps,
// if the image is wider than the window, so that positions are at most n outside.
std::string borderFunction(const StencilContext& context) {
  const Extent extent = stateType(context.shader).extent;
  const bool isNear =
      std::min(extent.width, extent.height) > 2U * static_cast<uint32_t>(context.shader.node.radius) + 8U;
  const bool repeats = context.border() == BorderRule::reflect;  // the pixel at the edge comes twice
  if (!repeats && context.border() != BorderRule::reflect101)
    return "int borderAt(int i, int n) { return clamp(i, 0, n - 1); }\n";
  if (isNear) {
    return repeats ? "int borderAt(int i, int n) { return clamp(min(max(i, -1 - i), 2 * n - 1 - i), 0, n - "
                     "1); }\n"
                   : "int borderAt(int i, int n) { return clamp(n - 1 - abs(n - 1 - abs(i)), 0, n - 1); }\n";
  }
  // j % period, without the division of integers, which CPUs don't vectorise: the quotient of floats is off
  // by one at most.
  return fmt::format(R"(int borderAt(int i, int n) {{
  if (uint(i) < uint(n)) {{ return i; }}
  int period = {};
  int j = {};
  j -= int(float(j) / float(period)) * period;
  j += j < 0 ? period : 0;
  j -= j >= period ? period : 0;
  return min(j, {} - j);
}}
)",
                     repeats ? "2 * n" : "max(2 * n - 2, 1)", repeats ? "i < 0 ? -1 - i : i" : "abs(i)",
                     repeats ? "period - 1" : "period");
}

// Functions that the tap loops call.
std::string windowFunctions(const StencilContext& context) {
  return (context.use().mapsBorder() ? borderFunction(context) : "") +
         (context.stencil().weight
              ? fmt::format("float log2OfWeight(float w) {{ return w > 0.0 ? log2(w) : {}; }}\n",
                            StencilKernel::noWeight)
              : "");
}

std::string levelMain(const StencilContext& context) {
  const ThreadMapping mapping = context.schedule().family->threads(context.use(), 0);
  return fmt::format("#define LOG_DILATION {}\n", context.stencil().dilated ? "LEVEL" : "0") +
         mapping.declarations + tapAccess(context) +
         "void main() {\n  const ivec2 e = push.extent;\n  const int level = LEVEL;\n"
         "  const int s = 1 << LOG_DILATION;\n" +
         mapping.main + gatherTaps(context, mapping) + finishPixels(context) + "}\n";
}

}  // namespace

GeneratedShader stencilWeightsShader(const ShaderContext& shader, const std::vector<Role>& roles) {
  const int radius = shader.node.radius;
  GeneratedShader out;
  out.block = ownParamBlock(shader);
  out.glsl = shaderHead({64, 1, shader.inTiles()}) + out.block.glsl + declareRoles(roles) +
             stencilMacros(shader, stateType(shader)) + tapTypes(shader) +
             declareInputs(ownPrefix, inputMembers(shader)) +
             declareOutputs(ownPrefix, outputMembers(shader)) + ownBody(shader).text +
             fmt::format(
                 "#line 1 \"generated\"\nvoid main() {{\n  const int i = int(gl_GlobalInvocationID.x);\n"
                 "  if (i <= {0}) {{ array_kernel.data[i] = n0_weight(i - {1}); }}\n}}\n",
                 2 * radius, radius);
  return out;
}

GeneratedShader stencilShader(const ShaderContext& shader, const ShaderSpec& pass,
                              const std::vector<Role>& roles) {
  const std::string prefix = ownPrefix;
  const Body body = ownBody(shader);
  const StencilContext context{shader, pass, roles, body};
  const int parts = static_cast<int>(shader.node.parts.size());
  std::vector<ValueType> types = tapFieldTypes(context);
  types.push_back(stateType(shader));
  const std::vector<ValueType> results = pass.writesOutputs ? resultTypes(shader) : std::vector<ValueType>();
  types.insert(types.end(), results.begin(), results.end());
  GeneratedShader out;
  out.block = paramBlock(shader, shader.node.own, pass.writesOutputs ? parts : shader.node.own + 1);
  out.glsl =
      shaderHead({pass.schedule.workgroup[0], pass.schedule.workgroup[1], shader.inTiles(),
                  pass.schedule.family->fixesLevel()}) +
      out.block.glsl + declareRoles(roles) + declareCodecs(types, roles) + declareTapBytes(context) +
      permutationFunctions(pass.schedule.embedding) + windowFunctions(context) +
      stencilMacros(shader, findRole(roles, "state")->type) + tapTypes(shader) +
      declareInputs(prefix, inputMembers(shader)) + declareOutputs(prefix, outputMembers(shader)) +
      body.text + "#line 1 \"generated\"\n" + (pass.writesOutputs ? declareResult(shader, body) : "") +
      (pass.schedule.family->fusedLevels(context.use()).empty() ? levelMain(context) : fusedMain(context));
  return out;
}

}  // namespace lacuna
