#pragma once
// Suggestions for an unknown command, option or value.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lacuna {

// "unknown WHAT 'nods'; did you mean 'nodes'?", or with all known words if none is near.
std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);

// Reports on stderr the mistake in the program's words. Returns the exit code.
int complainOfWords(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lacuna
