#pragma once
// What was measured of filters, on disk: a file for each device, driver, filter (the text of its shader, of a
// kernel those of all its variants, which holds its body, its formats and what is connected, and its
// structural values) and class of sizes, an octave of pixels wide. A damaged file is as good as none, and so
// is what it says of schedules that are no more.

#include <optional>
#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"
#include "graph/run/tune/tuned.h"
#include "graph/schedule/measured.h"
#include "graph/shader/cache_file.h"
#include "graph/vk/device.h"

namespace lacuna {

class TuningCache {
 public:
  // `folder` as in ShaderCache; empty: nothing is kept.
  TuningCache(std::string folder, const vk::DeviceInfo& device, std::vector<std::string> includePath);

  // What was measured for a filter (hasSchedules()) of a laid-out graph. Milliseconds are scaled to its size.
  std::optional<Tuned> read(const NodeGraph& graph, const Node& node) const;
  // Replaces what is known of the same schedules, and keeps the rest.
  void add(const NodeGraph& graph, const Node& node, const std::vector<TimedSchedule>& measured) const;
  bool forget(const NodeGraph& graph, const Node& node) const;  // false: there was nothing

  // Bytes a second of a copy (run/bandwidth.h); 0: not known.
  double bandwidth() const;
  void setBandwidth(double bytesPerSecond) const;

  // What is known of all filters of filtersOf() a graph, for CompileOptions. Nothing is known of filters
  // whose bodies can't be read.
  Knowledge know(const NodeGraph& filters) const;

 private:
  FilterKnowledge knowFilter(const NodeGraph& graph, const Node& node) const;
  CacheFile fileOf(const NodeGraph& graph, const Node& node, const std::string& text) const;
  std::optional<Tuned> readAs(const NodeGraph& graph, const Node& node, const std::string& text) const;

  std::string folder_;
  std::string device_;
  std::vector<std::string> includePath_;
};

// What is known of filters without a device: what their bodies compute.
Knowledge workOf(const NodeGraph& filters, std::vector<std::string> includePath);

// Everything that was ever measured. Returns the number of files.
size_t forgetTuning(const std::string& folder);

}  // namespace lacuna
