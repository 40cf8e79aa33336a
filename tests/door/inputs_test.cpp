// Input files that are replaced or removed between reading and writing.

#include <filesystem>

#include "tests/door/embedder.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

class Inputs : public Validated {
 protected:
  void SetUp() override { fs::copy(example("render.exr"), folder_.file("in.exr")); }

  static std::string example(const std::string& name) {
    return std::string(LACUNA_TEST_FOLDER) + "/../examples/inputs/" + name;
  }

  // Runs the graph, and does the work when its frame has been read but not written.
  std::string outputAfter(const std::function<void()>& work) const {
    const Graph graph = Graph::fromText(
        graphText("i-file:in exposure o-file:out\nparam:i-file:in:filename:\"" + folder_.file("in.exr") +
                  "\"\nparam:o-file:out:filename:\"" + folder_.file("out.exr") + "\"\n"),
        treeModules());
    Pipeline pipeline(sharedDevice(), graph);
    RunOptions options;
    options.take = [&](const Frame&) { work(); };
    EXPECT_EQ(pipeline.run(options).done, 1);
    std::ifstream file(folder_.file("out.exr"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const Folder folder_;
};

TEST_F(Inputs, GiveTheirOtherLayersEvenIfTheyAreGone) {
  const std::string whole = outputAfter([] {});
  EXPECT_TRUE(whole == outputAfter([&] {
                fs::copy(example("render-reference.exr"), folder_.file("other.exr"));
                fs::rename(folder_.file("other.exr"), folder_.file("in.exr"));
              }))
      << "replaced";
  fs::copy(example("render.exr"), folder_.file("in.exr"), fs::copy_options::overwrite_existing);
  EXPECT_TRUE(whole == outputAfter([&] { fs::remove(folder_.file("in.exr")); })) << "removed";
}

}  // namespace
}  // namespace lacuna::test
