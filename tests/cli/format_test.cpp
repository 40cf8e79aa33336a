// lacuna fmt: files are replaced completely, or left unchanged.

#include <sys/stat.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

constexpr const char* wild =
    " lacuna : 1\nmodule:exposure:01 :3:4 # in the middle\n\n\n\nparam:exposure:01:stops: 2";
constexpr const char* tame =
    "lacuna:1\nmodule:exposure:01:3:4 # in the middle\n\nparam:exposure:01:stops:2\n";

TEST(Fmt, ReplacesFilesAndKeepsTheirPermissions) {
  const Folder folder;
  const std::string graph = folder.file("a.cfg");
  spill(graph, wild);
  ASSERT_EQ(chmod(graph.c_str(), 0640), 0);
  fs::create_symlink("a.cfg", folder.file("link.cfg"));
  const Outcome outcome = runProgram({"fmt", folder.file("link.cfg")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(slurp(graph), tame);
  EXPECT_TRUE(fs::is_symlink(folder.file("link.cfg")));
  EXPECT_EQ(static_cast<int>(fs::status(graph).permissions()), 0640);
  const std::string before = listing(folder.path());
  EXPECT_EQ(runProgram({"fmt", graph}).code, 0);
  EXPECT_EQ(listing(folder.path()), before) << "a formatted file was written again";
}

TEST(Fmt, CheckNamesFilesAndWritesNothing) {
  const Folder folder;
  spill(folder.file("wild.cfg"), wild);
  spill(folder.file("tame.cfg"), tame);
  const std::string before = listing(folder.path());
  const Outcome outcome = runProgram({"fmt", "--check", folder.file("tame.cfg"), folder.file("wild.cfg")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, folder.file("wild.cfg") + "\n");
  EXPECT_EQ(runProgram({"fmt", "--check", folder.file("tame.cfg")}).code, 0);
  EXPECT_EQ(listing(folder.path()), before);
}

TEST(Fmt, FromStandardInputToStandardOutput) {
  const Folder folder;
  spill(folder.file("wild.cfg"), wild);
  const Outcome outcome = runProgram({"fmt", "-"}, {.input = folder.file("wild.cfg")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, tame);
  const Outcome check = runProgram({"fmt", "--check", "-"}, {.input = folder.file("wild.cfg")});
  EXPECT_EQ(check.code, 1);
  EXPECT_EQ(check.out, "standard input\n");
  EXPECT_EQ(slurp(folder.file("wild.cfg")), wild);
}

TEST(Fmt, FilesWithErrorsAreReportedAndTheOthersFormatted) {
  const Folder folder;
  const std::string broken = " lacuna:1\nmodul:exposure:01\n";
  spill(folder.file("broken.cfg"), broken);
  spill(folder.file("wild.cfg"), wild);
  const Outcome outcome =
      runProgram({"fmt", folder.file("broken.cfg"), folder.file("none.cfg"), folder.file("wild.cfg")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'module'?"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("none.cfg"), std::string::npos) << outcome.err;
  EXPECT_EQ(slurp(folder.file("broken.cfg")), broken);
  EXPECT_EQ(slurp(folder.file("wild.cfg")), tame);
}

TEST(Fmt, GraphsOfTheRepositoryAreFormatted) {
  for (const char* where : {"/../pipelines", "/../examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(std::string(LACUNA_TEST_FOLDER) + where)) {
      if (entry.path().extension() == ".cfg") {
        EXPECT_EQ(runProgram({"fmt", "--check", entry.path().string()}).out, "");
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::test
