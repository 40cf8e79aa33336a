// Pictures in tiles have the bits of the whole: random graphs, sizes, tiles and schedules.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/nodes/rewrites.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

using Frames = std::vector<std::map<std::string, Image>>;

// Modules in a row; some read an earlier one's image, too. Over several frames some read the previous
// frame's.
class RandomGraph {
 public:
  RandomGraph(std::mt19937_64& random, Extent extent, int frames = 1)
      : random_(random), extent_(extent), frames_(static_cast<size_t>(frames)) {
    constexpr Format formats[] = {Format::f16, Format::f32, Format::u8};
    graph_.modulePath.push_back(testFolder() + "/tiles/modules");
    graph_.text = fmt::format("frames:{}\n", frames);
    source("in", Channels::rgba, formats[pick(random_, 0, isOverTime() ? 1 : 2)]);
    images_ = {"i-memory:in"};
  }

  void pointwise() {
    static const char* const names[] = {"exposure", "tonemap", "noise", "places", "blend"};
    const std::string module = add(names[pick(random_, 0, 4)]);
    if (module.starts_with("blend") && isOverTime() && pick(random_, 0, 1) == 0)
      looped_.push_back("back~" + module);
    else if (module.starts_with("blend"))
      line(anyImage(1) + " back=" + module);
  }

  // A filter over time.
  void temporal() {
    static const char* const names[] = {"accum", "taa", "svgf", "trail"};
    if (pick(random_, 0, 4) == 0) {
      reproject();
      return;
    }
    const std::string name = names[pick(random_, 0, 3)];
    const std::string module = add(name);
    if (name == "accum") {
      const int reset = pick(random_, 1, static_cast<int>(frames_.size()) - 1);
      line(
          fmt::format("param:{0}:window:{1}\nkeyframe:0:{0}:reset:false\nkeyframe:{2}:{0}:reset:true\n"
                      "keyframe:{3}:{0}:reset:false",
                      module, 3 * pick(random_, 0, 1), reset, reset + 1));
    } else if (name == "taa") {
      surface(module, {"motion", "depth"});
    } else if (name == "svgf") {
      line(fmt::format("param:{0}:levels:{1}\nparam:{0}:taa:{2}", module, pick(random_, 1, 2),
                       pick(random_, 0, 1) == 0 ? "true" : "false"));
      surface(module, {"albedo", "normal", "depth", "motion"});
    } else {
      line(fmt::format("param:{}:levels:{}", module, pick(random_, 1, 2)));
    }
  }

  void window() {
    static const char* const names[] = {"gaussian", "box", "sharpen", "firefly", "bilateral-separable",
                                        "shift"};
    static const char* const borders[] = {"reflect-101", "clamp", "valid-only", "zero-weight"};
    const int kind = pick(random_, 0, 5);
    const std::string module = add(names[kind]);
    if (kind == 0 || kind == 1 || kind == 4) {
      line(fmt::format("param:{}:border:{}\nparam:{}:radius:{}", module, borders[pick(random_, 0, 3)], module,
                       pick(random_, 1, 6)));
    }
  }

  void chain() {
    static const char* const names[] = {"eaw", "atrous-guided", "placed"};
    const int kind = pick(random_, 0, 2);
    const std::string module = add(names[kind]);
    line(fmt::format("param:{}:levels:{}", module, pick(random_, 1, 3)));
    if (kind == 0) {
      line(fmt::format("param:{0}:noise:{1}\nparam:{0}:noise_power:{2}", module,
                       pick(random_, 0, 2) == 0 ? "0" : "0.05", pick(random_, 0, 1) == 0 ? "0" : "0.5"));
    } else if (kind == 1) {
      const std::string number = std::to_string(instances_);
      source("normal" + number, Channels::normal, Format::f16);
      source("depth" + number, Channels::depth, Format::f32);
      line("i-memory:normal" + number + " normal=" + module);
      line("i-memory:depth" + number + " depth=" + module);
      graph_.schedules[module + ":variance"] = "baseline/buffer";
    } else {
      sink(module + ":first");
    }
  }

