// The program: parses its words, runs one command, and turns whatever went wrong into a message and an exit
// code.

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "graph/files/file_name.h"
#include "graph/vk/device.h"
#include "tools/lacuna/command_line.h"
#include "tools/lacuna/suggest.h"

namespace lacuna {
namespace {

int complain(const std::exception& error, int code) {
  std::fprintf(stderr, "lacuna: %s\n", error.what());
  return code;
}

int main(int argc, char** argv) {
  Arguments arguments;
  int code = exitOk;
  CLI::App app;
  describe(app, arguments, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : complainOfWords(app, error);
  } catch (const vk::DeviceError& error) {
    return complain(error, exitNoDevice);
  } catch (const FileError& error) {
    return complain(error, exitFiles);
  }
  return code;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  try {
    return lacuna::main(argc, argv);
  } catch (const std::exception& error) {
    return lacuna::complain(error, lacuna::exitFailed);
  } catch (...) {
    std::fputs("lacuna: an unknown exception\n", stderr);
    return lacuna::exitFailed;
  }
}
