#include "tools/shell/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <initializer_list>
#include <mutex>
#include <new>
#include <system_error>

#include "graph/lists.h"
#include "graph/module/native_call.h"
#include "tools/shell/arguments.h"
#include "tools/shell/command_words.h"
#include "tools/shell/messages.h"
#include "tools/shell/time_watch.h"

namespace lacuna {
namespace {

// A reader of messages that ends, as in `2>&1 | head -1`, must not end the run: SIGPIPE of these writes is
// taken before it acts. That of data still ends the program, as that of any other.
class WithoutPipeSignal : NoCopy {
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
  for (const int each : wishes)
    release(each);
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

// Printed text may still wait in a buffer. `words`: the command, as "lacuna modules".
int flushed(int code, const std::string& words) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return code;
  printError(fmt::format("`{}`: stdout can't be written: {}", words, std::strerror(errno)));
  return exitFiles;
}

int parsed(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe) {
  int code = exitOk;
  CLI::App app;
  app.formatter(helpFormat());  // commands inherit it, and the help option
  app.set_help_flag("-h,--help", "print this help and exit");
  describe(app, code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::fputs(app.help().c_str(), stderr);
      return exitUsage;
    }
  } catch (const CLI::ParseError& error) {
    code = error.get_exit_code() == 0 ? app.exit(error) : complainOfWords(app, error);
  } catch (const std::system_error& error) {  // of fmt::print, too
    if (std::ferror(stdout) == 0)
      throw;
    errno = error.code().value();
  }
  return flushed(code, app.get_name() + (argc > 1 ? fmt::format(" {}", argv[1]) : ""));
}

// Ends the program at exceptions on drivers' threads, whose compilers handle none.
[[noreturn]] void onTerminate() {
  try {
    if (const std::exception_ptr error = std::current_exception())
      std::rethrow_exception(error);
  } catch (const std::bad_alloc& error) {
    printException(error);
    _exit(exitFailed);
  } catch (...) {
  }
  std::abort();
}

// Names the module whose native code crashed; then the signal acts as ever. Only what signal handlers may
// call.
void onCrash(int signal) {
  if (const char* native = runningNative(); *native != '\0')
    for (const char* part :
         {"lacuna: error: the native code of ", native, " crashed: a mistake in that module\n"})
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, part, std::strlen(part));
  std::raise(signal);  // of a signal that was sent, nothing else is left
}

void nameCrashes() {
  struct sigaction action {};
  action.sa_handler = onCrash;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends it
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

}  // namespace

int runProgram(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe) {
  // A file beyond the size that ulimit allows must be an error, as a full disk is, and not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(onTerminate);
  nameCrashes();
  try {
    const TimeWatch watch;
    return parsed(argc, argv, describe);
  } catch (const std::exception& error) {
    return printException(error);
  } catch (...) {
    printError("an unknown exception");
    return exitFailed;
  }
}

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

Interrupts::Interrupts() {
  const std::scoped_lock lock(countMutex);
  if (count++ == 0 && came == 0)
    for (const int each : wishes)
      take(each);
}

Interrupts::~Interrupts() {
  const std::scoped_lock lock(countMutex);
  if (--count == 0)
    for (const int each : wishes)
      release(each);
}

int Interrupts::signal() {
  return came;
}

}  // namespace lacuna
