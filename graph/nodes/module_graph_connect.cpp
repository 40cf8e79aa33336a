#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/nodes/module_graph_parts.h"

namespace lacuna {
namespace {

std::vector<std::string> connectorNames(const ModuleDescription& module, Direction direction) {
  return namesIn(module.connectors, [&](const auto& each) { return each.direction == direction; });
}

// The connector that a line names, in the direction of its place; reported if there is none.
const ConnectorDescription* findConnector(const GraphDraft& draft, const ModuleInstance& module,
                                          const ConnectorRef& ref, Direction wanted) {
  const std::string& name = ref.connector.text;
  const ConnectorDescription* connector = module.description->connector(name);
  const char* direction = wanted == Direction::input ? "input" : "output";
  const std::vector<std::string> names = connectorNames(*module.description, wanted);
  if (connector == nullptr) {
    const std::string listed = fmt::format("its {}s are:", direction);
    draft.error(ref.connector, fmt::format("{} has no {} '{}'", module.name(), direction, name),
                names.empty() ? fmt::format("it has no {}s", direction) : suggest(name, names, listed));
    return nullptr;
  }
  if (connector->direction != wanted) {
    const char* other = wanted == Direction::input ? "output" : "input";
    const std::string listed =
        names.empty() ? "" : fmt::format("; the {}s of {}: {}", direction, module.name(), joinNames(names));
    draft.error(ref.connector, fmt::format("'{}' is an {} of {}", name, other, module.name()),
                "a connection goes from an output to an input" + listed);
    return nullptr;
  }
  return connector;
}

void applyConnection(GraphDraft& draft, const ConnectLine& line) {
  const ModuleId from = draft.findModule(line.from.owner);
  const ModuleId to = draft.findModule(line.to.owner);
  const ConnectorDescription* output = nullptr;
  if (from)
    output = findConnector(draft, draft.modules[from], line.from, Direction::output);
  if (!to)
    return;
  ModuleInstance& consumer = draft.modules[to];
  const ConnectorDescription* input = findConnector(draft, consumer, line.to, Direction::input);
  if (input == nullptr)
    return;
  const Word& word = line.to.connector;
  const auto attempt = draft.attempted[to].emplace(input->name, word.where);
  if (!attempt.second) {
    draft.error(word,
                fmt::format("the input '{}' of {} is already connected in {}", input->name, consumer.name(),
                            draft.lineText(attempt.first->second, word.where.file)),
                "an input takes one connection");
  } else if (output != nullptr) {
    consumer.inputs[input->name] = {from, output->name, line.feedback, word.where};
  }
}

using ChannelSet = std::vector<Channels>;  // empty: unknown, anything

// Those of `from` that fit one of `to`. any... on one side becomes the other side's word.
ChannelSet intersection(const ChannelSet& from, const ChannelSet& to) {
  if (from.empty() || to.empty())
    return from.empty() ? to : from;
  ChannelSet both;
  for (const Channels a : from) {
    for (const Channels b : to) {
      const Channels found = isAny(a) ? b : a;
      if (fit(a, b) && !contains(both, found))
        both.push_back(found);
    }
  }
  return both;
}

std::string channelText(const ChannelSet& set) {
  std::string text;
  for (const Channels channels : set)
    text += (text.empty() ? "" : " or ") + std::string(name(channels));
  return text;
}

// What an output may deliver; the modules upstream of `producer` are known.
const ChannelSet& channelsOf(const ModuleInstance& producer, const ConnectorDescription& output) {
  return output.channels.empty() ? producer.inputChannels : output.channels;
}

bool haveOneShape(const ConnectorDescription& input, const ConnectorDescription& output) {
  const bool bothArrays = input.arrayCount > 0 && output.arrayCount > 0;
  const bool anyNumber = bothArrays && (input.arrayCount == anyCount || output.arrayCount == anyCount);
  const bool anyKind = input.images && output.arrayCount == 0;
  return input.arrayCount == output.arrayCount || anyNumber || anyKind;
}

// Finds the possible types of each module's outputs, from the descriptions and the modules upstream.
class ChannelCheck {
 public:
  explicit ChannelCheck(GraphDraft& draft) : draft_(draft) {}

  void visit(ModuleId id) {
    ModuleInstance& module = draft_.modules[id];
    if (const ConnectorDescription* main = mainInput(*module.description))
      module.inputChannels = main->channels;
    for (const auto& [name, connection] : module.inputs) {
      const ConnectorDescription& input = *module.description->connector(name);
      const ConnectorDescription& output = *producer(connection).description->connector(connection.connector);
      if (!checkArrays(module, input, connection, output))
        continue;
      // The previous frame's value comes from a module not visited yet: only its declaration is known.
      const ChannelSet& delivered =
          connection.feedback ? output.channels : channelsOf(producer(connection), output);
      const ChannelSet both = intersection(delivered, input.channels);
      if (both.empty() && !delivered.empty()) {
        draft_.diagnostics.error(connection.where,
                                 fmt::format("the input '{}' of {} takes {}, but '{}' of {} gives {}", name,
                                             module.name(), channelText(input.channels), output.name,
                                             producer(connection).name(), channelText(delivered)));
      } else if (name == "input") {
        module.inputChannels = both;
      }
    }
  }

 private:
  static const ConnectorDescription* mainInput(const ModuleDescription& module) {
    const ConnectorDescription* connector = module.connector("input");
    return connector != nullptr && connector->direction == Direction::input ? connector : nullptr;
  }

  const ModuleInstance& producer(const ModuleConnection& connection) const {
    return draft_.modules[connection.producer];
  }

  static std::string shapeText(const ConnectorDescription& connector) {
    return connector.planes                   ? "planes"
           : connector.images                 ? "an image or an array"
           : connector.arrayCount == 0        ? "an image"
           : connector.arrayCount == anyCount ? "an array"
                                              : fmt::format("an array of {}", connector.arrayCount);
  }

  bool checkArrays(const ModuleInstance& module, const ConnectorDescription& input,
                   const ModuleConnection& connection, const ConnectorDescription& output) {
    if (haveOneShape(input, output))
      return true;
    draft_.diagnostics.error(
        connection.where,
        fmt::format("the input '{}' of {} takes {}, but '{}' of {} is {}", input.name, module.name(),
                    shapeText(input), output.name, producer(connection).name(), shapeText(output)));
    return false;
  }

  GraphDraft& draft_;
};

}  // namespace

bool takes(const ConnectorDescription& input, const ModuleInstance& producer,
           const ConnectorDescription& output) {
  const ChannelSet& delivered = channelsOf(producer, output);
  return haveOneShape(input, output) &&
         (delivered.empty() || !intersection(delivered, input.channels).empty());
}

void applyConnections(GraphDraft& draft) {
  for (const ConnectLine& line : draft.config.connections)
    applyConnection(draft, line);
}

void checkConnectionTypes(GraphDraft& draft, const std::vector<ModuleId>& order) {
  ChannelCheck check(draft);
  for (const ModuleId module : order)
    check.visit(module);
}

}  // namespace lacuna
