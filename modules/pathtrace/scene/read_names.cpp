#include <fmt/format.h>

#include "graph/config/text.h"
#include "pathtrace/scene/read_parts.h"
#include "pathtrace/scene/settings.h"

namespace lacuna::pathtrace {

void addName(Names& names, const std::string& kind, const Word& name, int index, Diagnostics& diagnostics) {
  if (!isName(name.text)) {
    diagnostics.error(name.where, fmt::format("'{}' is not a name", name.text),
                      "names have letters, digits, '-' and '_'");
    return;
  }
  const auto [entry, isNew] = names.try_emplace(name.text, Named{index, name.where});
  if (!isNew) {
    diagnostics.error(name.where, fmt::format("the {} '{}' is given twice, first in line {}", kind, name.text,
                                              entry->second.where.line));
  }
}

const Named* findName(const Names& names, const std::string& kind, const Word& name,
                      Diagnostics& diagnostics) {
  const auto found = names.find(name.text);
  if (found != names.end()) {
    return &found->second;
  }
  std::vector<std::string> known;
  for (const auto& [each, where] : names) {
    known.push_back(each);
  }
  diagnostics.error(name.where, fmt::format("the scene has no {} '{}'", kind, name.text),
                    suggest(name.text, known, "there are"));
  return nullptr;
}

std::optional<double> readFrame(const std::vector<Word>& line, std::optional<double> before,
                                Diagnostics& diagnostics) {
  if (line.size() < 2) {
    diagnostics.error(line[0].where, "'at' takes a frame", "expected at FRAME SETTINGS...");
    return std::nullopt;
  }
  double frame = 0;
  if (!readNumber(line[1], "at", {-1e6, 1e6}, frame, diagnostics)) {
    return std::nullopt;
  }
  if (before && frame <= *before) {
    diagnostics.error(line[1].where,
                      fmt::format("frame {} does not come after frame {}, the key before", frame, *before),
                      "keyframes must be in the order of their frames");
    return std::nullopt;
  }
  return frame;
}

}  // namespace lacuna::pathtrace