  // Sinks of the last image and of another.
  MemoryGraph finish() {
    sink(images_.back());
    sink(anyImage());
    for (const std::string& input : looped_)
      line(anyImage() + " " + input);
    graph_.sources = frames_.front();
    graph_.asGpu = pick(random_, 0, 1) == 0;
    graph_.fuses = pick(random_, 0, 3) > 0;
    return graph_;
  }

  const Frames& frames() const { return frames_; }

 private:
  bool isOverTime() const { return frames_.size() > 1; }

  // But the latest `without` ones.
  std::string anyImage(size_t without = 0) {
    return images_[static_cast<size_t>(pick(random_, 0, static_cast<int>(images_.size() - without) - 1))];
  }

  // What a later module makes of it is reprojected in the next frame.
  void reproject() {
    const std::string module = fmt::format("reproject:{:02}", ++instances_);
    line("module:" + module);
    surface(module, {"motion", "normal", "depth"});
    looped_.push_back("input~" + module);
    const std::string mixed = add("blend");
    line(fmt::format("param:{}:opacity:0.4", mixed));
    line(module + " back=" + mixed);
  }

  // One surface, slightly rough, so that history is often found where motion leads; motion always, other
  // planes sometimes.
  void surface(const std::string& module, const std::vector<std::string>& planes) {
    for (const std::string& plane : planes) {
      if (plane != "motion" && pick(random_, 0, 2) == 0)
        continue;
      if (!frames_.front().contains(plane))
        addPlane(plane);
      line(fmt::format("i-memory:{0} {0}={1}", plane, module));
    }
  }

  void addPlane(const std::string& plane) {
    line("module:i-memory:" + plane);
    for (auto& frame : frames_)
      frame[plane] = surfaceImage(random_, plane, extent_);
  }

  void line(const std::string& text) { graph_.text += text + "\n"; }

  std::string add(const std::string& name) {
    std::string module = fmt::format("{}:{:02}", name, ++instances_);
    const bool isDelayed = isOverTime() && pick(random_, 0, 3) == 0;
    line(images_.back() + (isDelayed ? " input~" : " ") + module);
    images_.push_back(module);
    return module;
  }

  void source(const std::string& name, Channels channels, Format format) {
    line("module:i-memory:" + name);
    for (auto& frame : frames_)
      frame[name] = randomImage(random_, channels, format, extent_, format != Format::u8);
  }

  void sink(const std::string& from) { line(fmt::format("{} o-memory:{}", from, ++instances_)); }

  std::mt19937_64& random_;
  const Extent extent_;
  Frames frames_;
  MemoryGraph graph_;
  std::vector<std::string> images_;
  std::vector<std::string> looped_;  // inputs of the previous frame's values, of any image
  int instances_ = 0;
};

// Sides that a tile may have, the whole among them.
uint32_t randomSide(std::mt19937_64& random, uint32_t whole, const Tileable& picture) {
  const uint32_t least = std::max(64U, 2 * picture.halo + picture.multiple);
  const int steps = whole <= least ? 0 : static_cast<int>((whole - least) / picture.multiple);
  return whole - static_cast<uint32_t>(pick(random, 0, steps)) * picture.multiple;
}

Tileable pictureOf(const MemoryGraph& graph) {
  LoadedGraph loaded = load(graph);
  EXPECT_EQ(loaded.diagnostics.render(), "");
  std::string reason;
  const std::optional<Tileable> picture = tileable(cull(std::move(loaded.graph)), reason);
  return picture ? *picture : throw std::runtime_error(reason);
}

Tiles randomTiles(std::mt19937_64& random, const MemoryGraph& graph) {
  const Tileable picture = pictureOf(graph);
  const Extent whole = picture.whole;
  return {whole,
          {randomSide(random, whole.width, picture), randomSide(random, whole.height, picture)},
          picture.halo,
          picture.multiple};
}

void expectEqualInTiles(std::mt19937_64& random, MemoryGraph graph, const std::string& schedule,
                        const Frames& frames) {
  SCOPED_TRACE(graph.text + schedule);
  const Frames whole = run(graph, schedule, frames);
  for (int i = 0; i < 2; ++i) {
    graph.tiles = randomTiles(random, graph);
    SCOPED_TRACE(print(*graph.tiles));
    const Frames tiled = run(graph, schedule, frames);
    for (size_t frame = 0; frame < frames.size(); ++frame)
      for (const auto& [name, image] : whole[frame])
        EXPECT_EQ(differences(image, tiled[frame].at(name)), "") << name << ", frame " << frame;
  }
}

