#include "tools/lacuna/interrupt.h"

#include <csignal>

namespace lacuna {
namespace {

volatile std::sig_atomic_t came = 0;

void remember(int signal) {
  came = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

// A signal that the parent had ignored (nohup, a shell's background job) stays so.
void take(int signal) {
  struct sigaction before {};
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

void release(int signal) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == remember) {
    std::signal(signal, SIG_DFL);
  }
}

}  // namespace

Interrupts::Interrupts() {
  came = 0;
  take(SIGINT);
  take(SIGTERM);
}

Interrupts::~Interrupts() {
  release(SIGINT);
  release(SIGTERM);
}

int Interrupts::signal() {
  return came;
}

}  // namespace lacuna
