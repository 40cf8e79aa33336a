// lacuna denoise: the files and frames that words stand for.

#include <fmt/format.h>

#include "tests/cli/denoise.h"

namespace lacuna::test {
namespace {

// Without a filter, so that nothing is compiled.
class DenoiseFiles : public Denoise {
 protected:
  Outcome take(std::vector<std::string> words) const {
    words.insert(words.end(), {"--strength", "0"});
    return run(words);
  }

  void writePhoto(const std::string& name) const {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    writeRandomPng(folder_.file(name), Extent{5, 3});
  }

  void writeFrame(const std::string& name, int frame = 0) const {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    writeMovingFrame(folder_.file(name), frame, -3, 2);
  }

  // Names of all files below a folder, in order.
  std::vector<std::string> filesBelow(const std::string& name) const {
    std::vector<std::string> names;
    if (exists(name))
      for (const auto& entry : fs::recursive_directory_iterator(folder_.file(name)))
        if (!entry.is_directory() && entry.path().parent_path().filename() != ".lacuna")
          names.push_back(entry.path().lexically_relative(folder_.file(name)).string());
    std::sort(names.begin(), names.end());
    return names;
  }

  void expectRefused(const std::vector<std::string>& words, const std::vector<std::string>& texts) const {
    const std::string before = listing(folder_.path());
    const Outcome outcome = take(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& text : texts)
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
    EXPECT_EQ(listing(folder_.path()), before);
  }

