// The program `lacuna-bench`, which `lacuna bench` starts.

#include <cstdio>
#include <string_view>

#include "tools/bench/benches.h"
#include "tools/shell/command_words.h"
#include "tools/shell/program.h"

int main(int argc, char** argv) {
  lacuna::makeStreamsSafe();
  if (argc == 2 && std::string_view(argv[1]) == lacuna::wordsOption) {
    std::puts(lacuna::wordsText(lacuna::describeBenches, "bench").c_str());
    return 0;
  }
  return lacuna::runProgram(argc, argv, lacuna::describeBenches);
}
