// The program: parses its words, runs one command, and turns whatever went wrong into a message and an exit
// code.

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tools/lacuna/shell/command_line.h"
#include "tools/lacuna/shell/compiler_watch.h"
#include "tools/lacuna/shell/messages.h"
#include "tools/lacuna/shell/report.h"
#include "tools/lacuna/shell/suggest.h"

namespace lacuna {
namespace {

int complain(const std::exception& error) {
  printException(error);
  return exitCodeOf(error);
}

// What was printed may still wait in a buffer.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return code;
  }
  printError(fmt::format("stdout can't be written: {}", std::strerror(errno)));
  return exitFiles;
}

int main(int argc, char** argv) {
  Arguments arguments;
  int code = exitOk;
  CLI::App app;
  describe(app, arguments, code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::fputs(app.help().c_str(), stderr);
      return exitUsage;
    }
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : complainOfWords(app, error);
  }
  return flushed(code);
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  // A file beyond the size that ulimit allows is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const lacuna::CompilerWatch watch;
    return lacuna::main(argc, argv);
  } catch (const std::exception& error) {
    return lacuna::complain(error);
  } catch (...) {
    lacuna::printError("an unknown exception");
    return lacuna::exitFailed;
  }
}
