#pragma once
// The program's output to stderr: one prefix for all. Mistakes in files have their place as a prefix
// (graph/config/diagnostics.h). The ends of commands: their exceptions, and with --json the object that they
// print on stdout in any case.

#include <exception>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "graph/config/diagnostics.h"
#include "lacuna/lacuna.h"

namespace lacuna {

// Text with names or contents of files, in a form that a terminal can show: printable() for each line. For
// all output that is not JSON.
std::string terminalText(std::string_view text);

void printError(const std::string& text);    // "lacuna: error: ..."
void printWarning(const std::string& text);  // "lacuna: warning: ..."
void printNote(const std::string& text);     // "lacuna: ..."
void printLine(const std::string& text);     // prints "...", even while messages are collected
// Of a terminal, in characters, and of one of these in pixels. The defaults where it doesn't say.
struct TerminalSize {
  int columns = 80, rows = 24;
  double characterWidth = 10, characterHeight = 20;
};
TerminalSize terminalSize(int stream);
// On a terminal: a line that the next output of these functions replaces.
void printPassing(const std::string& text);
void clearPassing();
void printDiagnostics(const Diagnostics& diagnostics);
void printMessage(const Message& message);

// From now on errors and warnings are added to this array, as objects of "file", "line", "column",
// "severity", "message" and "hint", instead of being printed; notes are omitted. If null, they are printed
// again.
void collectMessages(nlohmann::ordered_json* into);

// The exit code of a caught exception.
int exitCodeOf(const std::exception& error);
// Prints one that is being handled; with places in files, if there are some, for shaders and native code.
// Returns its exit code.
int printException(const std::exception& error);

// Runs the command. With --json it prints the object of `work`, with "messages" (collectMessages) and
// "exitCode", also if `work` threw.
int reported(bool json, const std::function<int(nlohmann::ordered_json& out)>& work);

// Warnings of mistakes in the process's environment, once each.
void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE
void warnOfAddressSpace();   // ulimit -v, before a device is opened
// What hinders the use of a folder as one of modules, or "". A module itself is none: it lies in such a
// folder.
std::string mistakeInModules(const std::string& folder);

}  // namespace lacuna
