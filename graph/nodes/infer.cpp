#include "graph/nodes/wiring.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/lists.h"
#include "graph/module/words.h"
#include "graph/nodes/output_extent.h"
#include "graph/nodes/tiles.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

class Inference {
 public:
  Inference(Wiring& wiring, const SourceTypes& sources, Diagnostics& diagnostics)
      : graph_(wiring.graph),
        wiring_(wiring),
        sources_(sources),
        diagnostics_(diagnostics),
        typed_(graph_.values.size(), false),
        done_(graph_.nodes.size(), false) {
    for (const ValueId value : graph_.values.ids())
      typed_[value] = graph_.values[value].type.isArray() || pixelCount(graph_.values[value].type.extent) > 0;
  }

  Table<ValueId, bool> run() {
    typeSources();
    while (typeNodes(Wait::forAll) || typeFeedback() || typeNodes(Wait::forFirst) ||
           typeNodes(Wait::forCurrent) || buildNodes()) {
    }
    return std::move(typed_);
  }

 private:
  const ModuleInstance& instance(const Node& node) const { return graph_.modules.modules[node.module]; }

  void set(ValueId value, const ValueType& type) {
    graph_.values[value].type = type;
    typed_[value] = true;
  }

  void typeSources() {
    const std::map<std::string, ValueType> none;
    for (const NodeId id : graph_.nodes.ids()) {
      const Node& node = graph_.nodes[id];
      if (node.kind != NodeKind::source)
        continue;
      done_[id] = true;
      const auto known = sources_.find(node.module);
      const std::map<std::string, ValueType>& types = known == sources_.end() ? none : known->second;
      for (const NamedValue& output : node.outputs) {
        const auto found = types.find(output.name);
        if (found != types.end())
          setDelivered(node, output, found->second);
        else if (!types.empty())
          diagnostics_.error(instance(node).where,
                             fmt::format("{} has no '{}'", instance(node).name(), output.name));
      }
      if (types.empty() && !diagnostics_.hasErrors())
        diagnostics_.error(instance(node).where,
                           fmt::format("{} has no input to read", instance(node).name()));
    }
  }

  void setDelivered(const Node& node, const NamedValue& output, const ValueType& type) {
    set(output.value, type);
    const std::string source = node.description->name + "." + output.name;
    if (instance(node).description->isPlanes(source) && !type.isPlanes())
      diagnostics_.error(instance(node).where, fmt::format("{}: '{}' must be planes, but its probe() says {}",
                                                           instance(node).name(), output.name, print(type)));
  }

  // What a node waits for. A `feedback:` line may close a loop of modules: its first pointwise node whose own
  // type doesn't depend on the loop then gives the others theirs.
  enum class Wait { forAll, forFirst, forCurrent };

  bool typeNodes(Wait wait) {
    bool changed = false;
    for (const NodeId id : graph_.nodes.ids()) {
      if (done_[id] || graph_.nodes[id].kind == NodeKind::native || !isReady(graph_.nodes[id], wait))
        continue;
      done_[id] = typeNode(graph_.nodes[id]);
      changed = changed || done_[id];
    }
    return changed;
  }

  // Replaces one native node whose inputs have types, if there is one, by its built nodes.
  bool buildNodes() {
    for (const NodeId id : graph_.nodes.ids()) {
      const Node& node = graph_.nodes[id];
      const bool isTyped = std::ranges::all_of(
          node.inputs, [&](const NamedValue& input) { return !input.value || typed_[input.value]; });
      if (done_[id] || node.kind != NodeKind::native || !isTyped)
        continue;
      done_[id] = true;
      if (std::optional<Built> built = buildNative(graph_, node, diagnostics_)) {
        const std::optional<NativeNode> native = nativeInTiles(graph_, node, *built->module.description);
        if (built->byOrigin)
          graph_.byOrigin.push_back(*built->byOrigin);
        const size_t count = replaceNative(wiring_, id, std::move(*built), diagnostics_);
        const auto place = done_.erase(done_.begin() + static_cast<std::ptrdiff_t>(id.index()));
        done_.insert(place, count, false);
        while (typed_.size() < graph_.values.size())
          typed_.push_back(graph_.values[typed_.next()].constant != nullptr);
        if (native)
          graph_.natives.push_back(*native);
      }
      return true;
    }
    return false;
  }

  bool typeFeedback() {
    bool changed = false;
    for (const ValueId value : graph_.values.ids()) {
      const ValueId of = graph_.values[value].feedbackOf;
      if (typed_[value] || !of || !typed_[of])
        continue;
      set(value, graph_.values[of].type);
      changed = true;
    }
    return changed;
  }

