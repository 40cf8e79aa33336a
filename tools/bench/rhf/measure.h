#pragma once
// Ray histogram fusion's finest scale on a rendered scene, under any of its variants.

#include <map>
#include <string>
#include <vector>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tools/bench/check.h"
#include "tools/bench/measure.h"
#include "tools/bench/rhf/study.h"
#include "tools/bench/rhf/tables.h"

namespace lacuna {

// A step and what is measured of it: names of schedules; of `pairs` one empty name.
struct RhfGroup {
  const RhfStep* step = nullptr;
  std::vector<std::string> schedules = {};
};

class RhfFilter {
 public:
  // Renders the scene. Throws BenchMistake: the scene or a module can't be used.
  RhfFilter(vk::Device& device, const std::vector<std::string>& modules, const RhfTask& task);
  RhfFilter(const RhfFilter&) = delete;
  RhfFilter& operator=(const RhfFilter&) = delete;

  // In the study's order. Of each step all workgroups and constants (`all`), or the first that the device can
  // run; where names are asked for, "padded" or "padded@16x4", those.
  std::vector<RhfGroup> groups(const std::vector<std::string>& asked, bool all) const;

  SequentialTime sequential() const;
  double floorBytes() const;  // input, histograms and output once

  // `schedule`: its whole name. What makes another picture than the first one that is measured is wrong.
  Json measure(const RhfStep& step, const std::string& schedule, const BenchEffort& effort);

 private:
  NodeGraph graphOf(const RhfStep& step) const;
  // Of a name that says a part of it.
  std::string wholeName(const RhfStep& step, const std::string& schedule) const;
  std::vector<std::string> schedulesOf(const RhfStep& step, bool all) const;
  void render();

  vk::Device& device_;
  std::vector<std::string> modules_;
  RhfTask task_;
  std::map<std::string, std::shared_ptr<const std::vector<std::byte>>> rendered_;  // by value
  ExpectedPicture expected_;
};

}  // namespace lacuna
