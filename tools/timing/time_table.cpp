#include "tools/timing/time_table.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/door/state.h"
#include "graph/median.h"
#include "graph/run/bandwidth.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

double medianOf(const FrameTimes& frames, size_t pass) {
  std::vector<double> times;
  for (const std::vector<double>& frame : frames) {
    times.push_back(frame[pass]);
  }
  return median(std::move(times));
}

void printLine(const PassTime& pass, std::FILE* to) {
  const bool hasFloor = pass.floorMs > 0.0;
  fmt::print(to, "{:<40} {:>10.4f} {:>10.2f} {:>10.2f} {:>9.1f} {:>9} {:>8} {:>6}\n", pass.name, pass.ms,
             pass.read * 1e-6, pass.written * 1e-6,
             pass.ms > 0.0 ? (pass.read + pass.written) * 1e-6 / pass.ms : 0.0,
             hasFloor ? fmt::format("{:.4f}", pass.floorMs) : "-",
             hasFloor ? fmt::format("{:.1f}", pass.ms / pass.floorMs) : "-",
             pass.isTransfer ? "-" : fmt::format("{:.1f}%", 100.0 * pass.share));
}

}  // namespace

PassTimes passTimes(const std::vector<PassPlan>& passes, const FrameTimes& frames, double bandwidth) {
  PassTimes times;
  for (size_t p = 0; p < passes.size(); ++p) {
    const PassPlan& pass = passes[p];
    PassTime time;
    time.name = pass.name;
    time.ms = medianOf(frames, p);
    time.read = static_cast<double>(pass.bytesRead);
    time.written = static_cast<double>(pass.bytesWritten);
    time.isTransfer = pass.isTransfer;
    // Transfers cross a bus that a copy on the device knows nothing of.
    time.floorMs = !time.isTransfer && bandwidth > 0.0 ? (time.read + time.written) / bandwidth * 1e3 : 0.0;
    if (!time.isTransfer) {
      times.ms += time.ms;
      times.read += time.read;
      times.written += time.written;
    }
    times.passes.push_back(std::move(time));
  }
  for (PassTime& time : times.passes) {
    time.share = !time.isTransfer && times.ms > 0.0 ? time.ms / times.ms : 0.0;
  }
  return times;
}

void print(const PassTimes& times, double bandwidth, std::FILE* to) {
  fmt::print(to,
             "floor: the bytes of a pass at {:.1f} GB/s, which a copy within the device's memory reaches\n",
             bandwidth * 1e-9);
  fmt::print(to, "{:<40} {:>10} {:>10} {:>10} {:>9} {:>9} {:>8} {:>6}\n", "pass", "ms", "MB read",
             "MB written", "GB/s", "floor ms", "x floor", "share");
  for (const PassTime& pass : times.passes) {
    printLine(pass, to);
  }
  fmt::print(to, "{:<40} {:>10.4f} {:>10.2f} {:>10.2f}\n", "all (without transfers)", times.ms,
             times.read * 1e-6, times.written * 1e-6);
}

nlohmann::ordered_json timesJson(const PassTimes& times) {
  auto passes = nlohmann::ordered_json::array();
  for (const PassTime& pass : times.passes) {
    passes.push_back(
        {{"name", pass.name}, {"ms", pass.ms}, {"bytesRead", pass.read}, {"bytesWritten", pass.written}});
  }
  return passes;
}

void printTimes(const Device& device, const std::vector<PassPlan>& passes, const FrameTimes& frames,
                std::FILE* to) {
  if (frames.empty()) {
    return;
  }
  const double bandwidth = copyBandwidth(door::Access::of(device)->device);
  fmt::print(to, "{}, {}; {}, {}\n", device.description().name, device.description().driver,
             frames.size() == 1 ? "one frame" : fmt::format("medians of {} frames", frames.size()),
             "after a run that is not timed, in which drivers compile");
  print(passTimes(passes, frames, bandwidth), bandwidth, to);
  if (frames.size() == 1) {
    printNote("one frame: clocks may still be low; `lacuna bench graph` warms up and repeats");
  }
}

}  // namespace lacuna
