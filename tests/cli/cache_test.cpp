// A damaged cache folder: pixels are always the same.

#include "tests/support/environment.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

TEST(DamagedCache, RandomBitsChangeNothing) {
  const Folder folder;
  runProgram({"--version"});  // sets the folder that the other tests share
  const Environment cache("LACUNA_CACHE", folder.file("cache"));
  writeRandomPng(folder.file("in.png"), {37, 23});
  spill(folder.file("graph.cfg"), graphText("in.png exposure out.png\nparam:exposure:01:stops:-1\n"));
  const auto run = [&] {
    const Outcome outcome = runProgram({"run", "graph.cfg", "-q"}, {folder.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return slurp(folder.file("out.png"));
  };
  const std::string whole = run();
  for (int round = 0; round < 4; ++round) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder.file("cache")))
      if (entry.is_regular_file())
        files.push_back(entry.path());
    ASSERT_FALSE(files.empty());
    for (const fs::path& file : files) {
      std::string bytes = slurp(file);
      if (round == 0)
        bytes.resize(testRandom()() % bytes.size());
      else
        bytes[testRandom()() % bytes.size()] ^= static_cast<char>(1U << (testRandom()() % 8));
      spill(file, bytes);
    }
    ASSERT_EQ(run(), whole) << "round " << round;
  }
}

}  // namespace
}  // namespace lacuna::test
