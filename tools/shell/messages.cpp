#include "tools/shell/messages.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "graph/config/text.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

std::mutex collecting;  // workers warn, too
Json* collected = nullptr;
bool isPassing = false;  // a line on the terminal

void clearLine() {
  if (std::exchange(isPassing, false)) {
    fmt::print(stderr, "\r\x1b[K");
  }
}

void collect(const Message& message) {
  const auto known = [](int number) { return number > 0 ? Json(number) : Json(nullptr); };
  collected->push_back({{"file", message.file.empty() ? Json(nullptr) : Json(message.file)},
                        {"line", known(message.line)},
                        {"column", known(message.column)},
                        {"severity", message.severity == Severity::warning ? "warning" : "error"},
                        {"message", message.text},
                        {"hint", message.hint.empty() ? Json(nullptr) : Json(message.hint)}});
}

void printText(const std::string& text, bool isWarning) {
  const std::scoped_lock lock(collecting);
  if (collected != nullptr) {
    Message message;
    message.severity = isWarning ? Severity::warning : Severity::error;
    message.text = text;
    collect(message);
  } else {
    clearLine();
    fmt::print(stderr, "lacuna: {}: {}\n", isWarning ? "warning" : "error", terminalText(text));
  }
}

}  // namespace

std::string terminalText(std::string_view text) {
  std::string lines;
  for (const std::string_view line : splitLines(text)) {
    lines += printable(line) + "\n";
  }
  if (!text.ends_with('\n') && !lines.empty()) {
    lines.pop_back();
  }
  return lines;
}

void printError(const std::string& text) {
  printText(text, false);
}

void printWarning(const std::string& text) {
  printText(text, true);
}

void printNote(const std::string& text) {
  const std::scoped_lock lock(collecting);
  if (collected == nullptr) {
    clearLine();
    fmt::print(stderr, "lacuna: {}\n", terminalText(text));
  }
}

void printLine(const std::string& text) {
  const std::scoped_lock lock(collecting);
  clearLine();
  fmt::print(stderr, "{}\n", terminalText(text));
}

void printPassing(const std::string& text) {
  const std::scoped_lock lock(collecting);
  fmt::print(stderr, "\r{}\x1b[K", terminalText(text));
  std::fflush(stderr);
  isPassing = true;
}

void clearPassing() {
  const std::scoped_lock lock(collecting);
  clearLine();
}

void printDiagnostics(const Diagnostics& diagnostics) {
  for (const Message& message : diagnostics.messages()) {
    printMessage(message);
  }
}

void printMessage(const Message& message) {
  const std::scoped_lock lock(collecting);
  if (collected == nullptr) {
    clearLine();
    fmt::print(stderr, "{}", message.printed);
  } else {
    collect(message);
  }
}

void collectMessages(Json* into) {
  const std::scoped_lock lock(collecting);
  collected = into;
}

}  // namespace lacuna
