#include "tools/shell/program.h"

#include <csignal>
#include <mutex>

namespace lacuna {
namespace {

constexpr int wishes[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t came = 0;
std::mutex countMutex;
int count = 0;  // of Interrupts

void remember(int signal);

// A signal that the parent had ignored (nohup, a shell's background job) stays ignored.
void release(int signal) {
  struct sigaction now {};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == remember) {
    now.sa_handler = SIG_DFL;
    sigaction(signal, &now, nullptr);
  }
}

void remember(int signal) {
  came = signal;
  for (const int each : wishes) {
    release(each);
  }
}

void take(int signal) {
  struct sigaction before {};
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Interrupts::Interrupts() {
  const std::scoped_lock lock(countMutex);
  if (count++ == 0 && came == 0) {
    for (const int each : wishes) {
      take(each);
    }
  }
}

Interrupts::~Interrupts() {
  const std::scoped_lock lock(countMutex);
  if (--count == 0) {
    for (const int each : wishes) {
      release(each);
    }
  }
}

int Interrupts::signal() {
  return came;
}

}  // namespace lacuna
