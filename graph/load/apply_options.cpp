#include "graph/load/apply_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/lexer.h"
#include "graph/load/file_options.h"

namespace lacuna {
namespace {

std::vector<Word> splitWords(const std::string& text, const Location& where) {
  std::vector<Word> words = {{{}, where}};
  for (const char c : text) {
    if (c == ':') {
      words.push_back({{}, where});
    } else {
      words.back().text += c;
    }
  }
  return words;
}

// As in a graph file: colons between values, and quotes around one that has a colon. A parameter that is one
// text takes the whole value, unless that begins with a quote.
std::vector<Word> valuesOf(const Override& given, const ParameterDescription* parameter,
                           const Location& where, Diagnostics& diagnostics) {
  const bool isOneText =
      parameter != nullptr && parameter->type == ParameterType::string && parameter->count == 1;
  if (given.isFileName || (isOneText && !given.value.starts_with('"'))) {
    return {{given.value, where, true}};
  }
  if (given.value.find('"') == std::string::npos) {
    return splitWords(given.value, where);
  }
  LexedLine lexed = lexLine(given.value, where, diagnostics);
  if (!lexed.wrong && !lexed.comment.empty()) {
    diagnostics.error(where, fmt::format("expected nothing more at '{}'", lexed.comment));
    lexed.wrong = true;
  }
  for (Word& word : lexed.words) {
    word.where = where;
  }
  return lexed.wrong ? std::vector<Word>() : lexed.words;
}

// nullptr: there is none, which is reported elsewhere.
const ParameterDescription* findParameter(const std::vector<Word>& name, Registry& registry) {
  Diagnostics ignored;
  const auto module = registry.find(name[0].text, ignored);
  if (module == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(module->parameters.begin(), module->parameters.end(),
                                  [&](const ParameterDescription& p) { return p.name == name[2].text; });
  return found == module->parameters.end() ? nullptr : &*found;  // the registry keeps the module
}

// Parameters from the command line have no place in a file: their option stands for it.
void applyOverrides(Config& config, const std::vector<Override>& overrides, Registry& registry,
                    Diagnostics& diagnostics) {
  for (const Override& given : overrides) {
    const std::string text = fmt::format("{}={}", given.parameter, given.value);
    const Location where{diagnostics.addOption(given.option.empty() ? text : given.option)};
    const std::vector<Word> name = splitWords(given.parameter, where);
    if (name.size() != 3) {
      diagnostics.error(where, fmt::format("'{}': expected module:instance:parameter=value", text));
      continue;
    }
    ParamLine line;
    line.owner = {name[0], name[1]};
    line.name = name[2];
    line.fromOption = true;
    line.values = valuesOf(given, findParameter(name, registry), where, diagnostics);
    if (line.values.empty()) {
      continue;
    }
    std::erase_if(config.keyframes, [&](const ParamLine& keyframe) {
      return keyframe.owner.name() == line.owner.name() && keyframe.name.text == line.name.text;
    });
    config.params.push_back(std::move(line));
  }
}

}  // namespace

ConfigWithOptions applyOptions(Config config, const LoadOptions& options, Registry& registry,
                               Diagnostics& diagnostics) {
  applyOverrides(config, overridesFor(options.files, config, registry, diagnostics), registry, diagnostics);
  applyOverrides(config, options.overrides, registry, diagnostics);
  return {std::move(config)};
}

}  // namespace lacuna
