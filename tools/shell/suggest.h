#pragma once
// What a user may have meant who wrote a command, an option or a value that there isn't.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lacuna {

// "unknown WHAT 'nods'; did you mean 'nodes'?", or with all that are known where none is near.
std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);

// Says on stderr what was wrong with the program's words. Returns the exit code.
int complainOfWords(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lacuna
