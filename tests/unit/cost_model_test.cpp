// The cost model against what was measured (measured-times.csv): graph/schedule/README.md states these
// errors.

#include "graph/schedule/stencil/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "graph/shader/generate/filter_text.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

struct Row {
  std::string device, filter, size, schedule;
  double ms = 0.0;
  double estimate = 0.0;
};

std::vector<Row> measuredRows() {
  std::ifstream file(LACUNA_TEST_FOLDER "/unit/measured-times.csv");
  std::vector<Row> columns, rows;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    std::string schedule;
    std::getline(words, schedule, ',');
    for (size_t i = 0; std::getline(words, word, ','); ++i) {
      if (schedule == "schedule") {
        Row& column = columns.emplace_back();
        std::istringstream(word) >> column.device >> column.filter >> column.size;
      } else if (!columns.empty() && !word.empty()) {
        Row& row = rows.emplace_back(columns.at(i));
        row.schedule = schedule;
        row.ms = std::stod(word);
      }
    }
  }
  return rows;
}

// Larger than any image here needs, so that nothing is rejected.
DeviceModel measuredDevice(const std::string& name) {
  DeviceModel device = wideDevice();
  device.cpu = name == "lavapipe";
  device.maxStorageBufferRange = device.maxAllocation = 1ULL << 40U;
  device.maxSharedMemory = 49152;
  device.subgroupVote = true;
  return device;
}

// Estimates of all schedules of a filter at a size.
std::map<std::string, double> estimates(const std::string& device, const std::string& filter,
                                        const std::string& size) {
  const bool eaw = filter == "eaw";
  Extent extent;
  char by = 0;
  std::istringstream(size) >> extent.width >> by >> extent.height;
  // Only the chain, as it was measured.
  const NodeGraph graph = cull(graphOf(eaw ? eawText(6) : guidedText(5), extent));
  std::map<std::string, double> all;
  for (const Node& node : graph.nodes) {
    if (!node.name.ends_with(eaw ? ":atrous" : ":levels"))
      continue;
    const FilterWork work = countWork(filterText(graph, node, {LACUNA_MODULE_FOLDER}));
    for (const FilterCandidate& candidate : candidatesOf(graph, node, measuredDevice(device), work))
      all[candidate.told.name] = candidate.told.ms;
  }
  return all;
}

using MeasuredCase = std::tuple<std::string, std::string, std::string>;  // device, filter, size

std::map<MeasuredCase, std::vector<Row>> measuredCases() {
  std::map<MeasuredCase, std::vector<Row>> cases;
  for (const Row& row : measuredRows())
    cases[{row.device, row.filter, row.size}].push_back(row);
  for (auto& [key, rows] : cases) {
    const auto estimated = estimates(std::get<0>(key), std::get<1>(key), std::get<2>(key));
    for (Row& row : rows) {
      const auto found = estimated.find(row.schedule);
      EXPECT_NE(found, estimated.end()) << row.schedule;
      row.estimate = found == estimated.end() ? 0.0 : found->second;
    }
  }
  return cases;
}

struct Error {
  double sum = 0.0, worst = 0.0, choice = 1.0;
  int count = 0;
};

std::map<std::string, Error> errors() {
  std::map<std::string, Error> byDevice;
  for (const auto& [key, rows] : measuredCases()) {
    Error& error = byDevice[std::get<0>(key)];
    const Row* best = &rows.front();
    const Row* chosen = &rows.front();
    for (const Row& row : rows) {
      const double off = std::abs(row.estimate / row.ms - 1.0);
      error.sum += off;
      error.worst = std::max(error.worst, off);
      ++error.count;
      best = row.ms < best->ms ? &row : best;
      chosen = row.estimate < chosen->estimate ? &row : chosen;
    }
    error.choice = std::max(error.choice, chosen->ms / best->ms);
    std::printf("%s %s %s: takes %s, %.4g ms; best %s, %.4g ms\n", std::get<0>(key).c_str(),
                std::get<1>(key).c_str(), std::get<2>(key).c_str(), chosen->schedule.c_str(), chosen->ms,
                best->schedule.c_str(), best->ms);
  }
  for (const auto& [device, error] : byDevice) {
    std::printf("%s: mean error %.3f, worst %.3f, chosen over best %.3f\n", device.c_str(),
                error.sum / error.count, error.worst, error.choice);
  }
  return byDevice;
}

TEST(CostModel, ErrorsAreAsStated) {
  const std::map<std::string, Error> found = errors();
  ASSERT_EQ(found.size(), 2U);
  const Error& gpu = found.at("h200");
  EXPECT_LE(gpu.sum / gpu.count, 0.041);
  EXPECT_LE(gpu.worst, 0.19);
  EXPECT_LE(gpu.choice, 1.02);
  const Error& cpu = found.at("lavapipe");
  EXPECT_LE(cpu.sum / cpu.count, 0.115);
  EXPECT_LE(cpu.worst, 0.29);
  EXPECT_LE(cpu.choice, 1.01);
}

