// What may stand at the cursor: by the role of the word there, from module descriptions and the rest of the
// graph.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/config/text.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

// The protocol's numbers.
enum class Item { variable = 6, module = 9, property = 10, value = 12, keyword = 14, file = 17, choice = 20 };
constexpr size_t mostFiles = 500;

class Completer : Query {
 public:
  explicit Completer(const Query& query) : Query(query) {
    const Document& root = *workspace.graphsWith(document).front();
    graph_ = buildModuleGraph(parseConfigText(root.text, root.path, diagnostics_), workspace.registry,
                              diagnostics_);
  }

  Json items() {
    if (lookAtTyped()) {
      own_ = graph_.find(words.name(*index, WordRole::instance));
      if (const auto from = words.before(*index, WordRole::output)) {
        producer_ = graph_.find(words.name(*from, WordRole::instance));
        output_ = producer_ == nullptr ? nullptr : producer_->description->connector(wordAt(*from));
      }
      offer(role());
    }
    return {{"isIncomplete", false}, {"items", std::move(items_)}};
  }

 private:
  const std::string& wordAt(size_t at) const { return words.words[at].text; }

  void offer(WordRole role) {
    const bool declares = wordAt(0) == "module";
    if (role == WordRole::keyword)
      keywords();
    else if (role == WordRole::module)
      declares ? modules() : instances();
    else if (role == WordRole::instance)
      declares ? newInstances() : instances();
    else if (role == WordRole::file)
      files();
    else if (role == WordRole::option)
      options();
    else if (role == WordRole::value && parameter != nullptr)
      values();
    else if (role == WordRole::parameter && module != nullptr)
      parameters();
    else if ((role == WordRole::input || role == WordRole::output) && module != nullptr)
      connectors();
  }

  // Those of a lower rank come first.
  void add(const std::string& label, Item kind, const std::string& documentation = {}, int rank = 0) {
    Location where = word().where;
    // An editor has put the second quote behind the cursor.
    where.length += label.ends_with('"') && text.substr(byte).starts_with('"') ? 1 : 0;
    items_.push_back({{"label", label},
                      {"kind", static_cast<int>(kind)},
                      {"sortText", fmt::format("{}{:04}", rank, items_.size())},
                      {"documentation", documentation},
                      {"textEdit", {{"range", range(where)}, {"newText", label}}}});
  }

  void keywords() {
    const auto hasWords = [](std::string_view each) { return !wordsOf(each, 0).words.empty(); };
    const bool isFirst = std::ranges::find_if(lines, hasWords) - lines.begin() >= line;
    for (const LineForm& form : lineForms())
      if (const bool isVersion = form.keyword == "lacuna"; isFirst || !isVersion)
        add(isVersion ? form.expected : form.keyword, Item::keyword, print(form), isVersion ? 0 : 1);
  }

  void options() {
    for (const std::string& each : findLineForm(wordAt(0))->options)
      add(each, Item::choice);
  }

  void modules() {
    for (const std::string& name : workspace.registry.names())
      if (const auto each = workspace.find(name))
        add(name, Item::module, each->summary);
  }

  bool isThisLine(const Location& where) const {
    return where.line == line + 1 && where.file >= 0 && diagnostics_.fileName(where.file) == document.path;
  }

  void newInstances() {
    std::vector<std::string> names = {"01", "02", "03", "04", "05", "06", "07", "08", "09"};
    if (module != nullptr && (module->isSource() || module->isSink()))
      names.insert(names.begin(), module->isSource() ? "in" : "out");
    for (const std::string& name : names)
      if (const auto* same = graph_.find(wordAt(1) + ":" + name); same == nullptr || isThisLine(same->where))
        add(name, Item::variable);
  }

