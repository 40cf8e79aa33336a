#pragma once
// What the program prints to stderr: one prefix for all. Mistakes in files have their place as a prefix
// (graph/config/diagnostics.h).

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "graph/config/diagnostics.h"
#include "lacuna/lacuna.h"

namespace lacuna {

// Text that may hold names or contents of files, as a terminal can show it: printable() for each line. For
// all that is printed and is no JSON.
std::string terminalText(std::string_view text);

void printError(const std::string& text);    // "lacuna: error: ..."
void printWarning(const std::string& text);  // "lacuna: warning: ..."
void printNote(const std::string& text);     // "lacuna: ..."
void printLine(const std::string& text);     // "...", also while messages are collected
// On a terminal: a line that whatever is printed next by these functions replaces.
void printPassing(const std::string& text);
void clearPassing();
void printDiagnostics(const Diagnostics& diagnostics);
void printMessage(const Message& message);
// With the places of what has some: shaders, and native code.
void printException(const std::exception& error);

// From now on errors and warnings are added to this array, as objects of "file", "line", "column",
// "severity", "message" and "hint", instead of being printed; notes are left out. Null: they are printed
// again.
void collectMessages(nlohmann::ordered_json* into);

}  // namespace lacuna
