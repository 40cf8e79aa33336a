// What may stand at the cursor: by the role of the word there, from module descriptions and the rest of the
// graph.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "graph/config/text.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

namespace fs = std::filesystem;

// The protocol's numbers.
enum class Item { variable = 6, module = 9, property = 10, value = 12, keyword = 14, file = 17, choice = 20 };
constexpr size_t mostFiles = 500;

class Completer {
 public:
  explicit Completer(Query& query) : query_(query) {
    const Document& root = *query.workspace.graphsWith(query.document).front();
    const Config config = parseConfigText(root.text, root.path, diagnostics_);
    graph_ = buildModuleGraph(config, query.registry, diagnostics_);
  }

  Json items() {
    const std::string_view before = query_.text().substr(0, query_.byte);
    LineWords typed = wordsOf(before, query_.line + 1);
    if (typed.comment.empty() && findTyped(before, typed.words)) {
      const size_t last = typed.words.size() - 1;
      query_.look(std::move(typed), last);
      own_ = graph_.find(query_.words.instance(last));
      if (const auto from = query_.words.before(last, WordRole::output))
        producer_ = graph_.find(query_.words.instance(*from));
      if (producer_ != nullptr)
        output_ = producer_->description->connector(wordAt(*query_.words.before(last, WordRole::output)));
      offer(query_.role());
    }
    return {{"isIncomplete", false}, {"items", std::move(items_)}};
  }

 private:
  // The word that is typed becomes the line's last one, also if it is empty or its quote isn't closed yet.
  bool findTyped(std::string_view before, std::vector<Word>& words) const {
    const auto place = [&](size_t at) {
      return Location{-1, query_.line + 1, static_cast<int>(at) + 1, static_cast<int>(before.size() - at)};
    };
    const size_t end =
        words.empty() ? 0 : static_cast<size_t>(words.back().where.column + words.back().where.length - 1);
    const size_t quoteMark = before.find('"', end);
    if (quoteMark != std::string_view::npos)
      words.push_back({std::string(before.substr(quoteMark + 1)), place(quoteMark), true});
    else if (words.empty() && before.find_first_not_of(" \t") == std::string_view::npos)
      words.push_back({"", place(before.size())});
    else if (words.empty() || end < before.size())
      return false;  // behind a word, or a mistake
    return true;
  }

  const std::string& wordAt(size_t index) const { return query_.words.words[index].text; }

  void offer(WordRole role) {
    const bool declares = wordAt(0) == "module";
    if (role == WordRole::keyword)
      keywords();
    else if (role == WordRole::module)
      declares ? modules() : instances(true);
    else if (role == WordRole::instance)
      declares ? newInstances() : instances(false);
    else if (role == WordRole::input || role == WordRole::output)
      connectors(role == WordRole::input ? Direction::input : Direction::output);
    else if (role == WordRole::parameter)
      parameters();
    else if (role == WordRole::value)
      values();
    else if (role == WordRole::file)
      files(0);
    else if (role == WordRole::option)
      for (const std::string& each : findLineForm(wordAt(0))->options)
        add(each, Item::choice);
  }

  // Those of a lower rank come first.
  void add(const std::string& text, Item kind, const std::string& documentation = {}, int rank = 0) {
    Location where = query_.word().where;
    // An editor has put the second quote behind the cursor.
    where.length += text.ends_with('"') && query_.text().substr(query_.byte).starts_with('"') ? 1 : 0;
    items_.push_back({{"label", text},
                      {"kind", static_cast<int>(kind)},
                      {"sortText", fmt::format("{}{:04}", rank, items_.size())},
                      {"documentation", documentation},
                      {"textEdit", {{"range", query_.range(where)}, {"newText", text}}}});
  }

  void keywords() {
    const bool isFirst = std::all_of(
        query_.lines.begin(), query_.lines.begin() + std::min<long>(query_.line, std::ssize(query_.lines)),
        [](std::string_view line) { return wordsOf(line, 0).words.empty(); });
    for (const LineForm& form : lineForms())
      if (form.keyword != "lacuna" || isFirst)
        add(form.keyword == "lacuna" ? form.expected : form.keyword, Item::keyword,
            form.expected + "\n" + guideRow("graph-files", "Lines", form.keyword), form.keyword != "lacuna");
  }

  void modules() {
    for (const std::string& name : query_.registry.names())
      if (const auto module = query_.find(name))
        add(name, Item::module, module->summary);
  }

  bool isThisLine(const Location& where) const {
    return where.line == query_.line + 1 && where.file >= 0 &&
           diagnostics_.fileName(where.file) == query_.document.path;
  }

