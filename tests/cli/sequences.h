#pragma once
// A sequence of PNG files through a graph, by the program.

#include <fmt/format.h>

#include "tests/support/program.h"

namespace lacuna::test {

class Sequences : public testing::Test {
 protected:
  static constexpr Extent frameExtent{61, 47};

  void SetUp() override {
    fs::create_directory(folder_.file("in"));
    fs::create_directory(folder_.file("out"));
    writeRandomPng(folder_.file("one.png"), frameExtent);
    writeGraph(frames);
  }

  void writeGraph(int count, const std::string& more = {}) {
    for (int frame = 0; frame < count; ++frame)
      fs::create_hard_link(folder_.file("one.png"), input(frame));
    spill(folder_.file("graph.cfg"),
          graphText(fmt::format("in/%04d.png exposure out/%04d.png\nframes:{}\n{}", count, more)));
  }

  std::string input(int frame) const { return folder_.file(fmt::format("in/{:04}.png", frame)); }
  std::string output(int frame) const { return folder_.file(fmt::format("out/{:04}.png", frame)); }

  Outcome run(const std::vector<std::string>& options = {}, Surroundings surroundings = {}) const {
    std::vector<std::string> words = {"run", folder_.file("graph.cfg")};
    words.insert(words.end(), options.begin(), options.end());
    if (surroundings.folder.empty())
      surroundings.folder = folder_.path();
    return runProgram(words, surroundings);
  }

  // The number of files in out/; each must be a whole PNG under a frame's name.
  int wholeFiles() const {
    int count = 0;
    for (const std::string& name : namesIn(folder_.file("out"))) {
      EXPECT_TRUE(name.ends_with(".png")) << name;
      EXPECT_EQ(readPlane("png", folder_.file("out/" + name), "output").size(),
                4U * frameExtent.width * frameExtent.height);
      ++count;
    }
    return count;
  }

  static constexpr int frames = 6;
  const Folder folder_;
};

}  // namespace lacuna::test
