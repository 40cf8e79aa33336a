#pragma once
// What the program prints to stderr: one prefix for all. Mistakes in files have their place as a prefix
// (graph/config/diagnostics.h).

#include <string>

namespace lacuna {

void printError(const std::string& text);    // "lacuna: error: ..."
void printWarning(const std::string& text);  // "lacuna: warning: ..."
void printNote(const std::string& text);     // "lacuna: ..."

}  // namespace lacuna