  // forAll: the module's input, and all of the node's but those of its previous frame. forFirst: the module's
  // and the node's first. forCurrent: all that aren't of the previous frame.
  bool isReady(const Node& node, Wait wait) const {
    const ValueId own = moduleInputValue(node);
    if (wait != Wait::forCurrent && own && !typed_[own])
      return false;
    if (wait == Wait::forFirst)
      return node.kind == NodeKind::pointwise && imageType(node.inputs.front().value) != nullptr;
    return std::ranges::all_of(node.inputs, [&](const NamedValue& input) {
      return !input.value || typed_[input.value] || graph_.values[input.value].feedback;
    });
  }

  const ValueType* imageType(ValueId value) const {
    const bool known = value && typed_[value] && !graph_.values[value].type.isArray();
    return known ? &graph_.values[value].type : nullptr;
  }

  const ValueType* planesType(const Node& node, const NamedValue& input) const {
    const bool isTyped = input.value && typed_[input.value];
    const bool known = isTyped && graph_.values[input.value].type.isPlanes() &&
                       takesPlanes(*instance(node).description, *node.description, input.name);
    return known ? &graph_.values[input.value].type : nullptr;
  }

  const ValueType* firstPlanes(const Node& node) const {
    for (const NamedValue& input : node.inputs)
      if (const ValueType* type = planesType(node, input))
        return type;
    return nullptr;
  }

  // An image, or planes.
  const ValueType* inputNamed(const Node& node, const std::string& name) const {
    const ValueId value = valueNamed(node.inputs, name);
    const ValueType* image = imageType(value);
    return image != nullptr ? image : planesType(node, {name, value});
  }

  const ValueType* firstImage(const Node& node) const {
    if (node.kind == NodeKind::stencil)
      if (const ValueType* state = inputNamed(node, "state"))
        return state;
    for (const NamedValue& input : node.inputs)
      if (const ValueType* type = imageType(input.value))
        return type;
    if (const ValueType* planes = firstPlanes(node))
      return planes;
    return moduleInput(node);
  }

  ValueId moduleInputValue(const Node& node, const std::string& name = "input") const {
    const std::map<std::string, ValueId>& inputs = wiring_.moduleInputs[node.module];
    const auto found = inputs.find(name);
    return found == inputs.end() ? ValueId{} : found->second;
  }
  const ValueType* moduleInput(const Node& node) const { return imageType(moduleInputValue(node)); }

  // False if the input whose type the outputs have has no type yet.
  bool typeNode(const Node& node) {
    isWrong_ = false;
    const ValueType* first = firstImage(node);
    std::vector<std::pair<ValueId, ValueType>> types;
    for (const NamedValue& output : node.outputs) {
      const NodeOutput* description = findNamed(node.description->outputs, output.name);
      const bool isTap = output.name == node.description->stencil.tapOutput;
      const std::optional<ValueType> type =
          isTap ? stateType(node, first) : outputType(node, *description, first);
      if (!type)
        return isWrong_;
      types.emplace_back(output.value, *type);
    }
    for (const auto& [value, type] : types)
      set(value, type);
    return true;
  }

  static std::optional<ValueType> stateType(const Node& node, const ValueType* state) {
    if (state == nullptr)
      return std::nullopt;
    return stateTypeOf(node, *state);
  }

  std::optional<ValueType> outputType(const Node& node, const NodeOutput& output, const ValueType* first) {
    const ValueType* like = output.connector.empty() ? nullptr : moduleInput(node);
    if (like == nullptr)
      like = first;
    ValueType type;
    if (output.planes) {
      const std::optional<ValueType> planes = planesOf(node, output, first);
      if (!planes)
        return std::nullopt;
      type = *planes;
    } else if (output.arrayCount > 0) {
      const std::optional<ValueType> array = arrayOf(node, output);
      if (!array)
        return std::nullopt;
      type = *array;
    } else if (first == nullptr) {
      const std::optional<Extent> extent = statesOutputs(node.kind) ? ownExtent(node, output) : std::nullopt;
      if (!extent)
        return std::nullopt;
      type = {Channels::rgba, Format::f16, ColourTag::data, *extent, 0};
    } else {
      type = *like;
      type.arrayCount = 0;
      const std::optional<Extent> extent = extentOf(node, output, *first);
      if (!extent)
        return std::nullopt;
      type.extent = *extent;
    }
    applyConnector(node, output, type);
    const ModuleInstance& owner = instance(node);
    type.channels = output.channels.value_or(type.channels);
    setPattern(node, output, first, type);
    if (output.format)
      type.format = owner.valueOf(*output.format, formatWords(), type.format);
    if (output.colour)
      type.colour = owner.valueOf(*output.colour, colourWords(), type.colour);
    return type;
  }

