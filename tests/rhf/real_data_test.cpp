// The authors' own program on a synthetic render of the shared data folder beside the repository. Skipped
// where it is missing.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "modules/codecs/image_file.h"
#include "tests/rhf/render.h"

namespace lacuna::test {
namespace {

std::string shared(const std::string& name) {
  return testFolder() + "/../../shared/data/renders/" + name;
}

Image readColour(const std::string& file) {
  Image image;
  image.type = probeImage("exr", file, {"output"}).at("output");
  image.words.resize(byteSize(image.type) / 4);
  readImage("exr", file, "output", image.type, std::as_writable_bytes(std::span(image.words)));
  return image;
}

TEST(RhfRealData, AgreesWithTheAuthorsProgram) {
  if (!std::filesystem::exists(shared("synth_48x40_rhf.exr")))
    GTEST_SKIP() << "no shared data beside the repository";
  MemoryGraph graph;
  graph.text =

      "param:i-exr:image:filename:\"" + shared("synth_48x40.exr") + "\"\nparam:i-exr:bins:filename:\"" +
      shared("synth_48x40_hist.exr") +
      "\"\ni-exr:image rhf o-memory:out\ni-exr:bins:histogram histogram=rhf\n";
  const Image ours = run(graph, "auto").at("out");
  const Image theirs = readColour(shared("synth_48x40_rhf.exr"));
  double sum = 0.0;
  for (uint32_t y = 0; y < 40; ++y) {
    for (uint32_t x = 0; x < 48; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double expected = theirs.at(x, y, c);
        const double difference =
            std::abs(roundToHalf(ours.at(x, y, c)) - expected) / (std::abs(expected) + 1e-3);
        ASSERT_LT(difference, 2e-3) << x << ", " << y << ", component " << c;
        sum += difference;
      }
    }
  }
  EXPECT_LT(sum / (40 * 48 * 3), 2e-4);
}

}  // namespace
}  // namespace lacuna::test
