// The cache folder as processes see it: shared, damaged, or unavailable. Pixels are always the same.

#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/environment.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class CacheFolder : public testing::Test {
 protected:
  void SetUp() override {
    runProgram({"--version"});  // sets the folder that the other tests share
    const char* before = std::getenv("LACUNA_CACHE");
    before_ = before == nullptr ? "" : before;
    writeRandomPng(folder_.file("in.png"), {37, 23});
    spill(folder_.file("graph.cfg"), exposureGraph("in.png", "out.png", "param:exposure:01:stops:-1\n"));
    use(folder_.file("cache"));
  }
  void TearDown() override { setenv("LACUNA_CACHE", before_.c_str(), 1); }

  static void use(const std::string& cache) { setenv("LACUNA_CACHE", cache.c_str(), 1); }

  // Bytes of the output; the test fails if the program does, or warns of anything but `warning`.
  std::string run(const std::string& output, const std::vector<std::string>& options = {},
                  const std::string& warning = {}) const {
    std::vector<std::string> words = {"run", folder_.file("graph.cfg"), "-o",
                                      "o-png:01=" + folder_.file(output), "-q"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    if (warning.empty()) {
      EXPECT_EQ(outcome.err, "");
    } else {
      EXPECT_EQ(outcome.err.find("lacuna: warning: " + warning), 0U) << outcome.err;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
    return slurp(folder_.file(output));
  }

  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.file("cache"))) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
    return files;
  }

  const Folder folder_;

 private:
  std::string before_;
};

TEST_F(CacheFolder, TwoProcessesAtOnce) {
  const std::string program = place("LACUNA_PROGRAM", LACUNA_PROGRAM);
  const auto command = [&](const std::string& output) {
    return fmt::format("'{}' run '{}' -o o-png:01='{}'", program, folder_.file("graph.cfg"),
                       folder_.file(output));
  };
  // The shell's exit code is the second command's, or 1 if the first one failed.
  const std::string both =
      command("a.png") + " & one=$!; " + command("b.png") + "; two=$?; wait $one || exit 1; exit $two";
  ASSERT_EQ(std::system(both.c_str()), 0);
  const std::string first = slurp(folder_.file("a.png"));
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(slurp(folder_.file("b.png")), first);
  EXPECT_LE(cached().size(), 2U);  // a shader, the driver's pipeline if it gives one, and no part of a file
  EXPECT_EQ(run("c.png"), first);
}

TEST_F(CacheFolder, HasShadersWithTheirSourcesForDebuggers) {
  const std::string plain = run("plain.png");
  EXPECT_FALSE(fs::exists(folder_.file("cache/debug-shaders")));
  EXPECT_EQ(run("debug.png", {"--debug-shaders"}), plain);
  int sources = 0;
  for (const auto& entry : fs::directory_iterator(folder_.file("cache/debug-shaders"))) {
    if (entry.path().extension() == ".comp") {
      ++sources;
      EXPECT_NE(slurp(entry.path()).find("modules/exposure/exposure.glsl"), std::string::npos)
          << "its author's file";
      EXPECT_TRUE(fs::exists(fs::path(entry.path()).replace_extension(".spv")));
    }
  }
  EXPECT_EQ(sources, 1);
  EXPECT_EQ(run("again.png", {"--debug-shaders"}), plain);
  EXPECT_EQ(run("plain-again.png"), plain);
}

TEST_F(CacheFolder, RandomDamageChangesNothing) {
  const std::string whole = run("whole.png");
  ASSERT_FALSE(cached().empty());
  std::mt19937_64& random = testRandom();
  for (int round = 0; round < 4; ++round) {
    for (const fs::path& path : cached()) {
      std::string bytes = slurp(path.string());
      if (round == 0) {
        bytes.resize(random() % bytes.size());
      } else {
        bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
      }
      spill(path.string(), bytes);
    }
    ASSERT_EQ(run("again.png"), whole) << "round " << round;
  }
}

