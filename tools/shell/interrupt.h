#pragma once
// SIGINT, SIGTERM and SIGHUP request an end: the first is remembered, a second one ends the process at
// once.

namespace lacuna {

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
