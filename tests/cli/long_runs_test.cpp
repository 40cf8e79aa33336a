// Memory doesn't grow with frames.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "tests/support/long_tests.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

// Runs `$0 run graph.cfg`, and prints its resident kilobytes as soon as each of the frames named is written.
constexpr const char* watched = R"(cd '{}' && '{}' run graph.cfg -q & program=$!
for frame in {}; do
  until [ -e '{}'/out/$frame.png ]; do kill -0 $program && sleep .01 || exit 1; done
  sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$program/status
done >'{}'/memory
wait $program)";

// A graph with a history.
TEST(LongRuns, KeepTheirMemory) {
  const Folder folder;
  const int frames = triesAll() ? 10000 : 150;
  fs::create_directory(folder.file("out"));
  writeRandomPng(folder.file("in.png"), {320, 180});
  spill(folder.file("graph.cfg"),
        graphText(fmt::format("frames:{}\ni-png noise accum o-png\nparam:i-png:01:filename:\"in.png\"\n"
                              "param:i-png:01:still:true\nparam:o-png:01:filename:\"out/%06d.png\"\n",
                              frames)));
  const Outcome filling =
      runProgram({"run", folder.file("graph.cfg"), "--frames", "0-1"}, {.folder = folder.path()});
  ASSERT_EQ(filling.code, 0) << "of caches: " << filling.err;
  const std::string script = fmt::format(watched, folder.path(), place("LACUNA_PROGRAM", LACUNA_PROGRAM),
                                         fmt::format("{:06} {:06}", frames / 10, frames - 1 - frames / 10),
                                         folder.path(), folder.path());
  ASSERT_EQ(std::system(script.c_str()), 0);
  double early = 0, late = 0;
  std::ifstream(folder.file("memory")) >> early >> late;
  EXPECT_GT(early, 0);
  EXPECT_LT(late, 1.01 * early);
}

}  // namespace
}  // namespace lacuna::test