  void newInstances() {
    const std::string module = query_.words.module(*query_.index);
    std::vector<std::string> names = {"01", "02", "03", "04", "05", "06", "07", "08", "09"};
    if (query_.module != nullptr && (query_.module->isSource() || query_.module->isSink()))
      names.insert(names.begin(), query_.module->isSource() ? "in" : "out");
    for (const std::string& name : names)
      if (const auto* same = graph_.find(module + ":" + name); same == nullptr || isThisLine(same->where))
        add(name, Item::variable);
  }

  // The graph's instances, or those of the module before the cursor. In a line that connects, by the best of
  // their connectors for this side.
  void instances(bool withModule) {
    const auto& roles = findLineForm(wordAt(0))->roles;
    const Direction side = 2 * *query_.index <= roles.size() ? Direction::output : Direction::input;
    for (const ModuleInstance& module : graph_.modules) {
      if (!withModule && module.description->name != query_.words.module(*query_.index))
        continue;
      int rank = roles.back() == WordRole::input ? 3 : 0;
      for (const ConnectorDescription& each : module.description->connectors)
        rank = each.direction == side ? std::min(rank, rankOf(module, each)) : rank;
      add(withModule ? module.name() : module.instance, Item::variable, module.description->summary, rank);
    }
  }

  // 0: it takes the output that the line has before it, and has its name or is the main one as it is; 1:
  // others that take it; 2: those with another connection; 3: of other types.
  int rankOf(const ModuleInstance& module, const ConnectorDescription& connector) const {
    if (connector.direction == Direction::output || output_ == nullptr)
      return 0;
    if (producer_ == &module || !takes(connector, *producer_, *output_))
      return 3;
    const auto connection = module.inputs.find(connector.name);
    if (connection != module.inputs.end() && !isThisLine(connection->second.where))
      return 2;
    return connector.name == (output_->name == "output" ? "input" : output_->name) ? 0 : 1;
  }

  void connectors(Direction direction) {
    for (size_t i = 0; query_.module != nullptr && i < query_.module->connectors.size(); ++i)
      if (const auto& each = query_.module->connectors[i]; each.direction == direction)
        add(each.name, Item::property, print(each), own_ == nullptr ? 0 : rankOf(*own_, each));
  }

  void parameters() {
    if (query_.module == nullptr)
      return;
    for (const ParameterDescription& each : shownParameters(*query_.module)) {
      const Parameter* now = own_ == nullptr ? nullptr : &own_->parameter(each.name);
      add(each.name, Item::property, print(each), now != nullptr && now->isSet && !isThisLine(now->where));
    }
  }

  void values() {
    const ParameterDescription* parameter = query_.parameter;
    if (parameter == nullptr)
      return;
    const size_t index = *query_.index - *query_.words.before(*query_.index, WordRole::parameter) - 1;
    if (index >= parameter->count) {
      if (wordAt(0) == "keyframe")
        for (const char* each : {"linear", "step"})
          add(each, Item::keyword);
      return;
    }
    const std::vector<std::string> words = parameter->type == ParameterType::boolean
                                               ? std::vector<std::string>{"true", "false"}
                                               : parameter->choices;
    for (const std::string& each : words)
      add(each, Item::choice, print(*parameter),
          textOf(parameter->defaults[index]).find(each) == std::string::npos);
    if (parameter->namesFile()) {
      if (query_.module->isSink())  // a name like the graph's
        add(quote(fs::path(query_.document.path).stem().string() + ".png"), Item::file);
      files(1);
    } else if (words.empty()) {
      std::string rest;
      for (size_t i = index; i < parameter->count; ++i)
        rest += (rest.empty() ? "" : ":") + textOf(parameter->defaults[i]);
      add(rest, Item::value, print(*parameter));
    }
  }

  void files(int rank) {
    const std::string& typed = query_.word().text;
    const std::string folder = typed.substr(0, typed.rfind('/') + 1);  // npos + 1 is 0
    const fs::path place = fs::path(query_.document.path).parent_path() / folder;
    std::set<std::string> names;
    std::error_code failed, ignored;
    for (fs::directory_iterator each(place, failed), end; !failed && each != end && names.size() < mostFiles;
         each.increment(failed)) {
      const std::string name = each->path().filename().string();
      if (!name.starts_with('.') && !firstByteNotText(name))
        names.insert(quote(folder + name + (each->is_directory(ignored) ? "/" : "")));
    }
    if (folder.empty() || folder.ends_with("../"))
      names.insert(quote(folder + "../"));
    for (std::string name : names) {
      if (name.ends_with("/\""))  // more follows
        name.pop_back();
      add(name, Item::file, "", rank + (name.ends_with("../") ? 1 : 0));
    }
  }

  Query& query_;
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
