#include "tools/shell/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <initializer_list>

namespace lacuna {
namespace {

// A reader of messages that ends, as in `2>&1 | head -1`, must not end the run: SIGPIPE of these writes is
// taken before it acts. That of data still ends the program, as that of any other.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec now{};
    while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

ssize_t writeOrLose(void*, const char* text, size_t bytes) {
  const WithoutPipeSignal quiet;
  for (size_t at = 0; at < bytes;) {
    const ssize_t put = write(STDERR_FILENO, text + at, bytes - at);
    if (put <= 0)
      break;
    at += static_cast<size_t>(put);
  }
  return static_cast<ssize_t>(bytes);
}

}  // namespace

void makeStreamsSafe() {
  // The lowest free number is used, which is that of the closed stream. Output that can't be written, and
  // input that can't be read, fail as if the stream were closed.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  if (std::FILE* safe = fopencookie(nullptr, "w", {nullptr, writeOrLose, nullptr, nullptr})) {
    std::setvbuf(safe, nullptr, _IONBF, 0);
    stderr = safe;
  }
}

}  // namespace lacuna
