#include "tools/shell/safe_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

namespace lacuna {
namespace {

ssize_t writeOrLose(void*, const char* text, size_t bytes) {
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