  // The graph's, or those of the module before the cursor. In a line that connects, by the best of their
  // connectors for this side.
  void instances() {
    const bool withModule = role() == WordRole::module;
    const auto& roles = findLineForm(wordAt(0))->roles;
    const Direction side = 2 * *index <= roles.size() ? Direction::output : Direction::input;
    for (const ModuleInstance& each : graph_.modules) {
      if (!withModule && each.description->name != wordAt(*index - 1))
        continue;
      int rank = roles.back() == WordRole::input ? 3 : 0;
      for (const ConnectorDescription& its : each.description->connectors)
        rank = its.direction == side ? std::min(rank, rankOf(each, its)) : rank;
      add(withModule ? each.name() : each.instance, Item::variable, each.description->summary, rank);
    }
  }

  // 0: it takes the output that the line has before it, and has its name or is the main one as it is; 1:
  // others that take it; 2: those with another connection; 3: of other types.
  int rankOf(const ModuleInstance& owner, const ConnectorDescription& its) const {
    if (its.direction == Direction::output || output_ == nullptr)
      return 0;
    if (producer_ == &owner || !takes(its, *producer_, *output_))
      return 3;
    const auto connection = owner.inputs.find(its.name);
    if (connection != owner.inputs.end() && !isThisLine(connection->second.where))
      return 2;
    return its.name == (output_->name == "output" ? "input" : output_->name) ? 0 : 1;
  }

  void connectors() {
    const Direction side = role() == WordRole::input ? Direction::input : Direction::output;
    for (const ConnectorDescription& each : module->connectors)
      if (each.direction == side)
        add(each.name, Item::property, print(each), own_ == nullptr ? 0 : rankOf(*own_, each));
  }

  void parameters() {
    for (const ParameterDescription& each : shownParameters(*module)) {
      const Parameter* now = own_ == nullptr ? nullptr : &own_->parameter(each.name);
      add(each.name, Item::property, print(each), now != nullptr && now->isSet && !isThisLine(now->where));
    }
  }

  void values() {
    const size_t at = *index - *words.before(*index, WordRole::parameter) - 1;
    if (at >= parameter->count)
      return options();
    std::vector<std::string> choices = parameter->choices;
    if (parameter->type == ParameterType::boolean)
      choices = {"true", "false"};
    for (const std::string& each : choices)
      add(each, Item::choice, print(*parameter),
          textOf(parameter->defaults[at]).find(each) == std::string::npos);
    if (parameter->namesFile()) {
      if (module->isSink())  // a name like the graph's
        add(quote(fs::path(document.path).stem().string() + ".png"), Item::file);
      files();
    } else if (choices.empty()) {
      std::string rest;
      for (size_t i = at; i < parameter->count; ++i)
        rest += (rest.empty() ? "" : ":") + textOf(parameter->defaults[i]);
      add(rest, Item::value, print(*parameter));
    }
  }

  void files() {
    const std::string& typed = word().text;
    const std::string folder = typed.substr(0, typed.rfind('/') + 1);  // npos + 1 is 0
    auto names = filesAndFolders((fs::path(document.path).parent_path() / folder).string());
    if (folder.empty() || folder.ends_with("../"))
      names.insert(names.begin(), "../");
    for (const std::string& name : names) {
      std::string quoted = quote(folder + name);
      if (name.ends_with('/'))  // more follows
        quoted.pop_back();
      if (!firstByteNotText(name) && items_.size() < mostFiles)
        add(quoted, Item::file, "", name == "../" ? 2 : 1);
    }
  }

  Diagnostics diagnostics_;
  ModuleGraph graph_;
  // Of the word's line: its instance, and the output before it; nullptr if the graph has none that was read.
  const ModuleInstance *own_ = nullptr, *producer_ = nullptr;
  const ConnectorDescription* output_ = nullptr;
  Json items_ = Json::array();
};

}  // namespace

Json completion(Query& query, const Json&) {
  return query.document.kind == FileKind::graph ? Completer(query).items() : Json::array();
}

}  // namespace lacuna::lsp
