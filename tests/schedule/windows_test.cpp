// Filters that state their window: every family gives the baseline's bits, except for the sign and payload of
// NaNs. bilateral's are those of a kernel that gathers the window by hand, too (bilateral-study).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

struct Stated {
  std::string module;
  std::vector<Format> formats;
  std::vector<Channels> channels;
  bool hasGuide = false;
};

const std::vector<Format> allFormats = {Format::u8, Format::u16, Format::f16, Format::f32};
const std::vector<Channels> allChannels = {Channels::rgba, Channels::y, Channels::rgb, Channels::mv};
const Stated statedFilters[] = {
    {"box", allFormats, allChannels},
    {"gaussian", allFormats, allChannels},
    {"bilateral-separable", allFormats, allChannels, true},
    {"bilateral", allFormats, allChannels, true},
    {"firefly", allFormats, {Channels::rgba}},
};
const Extent statedExtents[] = {{1, 1}, {17, 1}, {1, 33}, {3, 29}, {70, 66}, {127, 101}};

class Windows : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  std::mt19937_64& random_ = testRandom();
  const Stated& filter_ = statedFilters[std::get<0>(GetParam())];
  Extent extent_ = statedExtents[std::get<1>(GetParam())];

  Image image() {
    const Format format = filter_.formats[static_cast<size_t>(pick(random_, 0, 3))];
    const auto last = static_cast<int>(filter_.channels.size()) - 1;
    const bool isFloat = format == Format::f16 || format == Format::f32;
    return randomImage(random_, filter_.channels[static_cast<size_t>(pick(random_, 0, last))], format,
                       extent_, isFloat && pick(random_, 0, 1) == 0);
  }

  // The parameters as `param:NAME:01:...` lines of any of the modules.
  std::string parameters() {
    std::string text;
    const auto set = [&](const char* name, const auto& value) {
      text += fmt::format("param:$:01:{}:{}\n", name, value);
    };
    if (filter_.module == "firefly") {
      set("factor", 0.01 * pick(random_, 0, 300));
      return text;
    }
    const char* const borders[] = {"reflect-101", "clamp", "valid-only", "zero-weight"};
    set("border", borders[pick(random_, 0, 3)]);
    const bool isWide = extent_.width < 60 || pick(random_, 0, 3) == 0;
    set("radius", pick(random_, 1, isWide ? 31 : 4));
    if (filter_.module == "gaussian") {
      set("sigma", 0.001 * pick(random_, 300, 9000));
    } else if (filter_.module != "box") {
      const char* const distances[] = {"per-channel", "rgb", "opencv"};
      set("distance", distances[pick(random_, 0, filter_.module == "bilateral" ? 2 : 1)]);
      set("sigma_space", 0.01 * pick(random_, 50, 900));
      set("sigma_range", 0.1 * pick(random_, 50, 900));
    }
    if ((filter_.module == "box" || filter_.module == "bilateral") && pick(random_, 0, 2) == 0)
      set("iterations", pick(random_, 2, 3));
    return text;
  }

  MemoryGraph graphOf(const std::string& module, const std::string& parameters, const Image& input,
                      const std::optional<Image>& guide) {
    MemoryGraph graph;
    graph.text = "i-memory:in $ o-memory:out\n" + parameters;
    graph.sources["in"] = input;
    if (guide) {
      graph.text += "i-memory:guide guide=$\n";
      graph.sources["guide"] = *guide;
    }
    for (size_t at = graph.text.find('$'); at != std::string::npos; at = graph.text.find('$'))
      graph.text.replace(at, 1, module);
    return graph;
  }
};

TEST_P(Windows, GiveTheSameBitsUnderAllSchedules) {
  const Image input = image();
  const std::optional<Image> guide =
      filter_.hasGuide && pick(random_, 0, 2) == 0 ? std::optional(image()) : std::nullopt;
  const std::string text = parameters();
  const bool asGpu = pick(random_, 0, 1) == 1;
  MemoryGraph stated = graphOf(filter_.module, text, input, guide);
  stated.asGpu = asGpu;
  SCOPED_TRACE(fmt::format("{}{}, {}\n{}", print(input.type), guide ? ", guide " + print(guide->type) : "",
                           asGpu ? "as on GPUs" : "as on CPUs", stated.text));
  std::vector<StencilSchedule> all = allSchedules(false);
  for (const char* name : {"blocks2", "blocks16"}) {
    const std::vector<StencilSchedule> named = schedulesNamed(name, false);
    all.insert(all.end(), named.begin(), named.end());
  }
  const Image expected = filter_.module == "bilateral"
                             ? run(graphOf("bilateral-study", text, input, guide), "naive").at("out")
                             : runChecked(stated, print(all.front())).at("out");
  const int step = triesAll() ? 1 : 13;
  for (size_t i = static_cast<size_t>(pick(random_, 0, step - 1)); i < all.size(); i += step)
    if (!isRejected(stated, all[i]))
      EXPECT_EQ(differences(expected, runChecked(stated, print(all[i])).at("out")), "") << print(all[i]);
}

INSTANTIATE_TEST_SUITE_P(Random, Windows, testing::Combine(testing::Range(0, 5), testing::Range(0, 6)));

}  // namespace
}  // namespace lacuna::test
