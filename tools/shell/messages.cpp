#include "tools/shell/messages.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/door/errors.h"
#include "graph/files/file_name.h"
#include "graph/shader/generate/body_mistake.h"
#include "graph/vk/device.h"
#include "tools/shell/arguments.h"
#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

std::mutex collecting;  // workers warn, too
Json* collected = nullptr;
bool isPassing = false;  // a line on the terminal

void clearLine() {
  if (std::exchange(isPassing, false))
    fmt::print(stderr, "\r\x1b[K");
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

int exitCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::call:
    case ErrorKind::graph:
      return exitUsage;
    case ErrorKind::noDevice:
      return exitNoDevice;
    case ErrorKind::input:
    case ErrorKind::file:
      return exitFiles;
    case ErrorKind::device:  // there is a device, but this graph was too large for it
    case ErrorKind::other:
      break;
  }
  return exitFailed;
}

}  // namespace

std::string terminalText(std::string_view text) {
  std::string lines;
  for (const std::string_view line : splitLines(text))
    lines += printable(line) + "\n";
  if (!text.ends_with('\n') && !lines.empty())
    lines.pop_back();
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

TerminalSize terminalSize(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  if (size.ws_xpixel == 0 || size.ws_ypixel == 0)
    return {size.ws_col, size.ws_row};
  return {size.ws_col, size.ws_row, 1.0 * size.ws_xpixel / size.ws_col, 1.0 * size.ws_ypixel / size.ws_row};
}

void printPassing(const std::string& text) {
  std::string shown = terminalText(text);
  const auto most = static_cast<size_t>(terminalSize(STDERR_FILENO).columns - 1);
  if (columnsOf(shown) > most) {  // a second line wouldn't be replaced; names are at the front
    while (columnsOf(shown) + 3 > most || isContinuationByte(shown.front()))
      shown.erase(0, 1);
    shown.insert(0, "...");
  }
  const std::scoped_lock lock(collecting);
  fmt::print(stderr, "\r{}\x1b[K", shown);
  std::fflush(stderr);
  isPassing = true;
}

void clearPassing() {
  const std::scoped_lock lock(collecting);
  clearLine();
}

void printDiagnostics(const Diagnostics& diagnostics) {
  for (const Message& message : diagnostics.messages())
    printMessage(message);
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

int exitCodeOf(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error))
    return exitCodeOf(known->kind());
  if (dynamic_cast<const vk::DeviceError*>(&error) != nullptr)
    return exitNoDevice;
  if (dynamic_cast<const FileError*>(&error) != nullptr ||
      dynamic_cast<const std::system_error*>(&error) != nullptr)
    return exitFiles;
  return dynamic_cast<const ShaderSourceError*>(&error) != nullptr ? exitUsage : exitFailed;
}

int printException(const std::exception& error) {
  try {
    door::rethrowAsError();
  } catch (const Error& translated) {
    for (const Message& message : translated.messages())
      printMessage(message);
  } catch (const std::bad_alloc&) {
    printError("not enough memory");
  } catch (const std::exception&) {
    printError(error.what());
  }
  return exitCodeOf(error);
}

int reported(bool json, const std::function<int(Json& out)>& work) {
  Json out = Json::object();
  if (!json)
    return work(out);
  Json messages = Json::array();
  collectMessages(&messages);
  int code = exitOk;
  try {
    code = work(out);
  } catch (const std::exception& error) {
    code = printException(error);
  }
  collectMessages(nullptr);
  out["messages"] = std::move(messages);
  out["exitCode"] = code;
  fmt::print("{}\n", jsonText(out, 2));
  return code;
}

}  // namespace lacuna
