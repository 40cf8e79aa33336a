#include "tools/lacuna/shell/messages.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/load/files.h"
#include "graph/shader/generate/body_mistake.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

std::mutex collecting;  // workers warn, too
Json* collected = nullptr;

void collect(const Location& where, const std::string& file, bool isWarning, const std::string& message,
             const std::string& hint) {
  const auto known = [](int number) { return number > 0 ? Json(number) : Json(nullptr); };
  collected->push_back({{"file", file.empty() ? Json(nullptr) : Json(file)},
                        {"line", known(where.line)},
                        {"column", known(where.line > 0 ? where.column : 0)},
                        {"severity", isWarning ? "warning" : "error"},
                        {"message", message},
                        {"hint", hint.empty() ? Json(nullptr) : Json(hint)}});
}

// Names of files may hold anything. Lines stay.
std::string shown(const std::string& text) {
  std::string lines;
  for (const std::string_view line : splitLines(text)) {
    lines += (lines.empty() ? "" : "\n") + printable(line);
  }
  return lines;
}

void printText(const std::string& text, bool isWarning) {
  const std::scoped_lock lock(collecting);
  if (collected != nullptr) {
    collect({}, {}, isWarning, text, {});
  } else {
    fmt::print(stderr, "lacuna: {}: {}\n", isWarning ? "warning" : "error", shown(text));
  }
}

}  // namespace

void printError(const std::string& text) {
  printText(text, false);
}

void printWarning(const std::string& text) {
  printText(text, true);
}

void printNote(const std::string& text) {
  const std::scoped_lock lock(collecting);
  if (collected == nullptr) {
    fmt::print(stderr, "lacuna: {}\n", shown(text));
  }
}

void printDiagnostics(const Diagnostics& diagnostics) {
  const std::scoped_lock lock(collecting);
  if (collected == nullptr) {
    fmt::print(stderr, "{}", diagnostics.render());
    return;
  }
  for (const Diagnostic& each : diagnostics.sorted()) {
    collect(each.where, each.where.file < 0 ? "" : diagnostics.fileName(each.where.file), each.isWarning,
            each.message, each.hint);
  }
}

void printException(const std::exception& error) {
  if (const auto* native = dynamic_cast<const NativeFileError*>(&error)) {
    printDiagnostics(native->diagnostics);
  } else if (const auto* shader = dynamic_cast<const ShaderSourceError*>(&error)) {
    Diagnostics diagnostics;
    MistakeReporter(diagnostics).report(shader->mistakes, shader->made);
    printDiagnostics(diagnostics);
  } else {
    printError(error.what());
  }
}

void collectMessages(Json* into) {
  const std::scoped_lock lock(collecting);
  collected = into;
}

}  // namespace lacuna
