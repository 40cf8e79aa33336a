#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/module/read_module.h"

namespace lacuna {
namespace {

constexpr int64_t maxRadius = 64;
constexpr int64_t maxPatch = 8;
constexpr int64_t maxLineRadius = 255;  // of rows and columns
constexpr int64_t maxLevels = 16;
constexpr int64_t maxBins = 1 << 16;

std::string readKnownString(TableReader& reader, const std::string& key,
                            const std::vector<std::string>& known, Need need) {
  const auto word = reader.string(key, need);
  if (word && !contains(known, *word)) {
    reportUnknownWord(reader, key, *word, known);
  }
  return word.value_or("");
}

// "local", "global", "halo(2)", "halo(156, 32)", "scale(0.5)"
std::optional<Footprint> parseFootprint(std::string_view text) {
  if (text == "local") {
    return Footprint{FootprintKind::local, 0};
  }
  if (text == "global") {
    return Footprint{FootprintKind::global, 0};
  }
  const bool halo = text.substr(0, 5) == "halo(";
  if ((!halo && text.substr(0, 6) != "scale(") || text.back() != ')') {
    return std::nullopt;
  }
  const std::string_view inside = text.substr(text.find('(') + 1).substr(0, text.size() - text.find('(') - 2);
  const size_t comma = halo ? inside.find(", ") : std::string_view::npos;
  const auto amount = parseNumber(inside.substr(0, comma));
  const auto multiple =
      comma == std::string_view::npos ? std::optional<int64_t>(1) : parseInteger(inside.substr(comma + 2));
  const bool valid = amount && (halo ? *amount >= 0 : *amount > 0) && *amount <= 1e6 && multiple &&
                     *multiple >= 1 && *multiple <= 4096;
  if (!valid) {
    return std::nullopt;
  }
  return Footprint{halo ? FootprintKind::halo : FootprintKind::scale, static_cast<float>(*amount),
                   static_cast<uint32_t>(*multiple)};
}

Footprint readFootprint(TableReader& reader, NodeKind kind) {
  const auto text = reader.string("footprint");
  if (text) {
    const auto footprint = parseFootprint(*text);
    if (!footprint) {
      reader.error("footprint", fmt::format("'{}' is not a footprint", *text),
                   "write local, halo(PIXELS), halo(PIXELS, MULTIPLE), scale(FACTOR) or global");
    }
    return footprint.value_or(Footprint{});
  }
  const bool global = kind == NodeKind::reduce || kind == NodeKind::kernel;
  return {global ? FootprintKind::global : FootprintKind::local, 0};
}

TapField readTapField(TableReader& reader) {
  TapField field;
  field.name = readName(reader, NameKind::identifier);
  field.from = reader.string("from").value_or("");
  field.type =
      readKnownString(reader, "type", tapTypeWords(), field.from.empty() ? Need::required : Need::optional);
  field.storage = readWord(reader, "storage", formatWords()).value_or(Format::f32);
  if (reader.has("from") && reader.has("storage")) {
    reader.error("storage", "a tap field has 'from' or 'storage', not both",
                 "a field with 'from' is stored in its own type");
  }
  field.bytes = reader.boolean("bytes").value_or(false);
  if (field.bytes && field.from.empty()) {
    reader.error("bytes", "only a tap field with 'from' can have 'bytes'", "`load` computes the others");
  }
  return field;
}

// Weights too small for a float are 0, as their squares would be in shaders: such taps are omitted.
void readWeights(TableReader& reader, StencilDescription& stencil) {
  using Float = std::numeric_limits<float>;
  for (const double weight : reader.numbers("weights")) {
    if (std::abs(weight) > Float::max()) {
      reader.error("weights", fmt::format("the weight {} is too large for a float", weight),
                   fmt::format("write -{0} to {0}", Float::max()));
      return;
    }
    stencil.weights.push_back(std::abs(weight) < Float::min() ? 0.0F : static_cast<float>(weight));
  }
}

// "clamp", or "@border".
BorderChoice readBorder(TableReader& reader) {
  const auto word = reader.string("border");
  if (word && word->starts_with('@')) {
    return {BorderRule::zeroWeight, word->substr(1)};
  }
  return {word ? readWord(reader, "border", borderWords()).value_or(BorderRule::zeroWeight)
               : BorderRule::unweighted,
          {}};
}

std::vector<NodeConstant> readNodeConstants(TableReader& reader) {
  std::vector<NodeConstant> constants;
  for (const auto& [name, word] : reader.stringMap("constants", true)) {
    const auto number = parseInteger(word);
    constants.push_back({name, number ? "" : word, number.value_or(0)});
  }
  return constants;
}

void readStencil(TableReader& reader, StencilDescription& stencil) {
  stencil.support = readWord(reader, "support", supportWords()).value_or(Support::square);
  const bool isLine = stencil.support != Support::square && stencil.support != Support::circular;
  stencil.radius = readCount(reader, "radius", stencil.radius.value, 0, isLine ? maxLineRadius : maxRadius);
  readWeights(reader, stencil);
  stencil.weight = reader.boolean("weight").value_or(false);
  stencil.reach = reader.boolean("reach").value_or(false);
  stencil.border = readBorder(reader);
  stencil.patch = readCount(reader, "patch", 0, 0, maxPatch);
  stencil.dilated = reader.boolean("dilated").value_or(stencil.dilated);
  stencil.levels = readCount(reader, "levels", stencil.levels.value, 1, maxLevels);
  reader.table("state", "'state'", Need::optional, [&](TableReader& state) {
    stencil.stateChannels = readWord(state, "channels", channelWords());
    stencil.stateFormat = readFormat(state, "format");
    // Channels alone: in half floats.
    if (stencil.stateChannels && !state.has("format")) {
      stencil.stateFormat = FormatChoice{};
    }
  });
  stencil.features = reader.strings("features");
  reader.tables("tap", "a field of 'tap'",
                [&](TableReader& field, size_t) { stencil.tap.push_back(readTapField(field)); });
  if (!reader.has("tap")) {
    reader.error("", "[node.stencil] has no 'tap'");
  } else if (stencil.tap.empty()) {
    reader.error("tap", "'tap' needs at least one field");
  }
  stencil.init = reader.boolean("init").value_or(false);
  stencil.synthesis = reader.boolean("synthesis").value_or(false);
  const auto level = reader.integer("tap_level", 0, maxLevels - 1);
  stencil.tapLevel = level ? std::optional<int>(static_cast<int>(*level)) : std::nullopt;
  stencil.tapOutput = reader.string("tap_output").value_or("");
  if (reader.has("tap_level") != reader.has("tap_output")) {
    reader.error(reader.has("tap_level") ? "tap_level" : "tap_output",
                 "'tap_level' and 'tap_output' need each other");
  }
}

void readReduce(TableReader& reader, ReduceDescription& reduce) {
  reduce.bins = static_cast<uint32_t>(reader.integer("bins", 0, maxBins).value_or(0));
  reduce.counts = reader.boolean("counts").value_or(false);
  if (reader.has("value")) {
    reduce.value = readKnownString(reader, "value", reduceTypeWords(), Need::optional);
  }
}

void readKernel(TableReader& reader, KernelDescription& kernel) {
  if (const toml::node* node = reader.value("workgroup")) {
    const auto workgroup = readWorkgroup(*node);
    if (!workgroup) {
      reader.error("workgroup",
                   fmt::format("'workgroup' must be [x, y], at most {} invocations in all", maxWorkgroup));
    } else {
      std::ranges::copy(*workgroup, kernel.workgroup);
    }
  }
  kernel.extentOf = reader.string("extent_of").value_or("");
  kernel.repeat = reader.string("repeat").value_or("");
  kernel.matrix = reader.boolean("matrix").value_or(false);
}

NodeInput readInput(TableReader& reader) {
  NodeInput input;
  input.name = readName(reader, NameKind::identifier);
  input.source = reader.string("source", Need::required).value_or("");
  input.feedback = reader.boolean("feedback").value_or(false);
  if (reader.has("footprint")) {
    input.footprint = readFootprint(reader, NodeKind::kernel);
  }
  return input;
}

void readPattern(TableReader& reader, NodeOutput& output) {
  const auto word = reader.string("pattern");
  if (word && word->starts_with("@")) {
    output.patternParameter = word->substr(1);
  } else if (word) {
    output.pattern = patternFromName(*word);
  }
  if (word && output.patternParameter.empty() && !output.pattern) {
    reader.error("pattern", fmt::format("'{}' is not a pattern of a mosaic", *word),
                 "4 or 36 letters of r, g and b, such as rggb; x-trans; or none");
  }
  if (word && output.channels != Channels::mosaic) {
    reader.error("pattern", "'pattern' is for outputs with channels = \"mosaic\"");
  }
}

NodeOutput readOutput(TableReader& reader) {
  NodeOutput output;
  output.name = readName(reader, NameKind::identifier);
  output.channels = readWord(reader, "channels", channelWords());
  output.format = readFormat(reader, "format");
  output.colour = readColour(reader, output.colourParameter);
  readPattern(reader, output);
  output.tile = reader.boolean("tile").value_or(false);
  output.arrayCount = readArrayCount(reader, output.tile ? anyCount - 1 : maxArrayCount);
  output.planes = readPlanes(reader);
  output.shape = readShape(reader);
  output.arrayCount = output.shape.empty() ? output.arrayCount : anyCount;
  output.kept = reader.boolean("kept").value_or(false);
  output.zeroed = reader.boolean("zeroed").value_or(false);
  output.extent = readExtent(reader);
  output.connector = reader.string("connector").value_or("");
  return output;
}

// The table that belongs to a kind: required there, an error elsewhere.
void readKindTables(TableReader& reader, NodeDescription& node, bool kindKnown) {
  const auto misplaced = [&](const std::string& key, NodeKind kind) {
    if (kindKnown && reader.has(key) && node.kind != kind) {
      reader.error(key, fmt::format("[node.{}] is for nodes of kind {}, this one is of kind {}", key,
                                    wordOf(nodeKindWords(), kind), wordOf(nodeKindWords(), node.kind)));
    }
  };
  const bool isStencil = node.kind == NodeKind::stencil;
  reader.table("stencil", "[node.stencil]", isStencil ? Need::required : Need::optional,
               [&](TableReader& table) {
                 readStencil(table, node.stencil);
                 node.constants = readNodeConstants(table);
               });
  reader.table("reduce", "[node.reduce]", Need::optional,
               [&](TableReader& table) { readReduce(table, node.reduce); });
  reader.table("kernel", "[node.kernel]", Need::optional, [&](TableReader& table) {
    readKernel(table, node.kernel);
    node.constants = readNodeConstants(table);
  });
  misplaced("stencil", NodeKind::stencil);
  misplaced("reduce", NodeKind::reduce);
  misplaced("kernel", NodeKind::kernel);
}

float largestOf(const Count& radius, const std::vector<ParameterDescription>& parameters) {
  const ParameterDescription* parameter = findNamed(parameters, radius.parameter);
  return static_cast<float>(parameter == nullptr ? radius.value : parameter->maximum.value_or(maxRadius));
}

}  // namespace

std::optional<std::array<uint32_t, 2>> readWorkgroup(const toml::node& node) {
  const toml::array* list = node.as_array();
  const auto x = list != nullptr && list->size() == 2 ? list->get(0)->value_exact<int64_t>() : std::nullopt;
  const auto y = x ? list->get(1)->value_exact<int64_t>() : std::nullopt;
  if (!x || !y || *x < 1 || *y < 1 || *x > maxWorkgroup || *y > maxWorkgroup || *x * *y > maxWorkgroup) {
    return std::nullopt;
  }
  return std::array{static_cast<uint32_t>(*x), static_cast<uint32_t>(*y)};
}

NodeDescription readNode(TableReader& reader, const std::vector<ParameterDescription>& parameters) {
  NodeDescription node;
  node.name = readName(reader);
  const auto kind = readWord(reader, "kind", nodeKindWords(), Need::required);
  node.kind = kind.value_or(NodeKind::pointwise);
  const bool isEnd = node.kind == NodeKind::source || node.kind == NodeKind::sink;
  const bool hasShader = !isEnd && node.kind != NodeKind::native;
  node.shader = reader.string("shader", kind && hasShader ? Need::required : Need::optional).value_or("");
  node.memory = reader.boolean("memory").value_or(false);
  node.largestSide = readCount(reader, "largest_side", 0, 1, maxSide);
  if (kind && !hasShader && reader.has("shader")) {
    reader.error("shader", "a source, a sink or a native node has no shader");
  }
  if (kind && !isEnd && reader.has("memory")) {
    reader.error("memory", "'memory' is for sources and sinks");
  }
  if (kind && node.kind != NodeKind::sink && reader.has("largest_side")) {
    reader.error("largest_side", "'largest_side' is for sinks");
  }
  node.footprint = readFootprint(reader, node.kind);
  node.when = reader.string("when").value_or("");
  reader.tables("inputs", "an input of a node",
                [&](TableReader& table, size_t) { node.inputs.push_back(readInput(table)); });
  reader.tables("outputs", "an output of a node",
                [&](TableReader& table, size_t) { node.outputs.push_back(readOutput(table)); });
  node.bind = reader.stringMap("bind");
  readKindTables(reader, node, kind.has_value());
  if (node.kind == NodeKind::stencil && !reader.has("footprint")) {
    node.footprint = {FootprintKind::halo,
                      largestOf(node.stencil.radius, parameters) + largestOf(node.stencil.patch, parameters)};
  }
  return node;
}

}  // namespace lacuna
