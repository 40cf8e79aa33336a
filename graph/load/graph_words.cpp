#include "graph/load/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lacuna {
namespace {

bool isInstanceName(const std::string& word) {
  return std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == ':';
  });
}

void addFile(const std::string& word, bool isOutput, LoadOptions& options,
             std::vector<std::string>& mistakes) {
  const auto [name, file] = splitAtEquals(word);
  const bool hasEquals = word.find('=') != std::string::npos;
  const bool isInstance = isInstanceName(name) && std::ranges::count(name, ':') == 1;
  const std::string option = fmt::format("{} {}", isOutput ? "-o" : "-i", word);
  if (isInstance && hasEquals) {
    options.overrides.push_back(
        {name + ":filename", file, option, isOutput ? Override::File::output : Override::File::input});
  } else if (isInstance || (hasEquals && isInstanceName(name))) {
    mistakes.push_back(fmt::format("{}: expected FILE or {}:instance=FILE; a file of this name is ./{}",
                                   option, isOutput ? "sink" : "source", word));
  } else {
    options.files.push_back({isOutput, word});
  }
}

}  // namespace

std::pair<std::string, std::string> splitAtEquals(const std::string& word) {
  const size_t at = word.find('=');
  return at == std::string::npos ? std::pair(word, std::string())
                                 : std::pair(word.substr(0, at), word.substr(at + 1));
}

std::vector<std::string> addWords(const GraphWords& words, LoadOptions& options) {
  std::vector<std::string> mistakes;
  for (const std::string& word : words.parameters) {
    const auto [name, value] = splitAtEquals(word);
    if (word.find('=') == std::string::npos) {
      mistakes.push_back(fmt::format("-p {}: expected module:instance:parameter=value", word));
    } else {
      options.overrides.push_back({name, value, "-p " + word});
    }
  }
  for (const std::string& word : words.inputs) {
    addFile(word, false, options, mistakes);
  }
  for (const std::string& word : words.outputs) {
    addFile(word, true, options, mistakes);
  }
  return mistakes;
}

}  // namespace lacuna
