// Graphs from elsewhere that keep a compiler busy.

#include "tests/support/environment.h"
#include "tests/support/program.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

// Each of its shaders compiles quickly, but Mesa's CPU driver compiles them one after the other.
TEST(Hostile, RandomGraphsThatTheDriverCompilesForEver) {
  const Folder folder;
  spill(folder.file("deep.safetensors"), weightsFile(deepNetwork(testRandom(), {unet::Plane::colour}, 4)));
  writeRandomPng(folder.file("in.png"), {24, 16});
  const Environment fresh("MESA_SHADER_CACHE_DISABLE", "true");
  const std::vector<std::string> denoise = {
      "denoise",   "in.png",           "-o",       "out.png", "--method", "cnn-unet",
      "--weights", "deep.safetensors", "--device", "cpu",     "-p",       "cnn-unet:01:arithmetic=matrices"};
  EXPECT_EQ(runProgram(denoise, {.folder = folder.path()}).code, 0) << "the other compiler's work is kept";
  fs::remove(folder.file("out.png"));
  const Environment limit("LACUNA_SHADER_SECONDS", "2");
  const Outcome outcome = runProgram(denoise, {.folder = folder.path()});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(
      outcome.err.find("the graph is still compiling after 2 seconds; LACUNA_SHADER_SECONDS=N allows N\n"
                       "  now the pipeline of "),
      std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(folder.file("out.png")));
}

}  // namespace
}  // namespace lacuna::test