  // Passes on the input's pattern, if it has one. In a window the pattern begins at another of its pixels.
  void setPattern(const Node& node, const NodeOutput& output, const ValueType* first, ValueType& type) const {
    const ModuleInstance& owner = instance(node);
    const bool isWindow = first != nullptr && output.extent && output.extent->window;
    const ValueType* of = isWindow ? relativeTo(node, *output.extent, first) : nullptr;
    if (output.pattern)
      type.pattern = owner.valueOf(*output.pattern, patternWords(), type.pattern);
    else if (of != nullptr)
      type.pattern = movedTo(type.pattern, windowStart(owner, *output.extent, *of));
    if (type.channels != Channels::mosaic)
      type.pattern = {};
  }

  // The size of an image that isn't taken from another one, if its whole type is stated. Reports a missing
  // type if no other type can still be found.
  std::optional<Extent> ownExtent(const Node& node, const NodeOutput& output) {
    const ModuleInstance& owner = instance(node);
    const std::optional<Extent> extent = output.extent ? fixedExtent(owner, *output.extent) : std::nullopt;
    const auto* connector =
        output.connector.empty() ? nullptr : owner.description->connector(output.connector);
    const bool hasType = output.planes || statesType(output, connector);
    const bool hasColour =
        output.planes || output.colour || (connector != nullptr && connector->colour.has_value());
    const bool waits = isWaiting(node);
    if (extent && hasType && (hasColour || !waits))
      return outputExtent(owner, *output.extent, {Channels::rgba, Format::f16, ColourTag::data, *extent, 0},
                          diagnostics_);
    if (!waits) {
      reportUnlike(node, output, hasType);
      isWrong_ = true;
    }
    return std::nullopt;
  }

  static bool statesType(const NodeOutput& output, const ConnectorDescription* connector) {
    return (output.channels || (connector != nullptr && connector->channels.size() == 1)) &&
           (output.format || (connector != nullptr && connector->formats.size() == 1));
  }

  // Whether some image that may give outputs their type has no type yet.
  bool isWaiting(const Node& node) const {
    const auto isUntyped = [&](ValueId value) { return value && !typed_[value]; };
    return isUntyped(moduleInputValue(node)) ||
           std::ranges::any_of(node.inputs, [&](const NamedValue& input) { return isUntyped(input.value); });
  }

  void reportUnlike(const Node& node, const NodeOutput& output, bool hasType) {
    const ModuleInstance& owner = instance(node);
    if (!hasType)
      diagnostics_.error(owner.where,
                         fmt::format("{}: '{}' has no image whose channels and format it could have",
                                     node.name, output.name),
                         "write both at the node's output");
    if (!output.extent)
      diagnostics_.error(
          owner.where, fmt::format("{}: '{}' has no image whose size it could have", node.name, output.name),
          "write extent = { width = ..., height = ... } at the node's output");
    else
      reportNoExtent(owner, *output.extent, output.name, diagnostics_);
  }

  void applyConnector(const Node& node, const NodeOutput& output, ValueType& type) const {
    const ConnectorDescription* connector =
        output.connector.empty() ? nullptr : instance(node).description->connector(output.connector);
    if (connector == nullptr)
      return;
    if (connector->channels.size() == 1)
      type.channels = connector->channels.front();
    if (connector->formats.size() == 1)
      type.format = connector->formats.front();
    if (connector->colour)
      type.colour = connector->colour->value;
  }

  // As in its description, or the number and shape of the node's first array; nullopt if that has no type
  // yet, or there is none.
  std::optional<ValueType> arrayOf(const Node& node, const NodeOutput& output) {
    ValueType type{Channels::y, Format::f32, ColourTag::data, {}, output.arrayCount};
    if (!output.shape.empty())
      return shapedArray(node, output, type);
    if (output.arrayCount != anyCount)
      return type;
    for (const NamedValue& input : node.inputs)
      if (input.value && typed_[input.value] && graph_.values[input.value].type.isArray()) {
        type.arrayCount = graph_.values[input.value].type.arrayCount;
        type.shape = graph_.values[input.value].type.shape;
        return type;
      }
    return std::nullopt;
  }