  using Names = std::vector<std::string>;
};

TEST_F(DenoiseFiles, WhatAFolderHasBesideImagesIsNamed) {
  for (const char* name : {"p/1.png", "p/a/2.png", "p/.3.png"})  // the last one is hidden
    writePhoto(name);
  for (const char* name : {"p/x.heic", "p/y.tif"})
    spill(folder_.file(name), "x");
  const Outcome outcome = take({"p", "-o", "out/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(filesBelow("out"), Names{"1.png"});
  EXPECT_NE(outcome.err.find("warning: p: skipped 2 files whose names don't end in .png, "),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(": p/x.heic, p/y.tif\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("p: skipped 1 folder: p/a; 'p/**' takes"), std::string::npos) << outcome.err;
  fs::remove(folder_.file("p/1.png"));
  expectRefused({"p", "-o", "out/"}, {"p: the folder has no images", "2 other files: p/x.heic, p/y.tif",
                                      "'p/**' takes those of its 1 folder: p/a"});
}

TEST_F(DenoiseFiles, AFileThatIsNamedTwiceIsTakenOnce) {
  writePhoto("p/1.png");
  const Outcome outcome = take({"p/1.png", "p/../p/1.png", "-o", "out/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: named more than once, and taken once: p/../p/1.png\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(filesBelow("out"), Names{"1.png"});
}

TEST_F(DenoiseFiles, WhatNamesAFramesNumberAsksForOne) {
  writePhoto("1.png");
  expectRefused({"1.png", "-o", "out.png", "--missing", "hold"}, {"--missing is for names with a frame's"});
}

TEST_F(DenoiseFiles, TwoStarsAreFoldersOfAnyDepthWhichOutputsKeep) {
  for (const char* name : {"p/1.png", "p/a/2.png", "p/a/b/1.png", "p/c/1.png", "p/.hidden/1.png"})
    writePhoto(name);
  fs::create_directory_symlink("..", folder_.file("p/c/back"));
  const Names all = {"1.png", "a/2.png", "a/b/1.png", "c/1.png"};
  const Outcome outcome = take({"p/**/*.png", "-o", "out/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(filesBelow("out"), all);
  EXPECT_NE(outcome.err.find("skipped 1 link: p/c/back; ** follows no links"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(take({"p/**", "-o", "out2/{folder}/{name}", "-q"}).code, 0);
  EXPECT_EQ(filesBelow("out2"), all);
  EXPECT_EQ(take({"p/**/b/[0-9].png", "-o", "out3/"}).code, 0);
  EXPECT_EQ(filesBelow("out3"), Names{"a/b/1.png"});
  expectRefused({"p/**/*.png", "-o", "out4/{stem}.png"},
                {"p/1.png and p/a/b/1.png would both be written to out4/1.png", "{folder}"});
}

TEST_F(DenoiseFiles, HolesAreErrorsAsInARunOfTheGraph) {
  for (const int number : {1, 2, 4, 5})
    writeFrame(fmt::format("s/f_000{}.exr", number), number);
  const std::string hole = "s/f_%04d.exr has no files for 1 of 5 frames: s/f_0003.exr; --missing skip leaves";
  for (const char* word : {"s/f_%04d.exr", "s", "s/*.exr"})
    expectRefused({word, "-o", "out/"}, {hole, "--missing hold", "--frames chooses"});
  expectRefused({"s/f_0001.exr", "s/f_0004.exr", "-o", "out/"},
                {"has no files for 1 of 3 frames: s/f_0003.exr"});
  expectRefused({"s/f_%03d.exr", "-o", "out/"}, {"the first could be s/f_001.exr; there is s/f_%04d.exr"});
  EXPECT_EQ(take({"s", "-o", "out/", "--missing", "skip", "--save-graph", "g.cfg"}).code, 0);
  EXPECT_EQ(filesBelow("out"), (Names{"f_0001.exr", "f_0002.exr", "f_0004.exr", "f_0005.exr"}));
  EXPECT_EQ(runProgram({"run", "g.cfg"}, {folder_.path()}).code, 2);
  EXPECT_EQ(take({"s/f_####.exr", "-o", "held/", "--missing", "hold"}).code, 0);
  EXPECT_TRUE(exists("held/f_0003.exr"));
  EXPECT_EQ(take({"s", "-o", "some/", "--frames", "1-2,5"}).code, 0);
  EXPECT_EQ(filesBelow("some"), (Names{"f_0001.exr", "f_0002.exr", "f_0005.exr"}));
}

TEST_F(DenoiseFiles, NumbersWithoutPaddingAndBeyondItAreOneSequence) {
  for (int number = 8; number <= 11; ++number)
    writeFrame(fmt::format("a/shot_{}.exr", number), number);
  const Outcome unpadded = take({"a", "-o", "out/"});
  EXPECT_EQ(unpadded.code, 0) << unpadded.err;
  EXPECT_NE(unpadded.err.find("a/shot_%d.exr: "), std::string::npos) << unpadded.err;
  EXPECT_EQ(filesBelow("out"), filesBelow("a"));
  for (const char* number : {"0998", "0999", "1000", "10000", "7"})
    writeFrame(fmt::format("b/shot_{}.exr", number));
  const Outcome beyond = take({"b", "-o", "out2/", "--missing", "skip"});
  EXPECT_EQ(beyond.code, 0) << beyond.err;
  EXPECT_NE(beyond.err.find("b/shot_%04d.exr: "), std::string::npos) << beyond.err;
  EXPECT_NE(
      beyond.err.find("warning: b/shot_7.exr: its number has fewer digits than those of b/shot_%04d.exr"),
      std::string::npos)
      << beyond.err;
  EXPECT_EQ(filesBelow("out2"), filesBelow("b"));
}

TEST_F(DenoiseFiles, NegativeNumbersAreFramesBeforeZero) {
  for (const char* pattern :
       {"a/shot.%04d.exr", "b/shot.%.4d.exr", "c/%d.exr", "d/v2_%02d_x.exr", "e/r%.4d.exr"}) {
    for (int number = -2; number <= 2; ++number)
      writeFrame(framePath(pattern, number), number);
    const std::string folder(pattern, 1);
    const Outcome taken = take({folder, "-o", "out/", "--save-graph", folder + ".cfg"});
    EXPECT_EQ(taken.code, 0) << taken.err;
    EXPECT_NE(taken.err.find(fmt::format("{}: ", pattern)), std::string::npos) << taken.err;
    EXPECT_EQ(filesBelow("out"), filesBelow(folder));
    const std::string graph = slurp(folder_.file(folder + ".cfg"));
    EXPECT_NE(graph.find(fmt::format("filename:\"{}\"\n", pattern)), std::string::npos) << graph;
    fs::remove_all(folder_.file("out"));
  }
  const Outcome hashes = take({"b/shot.####.exr", "-o", "out/s_####.exr", "--frames", "-2:0"});
  EXPECT_EQ(hashes.code, 0) << hashes.err;
  EXPECT_EQ(filesBelow("out"), (Names{"s_-001.exr", "s_-002.exr", "s_0000.exr"}));
  fs::remove(folder_.file("b/shot.-0001.exr"));
  expectRefused({"b", "-o", "out/"}, {"has no files for 1 of 5 frames: b/shot.-0001.exr"});
  for (const char* number : {"1", "2", "3"})
    writeFrame(fmt::format("f/shot-000{}.exr", number));
  EXPECT_NE(take({"f", "-o", "out/"}).err.find("f/shot-%04d.exr: "), std::string::npos) << "no frame 0";
}

TEST_F(DenoiseFiles, NumbersThatNoFrameCanHaveAreRefused) {
  for (const char* number : {"1", "3000000000"})
    writeFrame(fmt::format("a/shot_{}.exr", number));
  const std::string text = "a/shot_3000000000.exr: the number of a frame is 999999999 at most";
  expectRefused({"a", "-o", "out/"}, {text});
  expectRefused({"a/shot_%d.exr", "-o", "out/"}, {text});
  EXPECT_EQ(take({"a/shot_3000000000.exr", "-o", "out/"}).code, 0) << "a still";
  EXPECT_TRUE(exists("out/shot_3000000000.exr"));
}

TEST_F(DenoiseFiles, NamesWithPercentSignsAndHashesAreThoseOfFiles) {
  const std::string odd[] = {"a##.png", "100% ok.png", "50%%.png", "take#1.png", "%04d.png"};
  for (const std::string& name : odd) {
    writePhoto("in ##/" + name);
    const Outcome outcome = take({"in ##/" + name, "-o", "out %d/"});
    EXPECT_EQ(outcome.code, name == odd[0] ? 2 : 0) << outcome.err;
    if (name == odd[0]) {
      EXPECT_NE(outcome.err.find("-o out %d/: a name for frames"), std::string::npos) << outcome.err;
      fs::create_directory(folder_.file("out %d"));
      EXPECT_EQ(take({"in ##/" + name, "-o", "out %d/"}).code, 0);
    } else {
      EXPECT_NE(outcome.err.find("out %d/" + name + " written"), std::string::npos) << outcome.err;
    }
  }
  EXPECT_EQ(filesBelow("out %d"), filesBelow("in ##"));
  const Outcome own =
      runProgram({"denoise", "a##.png", "-o", "made 5%.png", "--strength", "0", "--save-graph", "g.cfg"},
                 {folder_.file("in ##")});
  EXPECT_EQ(own.code, 0) << own.err;
  EXPECT_TRUE(exists("in ##/made 5%.png"));
  EXPECT_EQ(runProgram({"run", "g.cfg"}, {folder_.file("in ##")}).code, 0);
}

TEST_F(DenoiseFiles, NumbersAsOtherProgramsWriteThemGetAHint) {
  writePhoto("s@1/shot_0001.png");
  writePhoto("s@1/shot_0002.png");
  for (const char* number : {"$F4", "${F4}", "$F", "@@@@", "<f>", "<f4>", "<frame>", "[0001-0002]",
                             "0001-0002", "#", "%d", "%4d", "%04i", "{frame}", "{frame:04d}", "{1..2}"})
    expectRefused({fmt::format("s@1/shot_{}.png", number), "-o", "out/"}, {"; there is s@1/shot_%04d.png"});
  spill(folder_.file("g.cfg"), exposureGraph("in.png", "out_%04d.png"));
  for (const char* number : {"$F4", "<f>", "@@@@", "#", "%d"}) {
    const Outcome run =
        runProgram({"run", "g.cfg", "-i", fmt::format("s@1/shot_{}.png", number)}, {folder_.path()});
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_NE(run.err.find("there is s@1/shot_%04d.png"), std::string::npos) << number << "\n" << run.err;
  }
}

TEST_F(DenoiseFiles, AFileWhoseNameIsAPatternTooIsAmbiguous) {
  writePhoto("a##.png");
  writePhoto("a00.png");
  expectRefused(
      {"a##.png", "-o", "b.png"},
      {"a##.png: is the name of a file, and stands for numbered files, too, such as a00.png", "a%#%#.png"});
  EXPECT_EQ(take({"a%#%#.png", "-o", "b.png"}).code, 0);
  EXPECT_EQ(readPlane("png", folder_.file("b.png"), "output"),
            readPlane("png", folder_.file("a##.png"), "output"));
}

TEST_F(DenoiseFiles, WhatCantBeReachedIsSaidAsItIs) {
  writePhoto("a.png");
  fs::create_symlink("loop.png", folder_.file("loop.png"));
  for (const char* word : {"loop.png", "l*.png"})
    expectRefused({word, "-o", "out/"}, {"loop.png: can't be read: Too many levels of symbolic links"});
  writePhoto("closed/a.png");
  fs::permissions(folder_.file("closed"), fs::perms::none);
  const auto expectDenied = [&](const std::string& word, const std::string& text) {
    const Outcome outcome = runProgram({"denoise", word, "-o", "out/", "--strength", "0"},
                                       {.folder = folder_.path(), .obeysPermissions = true});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
    EXPECT_FALSE(exists("out"));
  };
  expectDenied("closed/a.png", "closed/a.png: can't be read: Permission denied");
  expectDenied("closed/%04d.png", "closed/%04d.png: can't be read: Permission denied");
  expectDenied("**/*.png", "closed: the folder can't be read: Permission denied");
  fs::permissions(folder_.file("closed"), fs::perms::owner_all);
}

TEST_F(DenoiseFiles, APatternBehindOutputThatTheShellExpandedReplacesNothing) {
  for (const char* name : {"a.png", "b.png", "c.png"})
    writePhoto(name);
  const std::string text = "a.png already exists, and would be replaced: did the shell put these files";
  expectRefused({"-o", "a.png", "b.png", "c.png"}, {"-o a.png b.png c.png: " + text});
  expectRefused({"b.png", "-o", "a.png", "b.png"}, {"-o a.png b.png: " + text, "'clean/{stem}.png'"});
  expectRefused({"b.png", "--output=./a.png", "b.png"}, {"would be replaced"});
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(take({"-o", "out.png", "a.png"}).code, 0) << "older outputs are";
  for (const int number : {1, 2})
    writeFrame(fmt::format("s/f_{}.exr", number), number);
  writeFrame("s/a.exr");
  expectRefused({"--method", "rhf", "-o", "s/a.exr", "s/f_1.exr", "s/f_2.exr"}, {"s/a.exr already exists"});
}

TEST_F(DenoiseFiles, StandardInputHasNoNameInAFolder) {
  writePhoto("in.png");
  const Outcome outcome =
      runProgram({"denoise", "-", "-o", "out/"}, {.folder = folder_.path(), .input = folder_.file("in.png")});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("-o out/: standard input has no name in a folder"), std::string::npos)
      << outcome.err;
}

TEST_F(DenoiseFiles, NamesThatGraphsCantHoldAreEscaped) {
  const std::string text = ": the name has line breaks or bytes that are not UTF-8";
  writePhoto("a\nb.png");
  writePhoto("c\xff.png");
  writePhoto("caf\xc3\xa9.png");
  expectRefused({"a\nb.png", "-o", "out/"}, {"error: a\\nb.png" + text});
  expectRefused({"c\xff.png", "-o", "out.png"}, {"error: c\\xff.png" + text});
  expectRefused({"caf\xc3\xa9.png", "-o", "x\ny.png"}, {"error: x\\ny.png" + text});
  EXPECT_EQ(take({"caf\xc3\xa9.png", "-o", "out/"}).code, 0);
  writePhoto("d\xff/a.png");
  const Outcome below = runProgram({"denoise", "a.png", "-o", "b.png"}, {folder_.file("d\xff")});
  EXPECT_EQ(below.code, 2);
  EXPECT_NE(below.err.find("d\\xff/a.png" + text), std::string::npos) << below.err;
  EXPECT_EQ(below.err.find("has no filename"), std::string::npos) << below.err;
}

TEST_F(DenoiseFiles, ADryRunStatesNoRate) {
  writePhoto("in/a.png");
  writePhoto("in/b.png");
  const Outcome dry = take({"in", "-o", "out/", "--dry-run"});
  EXPECT_EQ(dry.code, 0);
  EXPECT_EQ(dry.err.find(" a second"), std::string::npos) << dry.err;
}

// As in `2>&1 | head -1`.
TEST_F(DenoiseFiles, AReaderOfMessagesThatEndsDoesNotEndTheRun) {
  for (const char* name : {"a.png", "b.png", "c.png"})
    writePhoto(std::string("in/") + name);
  const std::string command =
      fmt::format("cd {} && ({} denoise in/*.png -o out/ --strength 0; echo $? > code) 2>&1 | true",
                  folder_.path(), LACUNA_PROGRAM);
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(slurp(folder_.file("code")), "0\n");
  EXPECT_EQ(filesBelow("out").size(), 3U);
}

TEST_F(DenoiseFiles, FramesOfASinglePicture) {
  writePhoto("a.png");
  expectRefused({"a.png", "-o", "b.png", "--frames", "5"}, {"--frames 5: a.png is a single picture"});
}

}  // namespace
}  // namespace lacuna::test
