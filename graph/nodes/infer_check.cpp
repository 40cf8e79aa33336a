#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/nodes/module_file.h"
#include "graph/nodes/output_extent.h"
#include "graph/nodes/wiring.h"

namespace lacuna {
namespace {

bool hasColour(const ValueType& type) {
  return !type.isArray() && (type.channels == Channels::rgb || type.channels == Channels::rgba);
}

template <typename T>
std::string oneOf(const std::vector<T>& choices) {
  std::vector<std::string> names;
  for (const T& choice : choices)
    names.emplace_back(name(choice));
  return joinChoices(names);
}

std::string shape(uint32_t arrayCount) {
  if (arrayCount == anyCount)
    return "an array";
  return arrayCount > 0 ? fmt::format("an array of {}", arrayCount) : std::string("an image");
}
std::string shape(const ConnectorDescription& connector) {
  return connector.planes   ? "planes"
         : connector.images ? "an image or an array"
                            : shape(connector.arrayCount);
}
std::string shape(const ValueType& type) {
  return type.isPlanes() ? fmt::format("{} planes", planeCount(type)) : shape(type.arrayCount);
}

std::string size(Extent extent) {
  return fmt::format("{}x{}", extent.width, extent.height);
}

class TypeCheck {
 public:
  TypeCheck(const Wiring& wiring, const Table<ValueId, bool>& typed, Diagnostics& diagnostics)
      : wiring_(wiring),
        graph_(wiring.graph),
        typed_(typed),
        diagnostics_(diagnostics),
        isMistaken_(graph_.modules.modules.size()) {}

  void run() {
    for (const ModuleId module : graph_.modules.modules.ids()) {
      checkConnections(module);
      checkColours(module);
    }
    for (const Node& node : graph_.nodes) {
      checkExtents(node);
      checkSides(node);
      checkInvocations(node);
      if (!node.description->replaces.empty())
        checkReplaced(node);
      // Consequences of a wrong connection are not reported again.
      if (node.kind == NodeKind::stencil && !node.description->stencil.init && !isMistaken_[node.module])
        checkState(node);
    }
    reportUntyped();
  }

 private:
  const ValueType* typeOf(ValueId value) const {
    return value && typed_[value] ? &graph_.values[value].type : nullptr;
  }

  const ValueType* incoming(ModuleId module, const std::string& connector) const {
    const auto found = wiring_.moduleInputs[module].find(connector);
    return found == wiring_.moduleInputs[module].end() ? nullptr : typeOf(found->second);
  }

  void checkConnections(ModuleId module) {
    const ModuleInstance& owner = graph_.modules.modules[module];
    for (const auto& [name, connection] : owner.inputs) {
      const ConnectorDescription* wanted = owner.description->connector(name);
      const ValueType* given = incoming(module, name);
      if (wanted != nullptr && given != nullptr)
        checkConnection(module, *wanted, connection, *given);
    }
  }

  void checkConnection(ModuleId module, const ConnectorDescription& wanted,
                       const ModuleConnection& connection, const ValueType& given) {
    const ModuleInstance& owner = graph_.modules.modules[module];
    const auto mismatch = [&](std::string_view takes, std::string_view is, std::string hint = {}) {
      isMistaken_[module] = true;
      const ModuleInstance& producer = graph_.modules.modules[connection.producer];
      diagnostics_.error(connection.where,
                         fmt::format("{}:{} takes {}, but {}:{} is {}", owner.name(), wanted.name, takes,
                                     producer.name(), connection.connector, is),
                         std::move(hint));
    };
    const bool anyArray =
        (wanted.arrayCount == anyCount && given.isArray()) || (wanted.images && !given.isArray());
    if ((wanted.arrayCount != given.arrayCount && !anyArray) || (wanted.planes && !given.isPlanes())) {
      mismatch(shape(wanted), shape(given));
      return;
    }
    const auto fits = [&](Channels channels) { return fit(channels, given.channels); };
    if (!wanted.channels.empty() && std::ranges::none_of(wanted.channels, fits))
      mismatch(oneOf(wanted.channels), name(given.channels),
               given.channels == Channels::mosaic
                   ? "a raw photograph is developed first, as in pipelines/raw.cfg"
                   : "");
    if (!wanted.formats.empty() && !contains(wanted.formats, given.format))
      mismatch(oneOf(wanted.formats), name(given.format));
    if (!wanted.colour)
      return;
    const ColourTag colour = owner.valueOf(*wanted.colour, colourWords(), wanted.colour->value);
    if (colour != given.colour)
      mismatch(name(colour), name(given.colour),
               wanted.colour->parameter.empty()
                   ? std::string("insert a `colour` module")
                   : fmt::format("'{0}' states the input's type: param:{1}:{0}:{2}", wanted.colour->parameter,
                                 owner.name(), name(given.colour)));
  }

