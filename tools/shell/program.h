#pragma once
// The work of programs around their commands: keep standard streams and signals safe, parse words, run one
// command, and turn errors into a message and an exit code.

#include <functional>

#include "graph/lists.h"

namespace CLI {
class App;
}  // namespace CLI

namespace lacuna {

// Must be called first: then no file that is opened later takes the place of a standard stream that is
// closed, and writing to that stream is an error. Messages that stderr can't take (a full disk, a terminal
// that is gone) are lost, but nothing else: the exit code shows it.
void makeStreamsSafe();

// `describe` adds the commands, each of which sets `code`. Returns the process's exit code.
int runProgram(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe);

// SIGINT, SIGTERM and SIGHUP request an end: the first is remembered, a second one ends the process at once.
// While one lives, signals are caught, until one has come.
class Interrupts : NoCopy {
 public:
  Interrupts();
  ~Interrupts();

  static int signal();  // that came; 0: none
};

}  // namespace lacuna
