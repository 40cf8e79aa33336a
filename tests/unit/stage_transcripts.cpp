// The transcripts of this folder, *.txt: modules, graphs of them, and what stages make of these.
// tests/README.md states their form.

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <sstream>

#include "graph/config/regex.h"
#include "graph/frame/limits.h"
#include "graph/frame/stages.h"
#include "graph/nodes/reach.h"
#include "graph/nodes/rewrites.h"
#include "graph/nodes/tiles.h"
#include "graph/nodes/warm_up.h"
#include "tests/support/check_barriers.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"
#include "tests/support/transcript.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

// A module.toml, from one that leaves out what plays no part: it is then a filter from `input` to `output` in
// a pointwise node `main`. "a = b" is an input `a` with the source `b`, or an output for the connector `b`.
class ShortModule {
 public:
  explicit ShortModule(const std::string& text) : root_(toml::parse(text)) {
    for (toml::table* node : tables(root_, "node"))
      complete(*node);
    for (toml::table* parameter : tables(root_, "parameter", false))
      parameter->insert("structural", true);
  }

  std::string text(const std::string& name) {
    root_.insert("name", name);
    root_.insert("summary", "of a test");
    std::ostringstream text;
    text << root_;
    return text.str();
  }

 private:
  // Those of a list, which begins with one if it is missing.
  static std::vector<toml::table*> tables(toml::table& table, const char* key, bool isNeeded = true) {
    if (isNeeded)
      table.insert(key, toml::array{toml::table{}});
    std::vector<toml::table*> found;
    if (toml::array* list = table[key].as_array())
      for (toml::node& each : *list)
        found.push_back(each.as_table());
    return found;
  }

  void complete(toml::table& node) {
    node.insert("kind", "pointwise");
    const std::string kind = *node["kind"].value<std::string>();
    const bool isSource = kind == "source", isSink = kind == "sink", isStencil = kind == "stencil";
    node.insert("name", isSource || isSink ? "file" : "main");
    if (!isSource)
      node.insert("inputs", toml::array{isStencil ? "state = input" : "input"});
    if (!isSink)
      node.insert("outputs", toml::array{"output = output"});
    if (!isSource && !isSink && kind != "native")
      node.insert("shader", "main.glsl");
    if (isStencil) {
      node.insert("stencil", toml::table{});
      node["stencil"].as_table()->insert("tap",
                                         toml::array{toml::table{{"name", "value"}, {"from", "state"}}});
    }
    connect(node, "inputs", "source", "input");
    connect(node, "outputs", "connector", "output");
  }

  void connect(toml::table& node, const char* key, const char* end, const char* direction) {
    toml::array* list = node[key].as_array();
    for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const auto text = list->get(i)->value<std::string>()) {
        const size_t equals = text->find(" = ");
        toml::table table{{"name", text->substr(0, equals)}};
        if (equals != std::string::npos)
          table.insert(end, text->substr(equals + 3));
        else if (direction == std::string("input"))
          table.insert(end, *text);
        list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(i), table);
      }
      const auto connector = (*list->get(i)->as_table())[end].value<std::string>();
      if (connector && connector->find('.') == std::string::npos)
        describe(*connector, direction);
    }
  }

  void describe(const std::string& connector, const char* direction) {
    root_.insert("connector", toml::array{});
    for (toml::table* each : tables(root_, "connector"))
      if ((*each)["name"].value<std::string>() == connector) {
        each->insert("direction", direction);
        return;
      }
    root_["connector"].as_array()->push_back(toml::table{{"name", connector}, {"direction", direction}});
  }

  toml::table root_;
};