  // Inputs that take any tag must agree on one.
  void checkColours(ModuleId module) {
    const ModuleInstance& owner = graph_.modules.modules[module];
    if (!owner.builtFrom.empty())
      return;  // the module that builds it has the connections
    const ConnectorDescription* first = nullptr;
    ColourTag tag = ColourTag::data;
    for (const ConnectorDescription& connector : owner.description->connectors) {
      const ValueType* type =
          connector.direction == Direction::input ? incoming(module, connector.name) : nullptr;
      if (type == nullptr || connector.colour || !hasColour(*type) || type->colour == ColourTag::data)
        continue;
      if (first == nullptr) {
        first = &connector;
        tag = type->colour;
      } else if (type->colour != tag) {
        diagnostics_.error(owner.inputs.at(connector.name).where,
                           fmt::format("{} mixes colours: {} is {}, but {} is {}", owner.name(), first->name,
                                       name(tag), connector.name, name(type->colour)),
                           "insert a `colour` module");
      } else if (tag == ColourTag::own) {
        checkSameFile(owner, *first, connector);
      }
    }
  }

  // Two files may have different primaries, even if today's don't.
  void checkSameFile(const ModuleInstance& owner, const ConnectorDescription& first,
                     const ConnectorDescription& second) {
    const auto sourceOf = [&](const ConnectorDescription& connector) -> const ModuleInstance* {
      const ModuleInstance& producer = graph_.modules.modules[owner.inputs.at(connector.name).producer];
      if (producer.description->isSource())
        return &producer;
      const auto origin = originOf(graph_.modules, producer);
      return origin ? origin->source : nullptr;
    };
    const ModuleInstance *a = sourceOf(first), *b = sourceOf(second);
    if (a != nullptr && b != nullptr && a != b)
      diagnostics_.error(
          owner.inputs.at(second.name).where,
          fmt::format("{} mixes colours: {} is in the primaries of the file of {}, but {} in those of {}",
                      owner.name(), first.name, a->name(), second.name, b->name()),
          fmt::format("param:{}:profile:convert, and for {}, too", a->name(), b->name()));
  }

  // Without other errors, a value without a type is in a cycle of nodes whose types depend on each other.
  void reportUntyped() {
    for (const Node& node : graph_.nodes)
      for (const NamedValue& output : node.outputs)
        if (!typed_[output.value] && !diagnostics_.hasErrors())
          diagnostics_.error(graph_.modules.modules[node.module].where,
                             fmt::format("{} has no image whose size it could have", node.name),
                             "a node needs an input other than its own output's value of the previous frame");
  }

  // Without `init` the input is the first state, except for its format.
  void checkState(const Node& node) {
    const ValueType* type = typeOf(valueNamed(node.inputs, "state"));
    if (type == nullptr)
      return;
    const ValueType state = stateTypeOf(node, *type);
    if (glslType(type->channels, type->format) == glslType(state.channels, state.format))
      return;
    diagnostics_.error(
        graph_.modules.modules[node.module].where,
        fmt::format("{} filters {} {}, but its input is {} {}", node.name, name(state.channels),
                    name(state.format), name(type->channels), name(type->format)),
        "a stencil with init = true turns its inputs into its state");
  }

