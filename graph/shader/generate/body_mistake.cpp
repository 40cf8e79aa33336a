#include "graph/shader/generate/body_mistake.h"

#include <algorithm>

#include "graph/config/text.h"

namespace lacuna {
namespace {

std::string rendered(const BodyMistakes& mistakes, const MadeFiles& made) {
  Diagnostics diagnostics;
  MistakeReporter(diagnostics).report(mistakes, made);
  std::string text = diagnostics.render();
  if (text.ends_with('\n'))
    text.pop_back();
  return text;
}

}  // namespace

void MistakeReporter::report(const BodyMistakes& mistakes, const MadeFiles& made) {
  for (const BodyMistake& mistake : mistakes) {
    const auto& ranges = lines_[mistake.file];
    const int last = std::max(mistake.line, mistake.lastLine);
    if (std::none_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= last && mistake.line <= range.second; }))
      add(mistake, made);
  }
}

void MistakeReporter::add(const BodyMistake& mistake, const MadeFiles& made) {
  if (mistake.line > 0)
    lines_[mistake.file].emplace_back(mistake.line, std::max(mistake.line, mistake.lastLine));
  diagnostics_.error({fileIndex(mistake.file, made), mistake.line, mistake.column, mistake.length},
                     mistake.message, mistake.hint);
}

int MistakeReporter::fileIndex(const std::string& path, const MadeFiles& made) {
  const auto known = files_.find(path);
  if (known != files_.end())
    return known->second;
  const auto text = made.find(path);
  const int index = diagnostics_.addFile(path, text != made.end() ? text->second : readTextFile(path).text);
  files_.emplace(path, index);
  return index;
}

ShaderSourceError::ShaderSourceError(BodyMistakes all, MadeFiles madeFiles)
    : ShaderError(rendered(all, madeFiles)), mistakes(std::move(all)), made(std::move(madeFiles)) {}

}  // namespace lacuna
