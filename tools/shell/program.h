#pragma once
// The work of programs around their commands: words, streams, signals, and errors as exit codes.

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace lacuna {

// `describe` adds the commands, each of which sets `code`. Returns the process's exit code.
int runProgram(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe);

// Must be called first: then no file that is opened later takes the place of a closed standard stream, and
// writing to that stream is an error. Messages that stderr can't take are lost, but nothing else: the exit
// code shows it.
void makeStreamsSafe();

// While one lives, signals are caught, until one has come.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  static int signal();  // that came; 0: none
};

}  // namespace lacuna