// As print() has it: "rgba f16 rec709 64x48", "array of (2, 3) y f16", "7 planes y f32 data 17x9".
ValueType typeFrom(std::string text) {
  for (const char* sign : {"(", ")", ","})
    replaceAll(text, sign, " ");
  ValueType type;
  std::vector<uint32_t> numbers;
  bool isArray = false;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (const auto channels = channelsFromName(word))
      type.channels = *channels;
    else if (const auto format = formatFromName(word))
      type.format = *format;
    else if (const auto colour = colourFromName(word))
      type.colour = *colour;
    else if (const auto pattern = patternFromName(word))
      type.pattern = *pattern;
    else if (std::sscanf(word.c_str(), "%ux%u", &type.extent.width, &type.extent.height) == 2)
      continue;
    else if (word == "array" || word == "of" || word == "planes")
      isArray = isArray || word == "array";
    else
      numbers.push_back(static_cast<uint32_t>(std::stoul(word)));
  if (isArray)
    setSizes(type, numbers);
  else if (!numbers.empty())
    type.arrayCount = numbers[0] * type.extent.width * type.extent.height;
  return type;
}

class StageTranscript : public TranscriptTest {
  void writeFile(const std::string& head, const std::string& lines) override {
    const std::filesystem::path module = std::filesystem::path(head).stem();
    std::filesystem::create_directories(folder_.file(module));
    const std::string text = ShortModule(lines).text(module);
    folder_.write(module / "module.toml", text);
    for (const RegexMatch& shader : Regex("shader = ['\"]([^'\"]*)['\"]").findAll(text))
      folder_.write(module / shader.groups[1], "");
  }

  // `type OUTPUT TYPE`: what all sources deliver, or the instance of this name; `device LIMIT NUMBER`;
  // `schedule NAME`, `schedule MODULE=NAME...`; otherwise a stage, and a graph (graph_text.h) with semicolons
  // between its lines.
  Answer run(const std::string& command) override {
    const size_t space = command.find(' ');
    const std::string stage = command.substr(0, space);
    std::string text = command.substr(space + 1);
    const size_t second = text.find(' ');
    if (stage == "type")
      return types_[text.substr(0, second)] = typeFrom(text.substr(second)), Answer();
    if (stage == "schedule")
      return setSchedules(text), Answer();
    if (stage == "device")
      return setDevice(text.substr(0, second), std::stoull(text.substr(second))), Answer();
    replaceAll(text, "; ", "\n");
    text = graphText(text);
    Diagnostics diagnostics;
    Registry registry({folder_.file(""), LACUNA_MODULE_FOLDER, LACUNA_TEST_FOLDER "/gpu/modules"});
    ModuleGraph modules = buildModuleGraph(parseConfigText(text, "", diagnostics), registry, diagnostics);
    const auto typesOf = [&](const ModuleInstance& source) {
      const auto own = types_.find(source.instance);
      return own == types_.end() ? types_ : std::map<std::string, ValueType>{{"output", own->second}};
    };
    NodeGraph graph;
    if (!diagnostics.hasErrors())
      graph = buildNodeGraph(sourcesOf(std::move(modules), typesOf), diagnostics);
    const std::string result = diagnostics.hasErrors() ? "" : made(stage, graph, diagnostics);
    return diagnostics.hasErrors() ? Answer{1, mistakes(diagnostics, linesOf(text))}
                                   : Answer{0, linesOf(result)};
  }

  void setDevice(const std::string& limit, uint64_t value) {
    if (limit == "storage16")
      device_.storage16 = value != 0;
    else if (limit == "bufferAddresses")
      device_.bufferAddresses = value != 0;
    else if (limit == "maxStorageBufferRange")
      device_.maxStorageBufferRange = value;
    else if (limit == "maxAllocation")
      device_.maxAllocation = value;
    else
      ADD_FAILURE() << "no limit is called " << limit;
  }