// For graphs that the build knows, whatever the picture's size and wherever the modules lie.
TEST_F(CacheFolder, GetsNoShadersThatWereInstalled) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {640, 481}};
  std::mt19937_64 random = namedRandom("photo.jpg");
  writeImage("jpg", folder_.file("photo.jpg"), {{"output", type, randomBytes(byteSize(type), random)}});
  EXPECT_EQ(runProgram({"denoise", folder_.file("photo.jpg"), "-o", folder_.file("clean.jpg"), "-q"}).code,
            0);
  EXPECT_FALSE(fs::exists(folder_.file("cache/spirv")));
  EXPECT_EQ(runProgram({"plan", photoGraph, "--model", "nvidia", "--stage", "code"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_.file("cache/spirv")));
  run("other.png");
  EXPECT_TRUE(fs::exists(folder_.file("cache/spirv")));
}

TEST_F(CacheFolder, NoFolderToBeHad) {
  const std::string whole = run("whole.png");
  spill(folder_.file("file"), "in the way");
  use(folder_.file("file") + "/cache");
  const std::string warning = fmt::format(
      "LACUNA_CACHE: '{0}/cache' can't be written: '{0}' is not a folder; ", folder_.file("file"));
  EXPECT_EQ(run("none.png", {}, warning), whole);
  use("");
  EXPECT_EQ(run("none-either.png"), whole);
}

TEST_F(CacheFolder, OfTheUserThatCantBeWritten) {
  const std::string whole = run("whole.png");
  unsetenv("LACUNA_CACHE");
  spill(folder_.file("file"), "in the way");
  {
    const Environment home("HOME", folder_.file("file")), none("XDG_CACHE_HOME", ""),
        quiet("MESA_SHADER_CACHE_DISABLE", "true");  // Mesa reports its own folder
    const std::string warning = fmt::format("'{}/.cache/lacuna' can't be written: ", folder_.file("file"));
    EXPECT_EQ(run("none.png", {}, warning), whole);
  }
  const bool wasThere = fs::exists("/.cache");
  for (const char* unusable : {"", "relative"}) {
    const Environment home("HOME", unusable), none("XDG_CACHE_HOME", unusable),
        quiet("MESA_SHADER_CACHE_DISABLE", "true");
    EXPECT_EQ(run("nowhere.png"), whole);
  }
  EXPECT_EQ(fs::exists("/.cache"), wasThere);
  EXPECT_FALSE(fs::exists(folder_.file("relative")));
}

TEST_F(CacheFolder, ThatIsAFileOrOfNoSizeIsSaidByTheCommandThatShowsIt) {
  const std::string before = slurp(folder_.file("in.png"));
  use(folder_.file("in.png"));
  const Environment size("LACUNA_CACHE_SIZE", "-1");
  const Outcome cleared = runProgram({"cache", "--clear"});
  EXPECT_NE(cleared.err.find("in.png' can't be written: "), std::string::npos) << cleared.err;
  EXPECT_NE(cleared.err.find("LACUNA_CACHE_SIZE: '-1' is not a size"), std::string::npos) << cleared.err;
  EXPECT_EQ(slurp(folder_.file("in.png")), before);
}

TEST_F(CacheFolder, FoldersOfModulesThatAreNotThereAreNamed) {
  const std::string missing = folder_.file("no such");
  setenv("LACUNA_MODULES", (folder_.path() + ":" + missing).c_str(), 1);
  run("out.png", {}, fmt::format("LACUNA_MODULES: '{}' is not a folder; it is ignored", missing));
  const Outcome listed = runProgram({"modules"});
  setenv("LACUNA_MODULES", LACUNA_TEST_FOLDER "/../examples/chroma-smooth", 1);
  const Outcome module = runProgram({"modules"});
  unsetenv("LACUNA_MODULES");
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.err.find(missing), std::string::npos) << listed.err;
  EXPECT_NE(module.err.find("/chroma-smooth' is a module; expected the folder"), std::string::npos)
      << module.err;
}

}  // namespace
}  // namespace lacuna::test