  // Kernels and native nodes of a wider footprint may read images of several sizes, except kernels that run
  // for each pixel of an input.
  void checkExtents(const Node& node) {
    const FootprintKind footprint = node.description->footprint.kind;
    const bool isOwn = statesOutputs(node.kind) || node.kind == NodeKind::native;
    const bool isByInput = std::ranges::any_of(node.description->inputs, [&](const NodeInput& input) {
      return input.name == node.description->kernel.extentOf;
    });
    if (isOwn && !isByInput && footprint != FootprintKind::local && footprint != FootprintKind::halo)
      return;
    const ModuleInstance& owner = graph_.modules.modules[node.module];
    const std::string* first = nullptr;
    Extent extent;
    for (const NodeInput& input : node.description->inputs) {
      const ValueType* type = typeOf(valueNamed(node.inputs, input.name));
      const bool isPlanes = type != nullptr && type->isPlanes() && owner.description->isPlanes(input.source);
      if (type == nullptr || (type->isArray() && !isPlanes))
        continue;
      if (first == nullptr) {
        first = &input.source;
        extent = type->extent;
      } else if (type->extent != extent) {
        diagnostics_.error(owner.where,
                           fmt::format("{}: {} is {}, but {} is {}", owner.name(), *first, size(extent),
                                       input.source, size(type->extent)),
                           "`resize` and `crop` change sizes");
      }
    }
  }

  void checkInvocations(const Node& node) {
    std::map<std::string, ValueType> inputs;
    for (const NamedValue& input : node.inputs)
      if (const ValueType* type = typeOf(input.value))
        inputs[input.name] = *type;
    const std::vector<Formula>& stated = node.description->kernel.invocations;
    if (!stated.empty())
      statedSizes(graph_.modules.modules[node.module], stated, "invocations", inputs, diagnostics_);
  }

  // A host node's outputs have the types of those whose place they take.
  void checkReplaced(const Node& host) {
    for (const Node& node : graph_.nodes) {
      if (node.module != host.module || node.description->name != host.description->replaces)
        continue;
      for (const NamedValue& output : node.outputs) {
        const ValueType *replaced = typeOf(output.value),
                        *own = typeOf(valueNamed(host.outputs, output.name));
        if (replaced != nullptr && own != nullptr && *replaced != *own) {
          diagnostics_.error(graph_.modules.modules[host.module].where,
                             fmt::format("{} takes the place of {}, but its output '{}' is {} instead of {}",
                                         host.name, node.name, output.name, print(*own), print(*replaced)));
        }
      }
    }
  }

  // An image that a sink could not write is refused before anything is computed.
  void checkSides(const Node& node) {
    const ModuleInstance& owner = graph_.modules.modules[node.module];
    const int64_t most = owner.valueOf(node.description->largestSide);
    for (const NamedValue& input : node.inputs) {
      const ValueType* type = most > 0 ? typeOf(input.value) : nullptr;
      if (type != nullptr && !type->isArray() && std::max(type->extent.width, type->extent.height) > most)
        diagnostics_.error(
            owner.where,
            fmt::format("{} writes images of at most {} pixels along a side, but this one is {}",
                        owner.name(), most, size(type->extent)),
            "`resize` and `crop` change sizes; another format may take it");
    }
  }

  const Wiring& wiring_;
  const NodeGraph& graph_;
  const Table<ValueId, bool>& typed_;
  Diagnostics& diagnostics_;
  Table<ModuleId, bool> isMistaken_;  // the connection to one of its inputs doesn't fit
};

}  // namespace

void checkTypes(const Wiring& wiring, const Table<ValueId, bool>& typed, Diagnostics& diagnostics) {
  TypeCheck(wiring, typed, diagnostics).run();
}

}  // namespace lacuna
