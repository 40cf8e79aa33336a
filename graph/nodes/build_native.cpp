#include "graph/nodes/build_native.h"

#include <fmt/format.h>

#include <functional>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "graph/module/registry.h"
#include "graph/values/native_type.h"

namespace lacuna {
namespace {

// The other side of lacuna_builder: its arguments, and their mistakes.
class Receiver {
 public:
  lacuna_builder table() { return {sizeof(lacuna_builder), this, nodes, shader, upload}; }

  std::string toml;
  std::map<std::string, std::string> shaders;
  std::vector<Upload> uploads;
  std::vector<std::string> mistakes;

  std::string text() const {
    std::string text = toml;
    for (const auto& [name, shader] : shaders)
      text += name + "\n" + shader;
    for (const Upload& upload : uploads) {
      text += upload.name + " " + print(upload.type) + "\n";
      text.append(reinterpret_cast<const char*>(upload.data->data()), upload.data->size());
    }
    return text;
  }

 private:
  static void nodes(void* host, const char* text) { static_cast<Receiver*>(host)->toml += text; }

  static void shader(void* host, const char* name, const void* data, size_t bytes) {
    auto* self = static_cast<Receiver*>(host);
    if (!self->shaders.emplace(name, std::string(static_cast<const char*>(data), bytes)).second)
      self->mistakes.push_back(fmt::format("the shader '{}' appears twice", name));
  }

  static void upload(void* host, const char* name, const lacuna_type* type, const void* data, size_t bytes) {
    static_cast<Receiver*>(host)->add(name, *type, data, bytes);
  }