  void setSchedules(const std::string& text) {
    schedules_.clear();
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      const bool isOwn = equals != std::string::npos;
      schedules_[isOwn ? word.substr(0, equals) : ""] = isOwn ? word.substr(equals + 1) : word;
    }
  }

  std::string made(const std::string& stage, const NodeGraph& graph, Diagnostics& diagnostics) const {
    std::string text;
    if (stage == "nodes")
      text = print(graph);
    else if (stage == "cull")
      text = print(cull(graph));
    else if (stage == "fuse")
      text = print(fuse(cull(graph), wideDevice()));
    else if (stage == "reach")
      text = print(reachOf(graph));
    else if (stage == "warm-up")
      text = print(warmUpOf(graph)) + (warmUpOf(graph).cutsAtGaps ? ", cut at gaps" : "");
    else if (stage == "tiles")
      text =
          fmt::format("tiles begin at multiples of {}", tileable(graph, text).value_or(Tileable{}).multiple);
    else if (stage == "types")
      for (const Node& node : graph.nodes)
        for (const NamedValue& input : node.kind == NodeKind::sink ? node.inputs : std::vector<NamedValue>())
          text += print(graph.values[input.value].type) + "\n";
    else if (stage == "passes" || stage == "apart")
      text = passes(graph, stage == "passes", diagnostics);
    else if (stage == "layout")
      text = laid(laidOut(cull(graph), device_, diagnostics), diagnostics);
    else
      ADD_FAILURE() << "no stage is called " << stage;
    return text;
  }

  // What each dispatch binds, and the resources that have a permuted layout.
  std::string passes(const NodeGraph& graph, bool fuses, Diagnostics& diagnostics) const {
    CompileOptions options{wideDevice(), schedules_};
    options.fuses = fuses;
    const FrameGraph frame = compile(graph, options, diagnostics);
    EXPECT_EQ(checkBarriers(frame), Lines());
    std::string text;
    for (const Pass& pass : frame.passes) {
      if (pass.kind != PassKind::dispatch)
        continue;
      Lines roles;
      for (const Role& role : pass.roles)
        roles.push_back(fmt::format(
            "{}{} {}", role.name, role.resources.size() > 1 ? fmt::format("[{}]", role.resources.size()) : "",
            name(role.type.format)));
      const bool isStencil = pass.shader.kind == ShaderKind::stencilLevel;
      text += fmt::format("{}: {}{}{}\n", pass.name, fmt::join(roles, ", "),
                          isStencil ? "; " + print(pass.shader.schedule) : "",
                          pass.sharedBytes > 0 ? fmt::format(", {} bytes shared", pass.sharedBytes) : "");
    }
    for (const Resource& resource : frame.resources)
      if (resource.permutation != 0)
        text += fmt::format("{} is permuted {} times\n", resource.name, resource.permutation);
    return text;
  }

  // Dispatches and resources; mistakes where the device can't run them.
  std::string laid(const FrameGraph& frame, Diagnostics& diagnostics) const {
    std::string text;
    for (const Pass& pass : frame.passes) {
      if (pass.kind != PassKind::dispatch)
        continue;
      text += fmt::format("{} {}, {}\n", pass.name, fmt::join(pass.groups, "x"), rolesOf(pass));
      for (const Access& access : pass.accesses)
        EXPECT_EQ(access.byAddress, frame.resources[access.resource].byAddress);
    }
    for (const Resource& resource : frame.resources)
      text += fmt::format("{} has {} bytes in {}{}\n", resource.name, resource.bytes, bufferBytes(resource),
                          resource.byAddress ? ", by address" : "");
    reportLimits(frame, device_, diagnostics);
    return text;
  }

  // Behind the line of the graph.
  static Lines mistakes(const Diagnostics& diagnostics, const Lines& graph) {
    Lines lines;
    for (const Diagnostic& each : diagnostics.sorted())
      lines.push_back(fmt::format("{} -> {}{}",
                                  each.where.file == 0 && each.where.line > 0
                                      ? graph.at(static_cast<size_t>(each.where.line - 1))
                                      : diagnostics.place(each.where),
                                  each.message, each.hint.empty() ? "" : " (" + each.hint + ")"));
    return lines;
  }

  const Folder folder_;
  std::map<std::string, ValueType> types_;
  DeviceModel device_;
  ForcedSchedules schedules_;
};

const bool areRegistered =
    registerTranscripts(LACUNA_TEST_FOLDER "/unit", [] { return new StageTranscript; });

}  // namespace
}  // namespace lacuna::test