NodeGraph discGraph(int radius) {
  return cull(graphOf(fmt::format("i-memory:in bilateral o-memory:out\nparam:bilateral:01:distance:opencv\n"
                                  "param:bilateral:01:radius:{}\n",
                                  radius),
                      {1920, 1080}));
}

const Node& stencilOf(const NodeGraph& graph) {
  return *std::ranges::find(graph.nodes, NodeKind::stencil, &Node::kind);
}

// On lavapipe, 1920x1080, 8 bits, threads of 4, 8 and 16 pixels take 105, 116 and 131 ms for a disc of
// radius 3, of which only the first is unrolled, 217, 205 and 181 ms for radius 4, and 2790, 2330 and 1950 ms
// for radius 15; 2790 ms with 8 pixels on buffers.
TEST(CostModel, TakesUnrolledDiscsOnCpus) {
  const auto chosen = [](int radius) {
    const NodeGraph graph = discGraph(radius);
    const FilterWork work = countWork(filterText(graph, stencilOf(graph), {LACUNA_MODULE_FOLDER}));
    const auto candidates = candidatesOf(graph, stencilOf(graph), measuredDevice("lavapipe"), work);
    const auto timeOf = [](const FilterCandidate& candidate) {
      return candidate.told.rejected.empty() ? candidate.told.ms : 1e30;
    };
    return std::string(std::ranges::min_element(candidates, {}, timeOf)->told.name);
  };
  EXPECT_EQ(chosen(3), "blocks2@16x8/image");
  EXPECT_EQ(chosen(4), "blocks16@8x8/image");
  EXPECT_EQ(chosen(15), "blocks16@8x8/image");
}

// The pixels of a disc, and of several, one by one.
TEST(CostModel, DiscsReach) {
  const NodeGraph graph = discGraph(3);
  const StencilSchedule schedule;
  const StencilUse use{graph, stencilOf(graph), schedule};
  for (const auto& [columns, rows] : {std::pair{1, 1}, {1, 4}, {2, 2}, {4, 4}}) {
    std::set<std::pair<int, int>> pixels;
    for (int i = 0; i < columns * rows * 49; ++i) {
      const int x = i % 7 - 3, y = i / 7 % 7 - 3, own = i / 49;
      if (x * x + y * y <= 9)
        pixels.emplace(own % columns + x, own / columns + y);
    }
    EXPECT_EQ(use.reached(columns, rows), static_cast<int>(pixels.size())) << columns << "x" << rows;
  }
}

// Workgroups that fuse two levels filter 40x40 pixels of the first one and 32x32 of the second, in the order
// of rows4; the second one's taps come from shared memory.
TEST(CostModel, FusedLevelsByHand) {
  const NodeGraph graph = fuse(cull(graphOf(eawText(2), {64, 96})), wideDevice());
  const Node& node = graph.nodes[NodeId(1)];
  ASSERT_EQ(node.kind, NodeKind::stencil);
  const NodeGraph alone = aloneGraph(graph, node);
  const FilterWork work{{8, 1}, {}, {}, {10, 1}, 4, 8};
  const auto term = [&](const char* name, CostTerm which) {
    const FilterCandidate candidate = makerOf(graph, node)->make({graph, node, wideDevice()}, name, work);
    const Table<PassId, Pass> passes = passesAlone(alone, *candidate.schedule, wideDevice()).passes;
    return costTerms(alone, passes, work, false)[static_cast<size_t>(which)];
  };
  const char* const fused = "fused2@32x8/buffer/carried";
  const char* const rows = "rows4@32x4/buffer/carried";
  EXPECT_NEAR(term(fused, CostTerm::special) / term(rows, CostTerm::special), (1600.0 + 1024.0) / 2048.0,
              1e-9);
  // 40 taps and the centre for every four pixels, of two words.
  EXPECT_NEAR(term(fused, CostTerm::sharedReads), 64e-9 * 96 * 11 * 2, 1e-12);
  EXPECT_NEAR(term(fused, CostTerm::sharedWrites), 64e-9 * 96 * 1.5625 * 2, 1e-12);
  EXPECT_EQ(term(rows, CostTerm::sharedReads), 0.0);
}

// More work never costs less.
TEST(CostModel, GrowsWithTheWork) {
  const NodeGraph graph = fuse(cull(graphOf(eawText(3), {640, 480})), wideDevice());
  const Node& node = graph.nodes[NodeId(1)];
  ASSERT_EQ(node.kind, NodeKind::stencil);
  for (const bool cpu : {true, false}) {
    DeviceModel device = wideDevice();
    device.cpu = cpu;
    const FilterWork lightWork{{8, 0}, {}, {}, {10, 1}, 4, 8};
    const FilterWork heavyWork{{40, 3}, {}, {20, 1}, {30, 4}, 8, 16};
    const auto light = candidatesOf(graph, node, device, lightWork);
    const auto heavy = candidatesOf(graph, node, device, heavyWork);
    for (size_t i = 0; i < light.size(); ++i) {
      SCOPED_TRACE(light[i].told.name);
      EXPECT_GT(light[i].told.ms, 0.0);
      EXPECT_GT(heavy[i].told.ms, light[i].told.ms);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
