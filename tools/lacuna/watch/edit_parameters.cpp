#include "tools/lacuna/watch/edit_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "graph/config/config.h"
#include "lacuna/lacuna.h"

namespace lacuna {
namespace {

struct Edit {
  int line = 0;               // from 1
  size_t first = 0, end = 0;  // bytes of the line that are replaced; both npos: a line of its own follows
  std::string text;
};

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

// Of a line: behind its words, where a comment or the end follows.
size_t endOfWords(const std::string& line) {
  bool isQuoted = false;
  size_t end = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && isQuoted)
      ++i;
    else if (line[i] == '"')
      isQuoted = !isQuoted;
    else if (line[i] == '#' && !isQuoted)
      break;
    if (line[std::min(i, line.size() - 1)] != ' ' && line[std::min(i, line.size() - 1)] != '\t' &&
        line[std::min(i, line.size() - 1)] != '\r')
      end = std::min(i, line.size() - 1) + 1;
  }
  return end;
}

}  // namespace

std::string withParameters(const std::string& text, const std::string& name,
                           const std::map<std::string, std::string>& values) {
  Diagnostics diagnostics;
  const Config config = parseConfigText(text, name, diagnostics);
  if (diagnostics.hasErrors())
    throw Error(ErrorKind::graph, diagnostics.render());
  std::vector<std::string> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::vector<std::pair<int, std::string>> added;
  for (const auto& [parameter, value] : values) {
    const std::string module = parameter.substr(0, parameter.rfind(':'));
    if (const ParamLine* last = lastLine(config, parameter)) {
      std::string& line = lines[static_cast<size_t>(last->name.where.line) - 1];
      // Behind the name's word comes a colon.
      const size_t colon =
          line.find(':', static_cast<size_t>(last->name.where.column - 1 + last->name.where.length));
      const size_t end = endOfWords(line);
      line = line.substr(0, colon + 1) + value + line.substr(end);
    } else if (const std::optional<int> line = lineOfModule(config, module)) {
      added.emplace_back(*line, fmt::format("param:{}:{}", parameter, value));
    } else {
      throw Error(
          ErrorKind::graph,
          fmt::format("{}: {} is in an included file; its parameters are changed there", name, module));
    }
  }
  std::ranges::stable_sort(added, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [line, words] : added)
    lines.insert(lines.begin() + line, words);
  std::string result;
  for (size_t i = 0; i < lines.size(); ++i)
    result += lines[i] + (i + 1 < lines.size() ? "\n" : "");
  Diagnostics again;
  const Config read = parseConfigText(result, name, again);
  for (const auto& [parameter, value] : values)
    if (again.hasErrors() || lastLine(read, parameter) == nullptr)
      throw Error(ErrorKind::graph, fmt::format("{}:{}: the file can't hold this value", parameter, value));
  return result;
}

}  // namespace lacuna