void expectEqualInTiles(std::mt19937_64& random, const MemoryGraph& graph, const std::string& schedule) {
  expectEqualInTiles(random, graph, schedule, {graph.sources});
}

Extent randomPicture(std::mt19937_64& random) {
  const auto side = [&] {
    return static_cast<uint32_t>(pick(random, 1, 3) == 1 ? pick(random, 1, 90) : pick(random, 65, 330));
  };
  return {side(), side()};
}

// A schedule that all of the graph's chains can have.
std::string randomSchedule(std::mt19937_64& random, const MemoryGraph& graph) {
  const std::vector<StencilSchedule> all = allSchedules(true);
  for (int i = 0; i < 20; ++i) {
    const StencilSchedule& schedule =
        all[static_cast<size_t>(pick(random, 0, static_cast<int>(all.size()) - 1))];
    if (!isRejected(graph, schedule))
      return print(schedule);
  }
  return "baseline";
}

class InTiles : public testing::TestWithParam<int> {};

TEST_P(InTiles, RandomGraphs) {
  std::mt19937_64& random = testRandom();
  RandomGraph graph(random, randomPicture(random));
  graph.pointwise();
  for (int i = pick(random, 1, 2); i > 0; --i) {
    pick(random, 0, 1) == 0 ? graph.window() : graph.chain();
    graph.pointwise();
  }
  const MemoryGraph made = graph.finish();
  expectEqualInTiles(random, made, randomSchedule(random, made));
}

INSTANTIATE_TEST_SUITE_P(Random, InTiles, testing::Range(0, triesAll() ? 200 : 12));

class SequencesInTiles : public testing::TestWithParam<int> {};

TEST_P(SequencesInTiles, RandomGraphs) {
  std::mt19937_64& random = testRandom();
  RandomGraph graph(random, randomPicture(random), 4);
  graph.temporal();
  for (int i = pick(random, 1, 2); i > 0; --i) {
    const int kind = pick(random, 0, 3);
    kind == 0 ? graph.window() : kind == 1 ? graph.chain() : kind == 2 ? graph.pointwise() : graph.temporal();
  }
  const MemoryGraph made = graph.finish();
  expectEqualInTiles(random, made, randomSchedule(random, made), graph.frames());
}

INSTANTIATE_TEST_SUITE_P(Random, SequencesInTiles, testing::Range(0, triesAll() ? 100 : 5));

// Every schedule of a chain whose bodies all use positions.
constexpr size_t scheduleCases = 3;

class SchedulesInTiles : public testing::TestWithParam<size_t> {};

TEST_P(SchedulesInTiles, OfRandomPictures) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph;
  graph.modulePath.push_back(testFolder() + "/tiles/modules");
  graph.text = "i-memory:in placed o-memory:out\nplaced:01:first o-memory:first\n";
  graph.sources["in"] = randomImage(random, Channels::rgba, Format::f16, {211, 173}, true);
  const std::vector<StencilSchedule> all = allSchedules(true);
  const size_t step = triesAll() ? 1 : 3;
  for (size_t i = step * GetParam(); i < all.size(); i += step * scheduleCases)
    if (!isRejected(graph, all[i]))
      expectEqualInTiles(random, graph, print(all[i]));
}

INSTANTIATE_TEST_SUITE_P(Cases, SchedulesInTiles, testing::Range<size_t>(0, scheduleCases));

// Modules that look at blocks of 8x8 pixels, each alone and all in a row.
class BlocksInTiles : public testing::TestWithParam<int> {};

