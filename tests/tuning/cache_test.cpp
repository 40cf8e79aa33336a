// Measurements of stencil chains, on disk.

#include <filesystem>
#include <fstream>

#include "graph/files/own_place.h"
#include "graph/run/tune/tuning.h"
#include "tests/io/support.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent extent{160, 100};

vk::DeviceInfo deviceNamed(const std::string& name, const std::string& driver = "driver 1") {
  vk::DeviceInfo info;
  info.name = name;
  info.driver = driver;
  return info;
}

NodeGraph eaw(const std::string& more = {}, Extent size = extent, Format format = Format::f16) {
  return fuse(cull(graphOf(eawText(3, more), size, format)), wideDevice());
}

const Node& chainOf(const NodeGraph& graph) {
  for (const Node& node : graph.nodes)
    if (node.name.ends_with(":atrous"))
      return node;
  ADD_FAILURE() << "no chain";
  return graph.nodes.front();
}

class Tuning : public testing::Test {
 protected:
  TuningCache cache(const std::string& device = "gpu", const std::string& driver = "driver 1") const {
    return {folder_.file("cache"), deviceNamed(device, driver), {LACUNA_MODULE_FOLDER}};
  }
  static Selection chosenOf(const NodeGraph& graph, const Knowledge& known, Diagnostics& diagnostics) {
    const Node& node = chainOf(graph);
    return selectSchedule({graph, node, wideDevice()}, {}, known.at(node.name), diagnostics);
  }
  static bool knows(const TuningCache& cache, const NodeGraph& graph) {
    return cache.read(graph, chainOf(graph)).has_value();
  }
  std::string onlyFile() const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file("cache/tuning"))) {
      EXPECT_EQ(found, "");
      found = entry.path().string();
    }
    return found;
  }
  const Folder folder_;
};

TEST_F(Tuning, AutoTakesTheFastestMeasured) {
  const NodeGraph graph = eaw();
  const Node& node = chainOf(graph);
  EXPECT_FALSE(knows(cache(), graph));
  cache().add(graph, node, {{"lattice@16x16/image/pass", 1.5}, {"tiled@16x8/image/carried", 1.25}});
  const auto tuned = cache().read(graph, node);
  ASSERT_TRUE(tuned);
  EXPECT_EQ(tuned->pixels, uint64_t{160} * 100);
  EXPECT_EQ(tuned->date.size(), std::string("2026-11-20").size());
  Diagnostics diagnostics;
  const Selection chosen = chosenOf(graph, cache().know(graph), diagnostics);
  EXPECT_EQ(chosen.choice.schedule, "tiled@16x8/image/carried");
  EXPECT_EQ(chosen.choice.candidates[0].ms, 1.25);
  EXPECT_EQ(chosen.choice.candidates[0].measured, tuned->date);
  EXPECT_EQ(chosen.choice.candidates[1].name, "lattice@16x16/image/pass");
  EXPECT_EQ(chosen.choice.candidates[2].measured, "");
  // A second measurement replaces the first, and leaves the others.
  cache().add(graph, node, {{"tiled@16x8/image/carried", 2.0}});
  const Selection later = chosenOf(graph, cache().know(graph), diagnostics);
  EXPECT_EQ(later.choice.schedule, "lattice@16x16/image/pass");
  EXPECT_TRUE(cache().forget(graph, node));
  EXPECT_FALSE(cache().forget(graph, node));
  EXPECT_FALSE(knows(cache(), graph));
}

TEST_F(Tuning, IsOfDeviceDriverFilterAndSize) {
  const NodeGraph graph = eaw();
  cache().add(graph, chainOf(graph), {{"baseline@16x16/image/pass", 1.0}});
  EXPECT_TRUE(knows(cache(), graph));
  EXPECT_FALSE(knows(cache("another gpu"), graph));
  EXPECT_FALSE(knows(cache("gpu", "driver 2"), graph));
  EXPECT_FALSE(knows(cache(), eaw("param:eaw:01:precision:f32\n")));
  EXPECT_FALSE(knows(cache(), fuse(cull(graphOf(eawText(4), extent)), wideDevice())));
  EXPECT_TRUE(knows(cache(), eaw("param:eaw:01:edges:2\n")));
  EXPECT_FALSE(knows(cache(), eaw({}, {320, 200})));
  // Within the class, milliseconds go by pixels.
  const NodeGraph larger = eaw({}, {160, 110});
  const auto tuned = cache().read(larger, chainOf(larger));
  ASSERT_TRUE(tuned);
  EXPECT_DOUBLE_EQ(tuned->measured.front().ms, 1.1);
}

TEST_F(Tuning, DamagedOrForeignFilesAreNone) {
  const NodeGraph graph = eaw();
  cache().add(graph, chainOf(graph), {{"baseline@16x16/image/pass", 1.0}});
  const std::string path = onlyFile();
  const std::string whole = slurp(path);
  int read = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    spill(path, damaged);
    // Bits that a compressed stream doesn't use change nothing.
    const auto tuned = cache().read(graph, chainOf(graph));
    EXPECT_TRUE(!tuned || tuned->measured.front().ms == 1.0) << at;
    read += tuned ? 1 : 0;
  }
  EXPECT_LE(read, 2);
  spill(path, whole.substr(0, whole.size() / 2));
  EXPECT_FALSE(knows(cache(), graph));
  spill(path, "");
  EXPECT_FALSE(knows(cache(), graph));
  cache().add(graph, chainOf(graph), {{"baseline@16x16/image/pass", 1.0}});
  EXPECT_TRUE(knows(cache(), graph));
}

