#pragma once
// The work of programs around their commands: parse words, run one command, and turn errors into a message
// and an exit code.

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace lacuna {

// `describe` adds the commands, each of which sets `code`. Returns the process's exit code.
int runProgram(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe);

}  // namespace lacuna