TEST_P(BlocksInTiles, RandomPictures) {
  static const char* const modules[] = {"energy", "chroma", "alpha", "alpha-join", "mix-irradiance"};
  std::mt19937_64& random = testRandom();
  const Extent extent{static_cast<uint32_t>(pick(random, 400, 560)),
                      static_cast<uint32_t>(pick(random, 250, 480))};
  MemoryGraph graph;
  graph.text = "i-memory:noisy box\nparam:box:01:radius:2\n";
  std::string last = "box";
  for (int i = 0; i < 5; ++i) {
    if (GetParam() != i && GetParam() != 5)
      continue;
    const std::string module = modules[i];
    graph.text += fmt::format("{} {}\n", last, module);
    graph.text += i == 2 ? "" : fmt::format("i-memory:noisy noisy={}\n", module);
    if (i == 3) {
      graph.text += fmt::format("i-memory:alpha alpha={}\n", module);
      graph.sources["alpha"] = randomImage(random, Channels::rgb, Format::f16, extent, false);
    }
    if (i == 4) {
      graph.text += fmt::format("i-memory:noisy other={0}\ni-memory:albedo albedo={0}\n", module);
      graph.sources["albedo"] = randomImage(random, Channels::rgb, Format::f16, extent, false);
    }
    last = module;
  }
  graph.text += last + " o-memory:out\n";
  graph.sources["noisy"] = randomImage(random, Channels::rgba, Format::f16, extent, false);
  expectEqualInTiles(random, graph, "auto");
}

INSTANTIATE_TEST_SUITE_P(Random, BlocksInTiles, testing::Range(0, 6));

// Bayer patterns look at blocks of 2x2. Waves that green has less of, in noise, are independent of it in
// part.
class MosaicsInTiles : public testing::TestWithParam<const char*> {};

TEST_P(MosaicsInTiles, RandomPictures) {
  std::mt19937_64& random = testRandom();
  const auto side = [&] { return static_cast<uint32_t>(pick(random, 120, 230)); };
  MemoryGraph graph;
  graph.text = "i-memory:in demosaic o-memory:out\n";
  Image& mosaic = graph.sources["in"];
  mosaic = randomImage(random, Channels::mosaic, Format::f16, {side(), side()}, false);
  mosaic.type.pattern = *patternFromName(GetParam());
  for (uint32_t y = 0; y < mosaic.type.extent.height; ++y) {
    for (uint32_t x = 0; x < mosaic.type.extent.width; ++x) {
      const double wave =
          (letterAt(mosaic.type.pattern, {x, y}) == 2 ? 0.05 : 0.2) * std::sin(0.9 * x + 0.3 * y);
      mosaic.set(x, y, 0, 0.3 + wave + 0.1 * mosaic.at(x, y, 0));
    }
  }
  expectEqualInTiles(random, graph, "auto");
}

INSTANTIATE_TEST_SUITE_P(Random, MosaicsInTiles, testing::Values("rggb", "gbrg", "x-trans"),
                         [](const auto& each) { return std::string(each.param).substr(0, 1); });

// Fireflies, lamps, negative colours, and values that aren't finite.
TEST(InTilesOfRandomPictures, MendedLight) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph;
  graph.text = "i-memory:in mend o-memory:out\ni-memory:albedo albedo=mend:01:rest o-memory:rest\n";
  graph.sources["in"] = randomImage(random, Channels::rgba, Format::f16, {411, 273}, true);
  graph.sources["albedo"] = randomImage(random, Channels::rgb, Format::f16, {411, 273}, false);
  expectEqualInTiles(random, graph, "auto");
}

// A negative pixel stays if three of its kind are 32 pixels away, here just beyond the first tile. It lifts
// colours 17 pixels away.
TEST(MendedInTiles, PixelsSeeTheirKind) {
  constexpr uint32_t whole = 301;
  MemoryGraph graph;
  graph.text = "i-memory:in mend o-memory:out\n";
  Image& picture = graph.sources["in"] = makeImage(Channels::rgb, Format::f32, {whole, 8});
  const Tileable tileable = pictureOf(graph);
  const uint32_t multiple = tileable.multiple, least = 2 * tileable.halo + multiple;
  const uint32_t side = whole - (whole - least) / multiple * multiple;
  for (const auto& [x, y] : {std::pair(side - 32, 4U), {side, 0U}, {side, 3U}, {side, 6U}})
    picture.set(x, y, 1, -9.0);
  const Image expected = run(graph, "auto").at("out");
  EXPECT_GT(expected.at(side - 32 - 17, 4, 1), 0.0);
  graph.tiles = Tiles{tileable.whole, {side, 8}, tileable.halo, multiple};
  SCOPED_TRACE(print(*graph.tiles));
  EXPECT_EQ(differences(expected, run(graph, "auto").at("out")), "");
}

