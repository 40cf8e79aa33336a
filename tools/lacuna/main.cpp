// The program `lacuna`.

#include <string_view>

#include "tools/lacuna/command_line.h"
#include "tools/lacuna/companions.h"
#include "tools/shell/program.h"

int main(int argc, char** argv) {
  lacuna::makeStreamsSafe();
  if (argc > 1 && std::string_view(argv[1]) == "bench")
    return lacuna::startHelper("bench", {argv + 2, argv + argc});
  if (argc > 2 && std::string_view(argv[1]) == "__complete")
    return lacuna::runComplete(argv[2]);
  lacuna::Arguments arguments;
  return lacuna::runProgram(argc, argv,
                            [&](CLI::App& app, int& code) { lacuna::describe(app, arguments, code); });
}