  void add(const std::string& name, const lacuna_type& told, const void* data, size_t bytes) {
    const auto wrong = [&](const std::string& what) {
      mistakes.push_back(fmt::format("the upload '{}' {}", name, what));
    };
    const std::optional<ValueType> type = fromAbi(told);
    if (!isName(name))
      wrong("has no such name: names have letters, digits, '-' and '_'");
    if (findNamed(uploads, name) != nullptr) {
      wrong("appears twice");
      return;
    }
    if (told.count > maxArrayCount) {
      wrong(fmt::format("has {} elements, an array has at most {}", told.count, maxArrayCount));
      return;
    }
    if (!type) {
      wrong("has " + describeWrong(told));
      return;
    }
    if (!type->isArray() || type->format == Format::u8 || type->format == Format::u16) {
      wrong("is not an array of f16, f32 or u32");
      return;
    }
    if (bytes != byteSize(*type)) {
      wrong(fmt::format("has {} bytes, but {} takes {}", bytes, print(*type), byteSize(*type)));
      return;
    }
    const auto* first = static_cast<const std::byte*>(data);
    uploads.push_back({name, *type, std::make_shared<const std::vector<std::byte>>(first, first + bytes)});
  }
};

// `given`: its connector in the module, whose first type is that of zeros if nothing is connected.
ConnectorDescription inputConnector(const std::string& name, const ValueType* type,
                                    const ConnectorDescription* given = nullptr) {
  ConnectorDescription connector = given == nullptr ? ConnectorDescription{} : *given;
  connector.name = name;
  connector.optional = true;
  connector.images = false;
  if (type != nullptr) {
    connector.channels = {type->channels};
    connector.formats = {type->format};
    connector.planes = type->isPlanes();
    connector.arrayCount = connector.planes ? anyCount : type->arrayCount;
  }
  return connector;
}

// The type that the native node's output, or else its connector, states.
ConnectorDescription outputConnector(const ModuleInstance& module, const NodeOutput& output) {
  ConnectorDescription connector;
  if (const ConnectorDescription* leaves = module.description->connector(output.connector))
    connector = *leaves;
  connector.name = output.name;
  connector.direction = Direction::output;
  connector.arrayCount = output.arrayCount;
  connector.planes = output.planes.has_value();
  if (output.channels)
    connector.channels = {*output.channels};
  if (output.format)
    connector.formats = {module.valueOf(*output.format, formatWords(), output.format->value)};
  if (output.colour) {
    connector.colour =
        OrParameter<ColourTag>{module.valueOf(*output.colour, colourWords(), output.colour->value)};
  }
  return connector;
}

using Inputs = std::vector<std::pair<std::string, ValueType>>;

Inputs connectedInputs(const NodeGraph& graph, const Node& node) {
  Inputs inputs;
  for (const NamedValue& input : node.inputs)
    if (input.value)
      inputs.emplace_back(input.name, graph.values[input.value].type);
  return inputs;
}

std::optional<Receiver> callBuild(const ModuleInstance& module, const std::string& node, const Inputs& inputs,
                                  const std::function<CallContext()>& context, Diagnostics& diagnostics) {
  NativePlanes planes;
  for (const auto& [name, type] : inputs)
    planes.add(name, toAbi(type));
  Receiver receiver;
  const lacuna_builder builder = receiver.table();
  const NativeCode& code = *module.native;
  try {
    NativeCall call(context());
    const bool done =
        call.run(code.file(), "build", code.table().build, planes.list(), planes.count(), &builder);
    passOn(call, module, diagnostics);
    for (const std::string& mistake : receiver.mistakes)
      diagnostics.error(module.where, fmt::format("{}: build() of {}: {}", node, code.file(), mistake));
    return done && receiver.mistakes.empty() ? std::optional<Receiver>(std::move(receiver)) : std::nullopt;
  } catch (const FileError& error) {
    diagnostics.error(module.where, error.what());
    return std::nullopt;
  }
}

}  // namespace

std::string madeFor(const ModuleGraph& graph, const NodeByOrigin& node, int frame, HeldFiles& held,
                    Diagnostics& diagnostics) {
  const ModuleInstance& module = graph.modules[node.module];
  const auto context = [&] { return callContext(graph, module, frame, &held); };
  const auto received = callBuild(module, node.node, node.inputs, context, diagnostics);
  return received ? received->text() : "";
}

std::optional<Built> buildNative(const NodeGraph& graph, const Node& node, Diagnostics& diagnostics) {
  const ModuleInstance& module = graph.modules.modules[node.module];
  if (module.native == nullptr) {
    diagnostics.error(module.where, fmt::format("the native code of {} is not loaded", module.name()));
    return std::nullopt;
  }
  const Inputs inputs = connectedInputs(graph, node);
  const auto context = [&] { return callContext(graph.modules, module, graph.modules.firstFrame); };
  std::optional<Receiver> received = callBuild(module, node.name, inputs, context, diagnostics);
  if (!received)
    return std::nullopt;
  Built built;
  if (module.description->readsOrigin)
    built.byOrigin = {node.module, node.name, inputs, received->text()};
  BuiltNodes nodes;
  nodes.name = node.name;
  nodes.toml = std::move(received->toml);
  nodes.shaders = std::move(received->shaders);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const auto& [name, value] = node.inputs[i];
    nodes.inputs.push_back(inputConnector(name, value ? &graph.values[value].type : nullptr,
                                          module.description->connector(node.description->inputs[i].source)));
  }
  for (const Upload& upload : received->uploads)
    nodes.inputs.push_back(inputConnector("upload." + upload.name, &upload.type));
  for (const NodeOutput& output : node.description->outputs)
    nodes.outputs.push_back(outputConnector(module, output));
  built.uploads = std::move(received->uploads);
  built.module.description = readBuilt(*module.description, nodes, diagnostics);
  built.module.instance = module.instance;
  built.module.where = module.where;
  built.module.parameters = module.parameters;
  built.module.builtFrom = node.description->name;
  if (built.module.description == nullptr) {
    diagnostics.error(module.where, fmt::format("{}: what build() of {} made has errors", node.name,
                                                module.native->file()));
    return std::nullopt;
  }
  const auto& made = built.module.description->nodes;
  const auto isHost = [](const NodeDescription& each) { return each.kind == NodeKind::host; };
  if (const NodeDescription* host = findWhere(made, isHost)) {
    if (module.native->table().compute == nullptr) {
      diagnostics.error(module.where,
                        fmt::format("{} has no compute(), but its build() made the host node '{}'",
                                    module.native->file(), host->name));
      return std::nullopt;
    }
    built.module.native = module.native;
  }
  return built;
}

}  // namespace lacuna