// Schedules that no longer exist have no effect.
TEST_F(Tuning, UnknownSchedulesAreIgnored) {
  const NodeGraph graph = eaw();
  const Node& node = chainOf(graph);
  cache().add(graph, node, {{"spiral@16x16/image", 0.001}});
  Diagnostics diagnostics;
  const Selection chosen = chosenOf(graph, cache().know(graph), diagnostics);
  EXPECT_EQ(chosen.choice.candidates.front().measured, "");
  EXPECT_EQ(diagnostics.render(), "");
}

TEST_F(Tuning, BandwidthIsOfTheDevice) {
  EXPECT_EQ(cache().bandwidth(), 0.0);
  cache().setBandwidth(2.5e12);
  EXPECT_EQ(cache().bandwidth(), 2.5e12);
  EXPECT_EQ(cache("another gpu").bandwidth(), 0.0);
  DeviceModel device = wideDevice();
  device.bandwidth = 1e9;
  const NodeGraph graph = eaw();
  Diagnostics diagnostics;
  const Selection chosen = selectSchedule({graph, chainOf(graph), device}, {}, {}, diagnostics);
  EXPECT_DOUBLE_EQ(chosen.choice.floorMs, 160 * 100 * 16 * 1e-6);
}

// What is measured here counts, and what is imported doesn't mix with it.
TEST_F(Tuning, ImportsAreOfAnotherMachine) {
  const NodeGraph graph = eaw();
  const Node& node = chainOf(graph);
  cache("gpu", "driver 2").add(graph, node, {{"baseline@16x16/image/pass", 1.0}});
  const TunedDevice found = parseTuned(print(cache("gpu", "driver 2").measured()));
  EXPECT_EQ(found.driver, "driver 2");
  EXPECT_EQ(cache().import(found), 1U);
  EXPECT_EQ(cache().import(found), 1U) << "it is replaced";
  EXPECT_TRUE(knows(cache(), graph));
  EXPECT_TRUE(cache().measured().filters.empty());
  EXPECT_TRUE(cache().know(graph).at(node.name).date.ends_with(" on another machine"));
  cache().add(graph, node, {{"lattice@16x16/image/pass", 2.0}});
  const auto known = cache().read(graph, node);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->measured.size(), 1U);
  EXPECT_EQ(cache().measured().filters.size(), 1U);
  EXPECT_EQ(cache().import(found), 0U);
  EXPECT_EQ(cache().read(graph, node)->measured.front().name, "lattice@16x16/image/pass");
}

// Tables that come with the program: each is in the format, named as its device, with schedules that exist.
TEST_F(Tuning, KnownDevicesHaveTheirFiles) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sharedFolder("graph/run/tune/devices"))) {
    const TunedDevice known = parseTuned(slurp(entry.path().string()));
    EXPECT_EQ(knownDeviceFile(known.device), entry.path().string());
    EXPECT_NE(known.program, "");
    EXPECT_FALSE(known.filters.empty());
    for (const Tuned& tuned : known.filters)
      EXPECT_FALSE(tuned.imported);
    ++count;
  }
  EXPECT_GE(count, 1U);
  EXPECT_TRUE(knownDeviceFile("llvmpipe (LLVM 15.0.6, 256 bits)").ends_with("/llvmpipe.json"));
  EXPECT_TRUE(knownDeviceFile("NVIDIA H200").ends_with("/nvidia-h200.json"));
}

TEST_F(Tuning, KnownDevicesCountWhereNothingWasMeasured) {
  const NodeGraph graph = graphOf("i-memory:in gaussian o-memory:out\n", {1920, 1080});
  const auto dateOn = [&](const std::string& device) {
    return cache(device).know(graph).at("gaussian:01:main").date;
  };
  EXPECT_EQ(dateOn("gpu"), "");
  EXPECT_EQ(dateOn("llvmpipe (LLVM 19.1.7, 128 bits)"), "2026-11-30 on another machine");
  EXPECT_FALSE(cache("llvmpipe").read(graph, *findNamed(graph.nodes, "gaussian:01:main")));
  cache("llvmpipe").add(graph, *findNamed(graph.nodes, "gaussian:01:main"), {{"baseline@16x16/image", 9.0}});
  EXPECT_EQ(dateOn("llvmpipe").size(), std::string("2026-11-30").size());
  EXPECT_EQ(cache("llvmpipe").know(graph).at("gaussian:01:main").measured.size(), 1U);
}

TEST_F(Tuning, ForgetsAll) {
  EXPECT_EQ(forgetTuning(folder_.file("cache")), 0U);
  const NodeGraph graph = eaw();
  cache().add(graph, chainOf(graph), {{"baseline@16x16/image/pass", 1.0}});
  cache("another gpu").add(graph, chainOf(graph), {{"baseline@16x16/image/pass", 1.0}});
  EXPECT_EQ(forgetTuning(folder_.file("cache")), 2U);
  EXPECT_FALSE(knows(cache(), graph));
}

}  // namespace
}  // namespace lacuna::test
