#pragma once
// What the program prints to stderr: one prefix for all. Mistakes in files have their place as a prefix
// (graph/config/diagnostics.h).

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "graph/config/diagnostics.h"
#include "lacuna/lacuna.h"

namespace lacuna {

void printError(const std::string& text);    // "lacuna: error: ..."
void printWarning(const std::string& text);  // "lacuna: warning: ..."
void printNote(const std::string& text);     // "lacuna: ..."
void printDiagnostics(const Diagnostics& diagnostics);
void printMessage(const Message& message);
// With the places of what has some: shaders, and native code.
void printException(const std::exception& error);

// From now on errors and warnings are added to this array, as objects of "file", "line", "column",
// "severity", "message" and "hint", instead of being printed; notes are left out. Null: they are printed
// again.
void collectMessages(nlohmann::ordered_json* into);

}  // namespace lacuna
