#include "tools/lacuna/watch/edit_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "graph/config/config.h"
#include "lacuna/lacuna.h"

namespace lacuna {
namespace {

struct Edit {
  size_t at = 0, length = 0;  // bytes of the text
  std::string text;           // in their place
};

// Where a line begins, from 1 on; the text's end if it has fewer.
size_t startOf(const std::string& text, int line) {
  size_t at = 0;
  for (; line > 1 && at < text.size(); --line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

// The line of a file whose words are the last ones of a parameter, in the file itself.
const ParamLine* lastLine(const Config& config, const std::string& parameter) {
  const ParamLine* last = nullptr;
  for (const ParamLine& line : config.params)
    if (line.owner.name() + ":" + line.name.text == parameter && line.name.where.file == config.file)
      last = &line;
  return last;
}

// The module's last line, or else that of its parameters.
std::optional<int> lineOfModule(const Config& config, const std::string& module) {
  std::optional<int> found;
  for (const ModuleLine& line : config.modules)
    if (line.owner.name() == module && line.owner.module.where.file == config.file)
      found = line.owner.module.where.line;
  for (const ParamLine& line : config.params)
    if (found && line.owner.name() == module && line.name.where.file == config.file)
      found = std::max(*found, line.name.where.line);
  return found;
}

}  // namespace

std::string withParameters(const std::string& text, const std::string& name,
                           const std::map<std::string, std::string>& values) {
  Diagnostics diagnostics;
  const Config config = parseConfigText(text, name, diagnostics);
  if (diagnostics.hasErrors())
    throw Error(ErrorKind::graph, diagnostics.render());
  std::vector<Edit> edits;
  for (const auto& [parameter, value] : values) {
    const std::string module = parameter.substr(0, parameter.rfind(':'));
    if (const ParamLine* last = lastLine(config, parameter)) {
      const Location first = last->values.front().where, end = last->values.back().where;
      edits.push_back({startOf(text, first.line) + static_cast<size_t>(first.column) - 1,
                       static_cast<size_t>(end.column + end.length - first.column), value});
    } else if (const std::optional<int> line = lineOfModule(config, module)) {
      const size_t next = startOf(text, *line + 1);
      const bool isOpen = next == text.size() && !text.ends_with('\n');
      edits.push_back(
          {next, 0,
           fmt::format("{}param:{}:{}{}", isOpen ? "\n" : "", parameter, value, isOpen ? "" : "\n")});
    } else {
      throw Error(
          ErrorKind::graph,
          fmt::format("{}: {} is in an included file; its parameters are changed there", name, module));
    }
  }
  std::ranges::stable_sort(edits, std::greater<>(), &Edit::at);
  std::string result = text;
  for (const Edit& edit : edits)
    result.replace(edit.at, edit.length, edit.text);
  Diagnostics again;
  const Config read = parseConfigText(result, name, again);
  for (const auto& [parameter, value] : values)
    if (again.hasErrors() || lastLine(read, parameter) == nullptr)
      throw Error(ErrorKind::graph, fmt::format("{}:{}: the file can't hold this value", parameter, value));
  return result;
}

}  // namespace lacuna
