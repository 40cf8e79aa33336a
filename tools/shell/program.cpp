#include "tools/shell/program.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "graph/module/native_call.h"
#include "tools/shell/arguments.h"
#include "tools/shell/command_options.h"
#include "tools/shell/messages.h"
#include "tools/shell/report.h"
#include "tools/shell/time_watch.h"

namespace lacuna {
namespace {

// Printed text may still wait in a buffer. `words`: the command, as "lacuna modules".
int flushed(int code, const std::string& words) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return code;
  }
  printError(fmt::format("`{}`: stdout can't be written: {}", words, std::strerror(errno)));
  return exitFiles;
}

int parsed(int argc, char** argv, const std::function<void(CLI::App& app, int& code)>& describe) {
  int code = exitOk;
  CLI::App app;
  app.formatter(std::make_shared<HelpFormat>());  // commands inherit it, and the help option
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
    if (std::ferror(stdout) == 0) {
      throw;
    }
    errno = error.code().value();
  }
  return flushed(code, app.get_name() + (argc > 1 ? fmt::format(" {}", argv[1]) : ""));
}

}  // namespace

namespace {

// Ends the program at exceptions on drivers' threads, whose compilers handle none.
[[noreturn]] void onTerminate() {
  try {
    if (const std::exception_ptr error = std::current_exception()) {
      std::rethrow_exception(error);
    }
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
  if (const char* native = runningNative(); *native != '\0') {
    for (const char* part :
         {"lacuna: error: the native code of ", native, " crashed: a mistake in that module\n"}) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, part, std::strlen(part));
    }
  }
  std::raise(signal);  // of a signal that was sent, nothing else is left
}

void nameCrashes() {
  struct sigaction action {};
  action.sa_handler = onCrash;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends it
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
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

}  // namespace lacuna