// Fireflies so far apart that none has another one within 32 pixels. The halo of one tile is the core of
// another.
TEST(InTilesOfRandomPictures, MendedPixelsCountOnce) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  graph.text = "i-memory:in mend:01:count o-array:count\n";
  Image& picture = graph.sources["in"] = makeImage(Channels::rgb, Format::f32, {216, 80});
  for (uint32_t i = 0; i < 12; ++i) {
    const auto x = 36 * (i % 6) + static_cast<uint32_t>(pick(random, 0, 3));
    const auto y = 40 * (i / 6) + static_cast<uint32_t>(pick(random, 0, 7));
    picture.set(x, y, 1, 5.0);
  }
  const Tileable tileable = pictureOf(graph);
  graph.tiles = Tiles{tileable.whole, {100, 72}, tileable.halo, tileable.multiple};
  EXPECT_EQ(run(graph, "auto").at("count").at(0, 0, 0), 12.0);
}

// Groups of blocks begin at multiples of the step, in each tile as in the whole picture.
class WienerInTiles : public testing::TestWithParam<int> {};

TEST_P(WienerInTiles, RandomPictures) {
  std::mt19937_64& random = testRandom();
  const auto side = [&] { return static_cast<uint32_t>(pick(random, 120, 230)); };
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-memory:in eaw pilot=wiener o-memory:out\ni-memory:in wiener\nparam:eaw:01:levels:{}\n"
      "param:eaw:01:noise:.05\nparam:wiener:01:noise:.05\nparam:wiener:01:search:{}\n"
      "param:wiener:01:spacing:{}\nparam:wiener:01:group:{}\nparam:wiener:01:step:{}\n",
      pick(random, 1, 2), pick(random, 1, 9), 1 + GetParam() % 2, 1 << pick(random, 1, 4), 2 + GetParam());
  graph.sources["in"] = randomImage(random, Channels::rgba, Format::f32, {side(), side()}, true);
  expectEqualInTiles(random, graph, "auto");
}

INSTANTIATE_TEST_SUITE_P(Random, WienerInTiles, testing::Range(0, 7));

// A pixel depends on groups that begin up to `search` pixels behind it, whose blocks begin up to as many
// pixels further on, and have 8 pixels. With less overlap tiles have other bits.
TEST(WienerInTiles, RandomPicturesNeedTheirHalo) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph;
  graph.text =
      "i-memory:in wiener o-memory:out\ni-memory:pilot pilot=wiener\nparam:wiener:01:search:3\n"
      "param:wiener:01:group:16\nparam:wiener:01:step:2\n";
  for (const char* name : {"in", "pilot"})
    graph.sources[name] = randomImage(random, Channels::rgba, Format::f32, {120, 96}, false);
  const Image whole = run(graph, "auto").at("out");
  const Tileable picture = pictureOf(graph);
  EXPECT_EQ(picture.halo, 2U * 3U + 7U);
  EXPECT_EQ(picture.multiple, 2U);
  graph.tiles = Tiles{picture.whole, {64, 64}, picture.halo, picture.multiple};
  EXPECT_EQ(differences(whole, run(graph, "auto").at("out")), "");
  graph.tiles->halo = picture.halo - 1;
  EXPECT_NE(differences(whole, run(graph, "auto").at("out")), "");
}

// Numbers to which all tiles contribute, and the picture that depends on them. The numbers are those of a
// filtered picture, which is wrong in a part of a tile's halo.
TEST(InTilesOfRandomPictures, EstimatesOfNoise) {
  std::mt19937_64& random = testRandom();
  MemoryGraph graph;
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  graph.text =
      "i-memory:in box eaw o-memory:out\neaw:01:noise o-array:noise\n"
      "eaw:01:levels_noise o-array:levels\nparam:box:01:radius:9\nparam:eaw:01:levels:2\n";
  graph.sources["in"] = randomImage(random, Channels::rgba, Format::f16, {397, 311}, false);
  EXPECT_GT(run(graph, "baseline").at("noise").at(0, 0, 0), 1e-4);
  expectEqualInTiles(random, graph, "baseline");
}

}  // namespace
}  // namespace lacuna::test
