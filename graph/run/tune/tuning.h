#pragma once
// Measurements of filters, on disk: a file for each device and driver, with filters by the text of their
// shaders (for a kernel those of all its variants, which contains its body, its formats, its connections and
// its structural values) and class of sizes, an octave of pixels wide. A damaged file counts as missing, and
// so do schedules that no longer exist. For filters that this file lacks, measurements of a known device come
// with the program (devices/): shaders that changed since keep theirs there, since the choice rarely changes.

#include <optional>
#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"
#include "graph/run/tune/tuned.h"
#include "graph/schedule/knowledge.h"
#include "graph/shader/cache_file.h"
#include "graph/vk/device.h"

namespace lacuna {

class TuningCache {
 public:
  // `folder` as in ShaderCache; if empty, nothing is kept.
  TuningCache(std::string folder, const vk::DeviceInfo& device, std::vector<std::string> includePath);

  // The measurements here of a filter (hasSchedules()) of a laid-out graph. Milliseconds are scaled to its
  // size.
  std::optional<Tuned> read(const NodeGraph& graph, const Node& node) const;
  // Replaces measurements of the same schedules, and keeps the rest.
  void add(const NodeGraph& graph, const Node& node, const std::vector<TimedSchedule>& measured) const;
  bool forget(const NodeGraph& graph, const Node& node) const;  // false if there was nothing

  // What was measured on this machine; no filters if nothing was.
  TunedDevice measured() const;
  // Keeps another machine's measurements of the same kind of device, but for filters that were measured here.
  // Returns how many filters it kept.
  size_t import(const TunedDevice& from) const;

  // Bytes a second of a copy (run/bandwidth.h); 0: not known.
  double bandwidth() const;
  void setBandwidth(double bytesPerSecond) const;

  // The knowledge of all filters of filtersOf() a graph, for CompileOptions. Filters whose bodies can't be
  // read have none.
  Knowledge know(const NodeGraph& filters) const;

 private:
  CacheFile file() const;
  TunedDevice kept() const;
  void keep(const TunedDevice& tuned) const;

  std::string folder_;
  std::string device_, uuid_, driver_;
  std::vector<std::string> includePath_;
};

// The knowledge of filters without a device: their bodies' work.
Knowledge workOf(const NodeGraph& filters, std::vector<std::string> includePath);

// The file of a known device that comes with the program, if there is one; it may be missing.
std::string knownDeviceFile(const std::string& deviceName);

// All measurements so far. Returns the number of files.
size_t forgetTuning(const std::string& folder);

}  // namespace lacuna
