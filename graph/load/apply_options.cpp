#include "graph/load/load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "graph/config/lexer.h"

namespace lacuna {
namespace {

bool isInstanceName(const std::string& word) {
  return std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == ':';
  });
}

void addFile(const std::string& word, bool isOutput, LoadOptions& options, Diagnostics& diagnostics) {
  const auto [name, file] = splitAtEquals(word);
  const bool hasEquals = word.find('=') != std::string::npos;
  const bool isInstance = isInstanceName(name) && std::ranges::count(name, ':') == 1;
  const std::string option = fmt::format("{} {}", isOutput ? "-o" : "-i", word);
  if (isInstance && hasEquals) {
    options.overrides.push_back(
        {name + ":filename", file, option, isOutput ? Override::File::output : Override::File::input});
  } else if (isInstance || (hasEquals && isInstanceName(name))) {
    diagnostics.error({}, fmt::format("{}: expected FILE or {}:instance=FILE; a file of this name is ./{}",
                                      option, isOutput ? "sink" : "source", word));
  } else {
    options.files.push_back({isOutput, word});
  }
}

}  // namespace

void addWords(const GraphWords& words, LoadOptions& options, Diagnostics& diagnostics) {
  for (const std::string& word : words.parameters) {
    const auto [name, value] = splitAtEquals(word);
    if (word.find('=') == std::string::npos)
      diagnostics.error({}, fmt::format("-p {}: expected module:instance:parameter=value", word));
    else
      options.overrides.push_back({name, value, "-p " + word});
  }
  for (const std::string& word : words.inputs)
    addFile(word, false, options, diagnostics);
  for (const std::string& word : words.outputs)
    addFile(word, true, options, diagnostics);
}

namespace {

// A parameter with a single text takes the whole value, unless that begins with a quote.
std::vector<Word> valuesOf(const Override& given, const ParameterDescription* parameter,
                           const Location& where, Diagnostics& diagnostics) {
  const bool isOneText =
      parameter != nullptr && parameter->type == ParameterType::string && parameter->count == 1;
  if (given.file != Override::File::none || (isOneText && !given.value.starts_with('"')))
    return {{given.value, where, true}};
  return lexValues(given.value, where, diagnostics);
}

// nullptr if there is none, which is reported elsewhere. The registry keeps it.
const ModuleDescription* findDescription(const Word& name, Registry& registry) {
  Diagnostics ignored;
  return registry.find(name.text, ignored).get();
}

// -o names a file that is written, -i one that is read.
bool isRightEnd(const Override& given, const ModuleDescription* module) {
  return module == nullptr || given.file == Override::File::none ||
         module->isSink() == (given.file == Override::File::output);
}

// Parameters from the command line have no place in a file: messages show their option.
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
    const ModuleDescription* module = findDescription(name[0], registry);
    if (!isRightEnd(given, module)) {
      diagnostics.error(
          where, fmt::format("{}:{} is {} sink", name[0].text, name[1].text, module->isSink() ? "a" : "no"),
          "-i is for files of sources, -o for those of sinks");
      continue;
    }
    ParamLine line;
    line.owner = {name[0], name[1]};
    line.name = name[2];
    line.fromOption = true;
    line.values =
        valuesOf(given, module == nullptr ? nullptr : module->parameter(name[2].text), where, diagnostics);
    if (line.values.empty())
      continue;
    std::erase_if(config.keyframes, [&](const ParamLine& keyframe) {
      return keyframe.owner.name() == line.owner.name() && keyframe.name.text == line.name.text;
    });
    config.params.push_back(std::move(line));
  }
}

// For an image in memory the file name names the source of its metadata.
bool takesFile(const ModuleDescription& module, bool isOutput) {
  return module.parameter("filename") != nullptr && (isOutput ? module.isSink() : module.isSource()) &&
         std::ranges::none_of(module.nodes, &NodeDescription::memory);
}

// "i-png:01", for all modules that read, or write, files. Modules without a description are reported
// elsewhere.
std::vector<std::string> candidates(const Config& config, Registry& registry, bool isOutput) {
  std::vector<std::string> names;
  for (const ModuleLine& line : config.modules) {
    Diagnostics ignored;
    const auto module = registry.find(line.owner.module.text, ignored);
    if (module != nullptr && takesFile(*module, isOutput))
      names.push_back(line.owner.name());
  }
  return names;
}

}  // namespace

Config applyOptions(Config config, const LoadOptions& options, Registry& registry, Diagnostics& diagnostics) {
  applyOverrides(config, overridesFor(options.files, config, registry, diagnostics), registry, diagnostics);
  applyOverrides(config, options.overrides, registry, diagnostics);
  return config;
}

std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const FileOption& file : files) {
    const char* kind = file.isOutput ? "sink" : "source";
    const std::vector<std::string> names = candidates(config, registry, file.isOutput);
    const std::string option =
        fmt::format("{} {}", file.isOutput ? "-o" : "-i", file.name.empty() ? "''" : file.name);
    const auto before = std::ranges::find_if(overrides, [&](const Override& other) {
      return names.size() == 1 && other.parameter == names.front() + ":filename";
    });
    if (before != overrides.end())
      diagnostics.error({}, fmt::format("{} and {}: the graph has one {} for a file, {}", before->option,
                                        option, kind, names.front()));
    else if (names.size() == 1)
      overrides.push_back({names.front() + ":filename", file.name, option,
                           file.isOutput ? Override::File::output : Override::File::input});
    else if (names.empty())
      diagnostics.error({}, fmt::format("{}: the graph has no {} for a file", option, kind));
    else
      diagnostics.error(
          {}, fmt::format("{}: the graph has {} {}s, {}", option, names.size(), kind, fmt::join(names, ", ")),
          fmt::format("{} {}={} is for the first", file.isOutput ? "-o" : "-i", names.front(), file.name));
  }
  return overrides;
}

}  // namespace lacuna