  std::optional<ValueType> shapedArray(const Node& node, const NodeOutput& output, ValueType type) {
    std::map<std::string, ValueType> inputs;
    for (const NamedValue& input : node.inputs) {
      const auto isOfInput = [&](const std::string& name) {
        const auto size = inputSize(name);
        return size && size->input == input.name;
      };
      const auto isUsed = [&](const Formula& size) { return std::ranges::any_of(size.names(), isOfInput); };
      if (input.value && !typed_[input.value] && std::ranges::any_of(output.shape, isUsed))
        return std::nullopt;
      if (input.value && typed_[input.value])
        inputs[input.name] = graph_.values[input.value].type;
    }
    const std::optional<std::vector<uint32_t>> sizes =
        statedSizes(instance(node), output.shape, output.name, inputs, diagnostics_);
    isWrong_ = !sizes;
    if (!sizes)
      return std::nullopt;
    setSizes(type, *sizes);
    return type;
  }

  std::optional<ValueType> planesOf(const Node& node, const NodeOutput& output, const ValueType* first) {
    const std::optional<Extent> extent =
        first == nullptr ? ownExtent(node, output) : extentOf(node, output, *first);
    if (!extent)
      return std::nullopt;
    const ValueType* like = output.extent ? relativeTo(node, *output.extent, first) : first;
    const ValueType* input = firstPlanes(node);
    const PlanesRequest request{&output, like == nullptr ? ValueType{} : *like,
                                input == nullptr ? 0 : planeCount(*input), *extent,
                                isRead(node, output.name)};
    const std::optional<uint32_t> count = outputPlanes(instance(node), request, diagnostics_);
    isWrong_ = isWrong_ || !count;
    if (!count)
      return std::nullopt;
    const uint64_t elements = std::min<uint64_t>(*count * pixelCount(*extent), maxArrayCount);
    return ValueType{Channels::y, Format::f32, ColourTag::data, *extent, static_cast<uint32_t>(elements)};
  }

  // Outputs that nothing reads may be larger than an array: they are dropped.
  bool isRead(const Node& node, const std::string& output) const {
    const ValueId value = valueNamed(node.outputs, output);
    const auto isIt = [&](const NamedValue& input) {
      return input.value && (input.value == value || graph_.values[input.value].feedbackOf == value);
    };
    return node.description->isSpirv() || std::ranges::any_of(graph_.nodes, [&](const Node& reader) {
             return std::ranges::any_of(reader.inputs, isIt);
           });
  }

  std::optional<Extent> extentOf(const Node& node, const NodeOutput& output, const ValueType& first) {
    if (output.extent)
      return statedExtent(node, *output.extent, first);
    const ValueType* chosen =
        node.kind == NodeKind::kernel ? inputNamed(node, node.description->kernel.extentOf) : nullptr;
    const Extent extent = chosen != nullptr ? chosen->extent : first.extent;
    const Footprint& footprint = node.description->footprint;
    return footprint.kind == FootprintKind::scale ? scaledExtent(extent, footprint.amount) : extent;
  }

  // The image or planes that an extent is relative to; null if there is none, or it has no type yet.
  const ValueType* relativeTo(const Node& node, const OutputExtent& wanted, const ValueType* first) const {
    if (wanted.of.empty())
      return first;
    const ValueId of = moduleInputValue(node, wanted.of);
    if (!of || !typed_[of])
      return nullptr;
    const ValueType& type = graph_.values[of].type;
    return !type.isArray() || type.isPlanes() ? &type : nullptr;
  }

  std::optional<Extent> statedExtent(const Node& node, const OutputExtent& wanted, const ValueType& first) {
    const ValueType* of = relativeTo(node, wanted, &first);
    if (of == nullptr)
      return std::nullopt;
    std::optional<Extent> extent = outputExtent(instance(node), wanted, *of, diagnostics_);
    isWrong_ = !extent;
    if (extent && wanted.only == "width")
      extent->height = first.extent.height;
    if (extent && wanted.only == "height")
      extent->width = first.extent.width;
    return extent;
  }

  NodeGraph& graph_;
  Wiring& wiring_;
  const SourceTypes& sources_;
  Diagnostics& diagnostics_;
  Table<ValueId, bool> typed_;
  Table<NodeId, bool> done_;
  bool isWrong_ = false;  // the node, as it was reported
};

}  // namespace

Table<ValueId, bool> inferTypes(Wiring& wiring, const SourceTypes& sources, Diagnostics& diagnostics) {
  return Inference(wiring, sources, diagnostics).run();
}

}  // namespace lacuna
