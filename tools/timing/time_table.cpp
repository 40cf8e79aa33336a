#include "tools/timing/time_table.h"

#include <fmt/format.h>

#include "graph/door/state.h"
#include "graph/lists.h"
#include "graph/run/bandwidth.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

double medianOf(const FrameTimes& frames, size_t pass) {
  std::vector<double> times;
  for (const std::vector<double>& frame : frames)
    times.push_back(frame[pass]);
  return median(std::move(times));
}

}  // namespace

uint64_t bytesOf(const std::vector<PassReport>& passes, bool ofTransfers) {
  uint64_t bytes = 0;
  for (const PassReport& pass : passes)
    bytes += pass.isTransfer == ofTransfers ? pass.bytesRead + pass.bytesWritten : 0;
  return bytes;
}

ResultTable timeTable(const std::vector<PassReport>& passes, const FrameTimes& frames, double bandwidth) {
  ResultTable table{
      "passes",
      "",
      fmt::format(
          "floor: the bytes of a pass at {:.1f} GB/s, which a copy within the device's memory reaches",
          bandwidth * 1e-9),
      {{"pass", -40, "/name"},
       {"ms", 10, "/ms", "{:.4f}", 1.0, Mark::measured},
       {"MB read", 10, "/bytesRead", "{:.2f}", 1e-6},
       {"MB written", 10, "/bytesWritten", "{:.2f}", 1e-6},
       {"GB/s", 9, "/bytesPerSecond", "{:.1f}", 1e-9},
       {"floor ms", 9, "/floor", "{:.4f}", 1.0, Mark::model},
       {"x floor", 8, "/timesFloor", "{:.1f}"},
       {"share %", 7, "/percent", "{:.1f}"}}};
  double ms = 0.0, read = 0.0, written = 0.0;
  for (size_t p = 0; p < passes.size(); ++p) {
    const PassReport& pass = passes[p];
    const auto in = static_cast<double>(pass.bytesRead), out = static_cast<double>(pass.bytesWritten);
    // Transfers cross a bus, whose speed is not that of a copy on the device.
    const double floorMs = !pass.isTransfer && bandwidth > 0.0 ? (in + out) / bandwidth * 1e3 : 0.0;
    Json& row = table.rows.emplace_back(Json{{"name", pass.name},
                                             {"ms", medianOf(frames, p)},
                                             {"bytesRead", in},
                                             {"bytesWritten", out},
                                             {"floorMs", floorMs},
                                             {"share", 0.0},
                                             {"isTransfer", pass.isTransfer}});
    setRatio(row, "bytesPerSecond", (in + out) * 1e3, msOf(&row));
    setRatio(row, "floor", floorMs, 1.0);
    setRatio(row, "timesFloor", msOf(&row), floorMs);
    if (!pass.isTransfer) {
      ms += msOf(&row);
      read += in;
      written += out;
    }
  }
  for (Json& row : table.rows) {
    if (!row.at("isTransfer") && ms > 0.0) {
      row["share"] = msOf(&row) / ms;
      row["percent"] = 100.0 * msOf(&row) / ms;
    }
  }
  table.facts = {{"ms", ms}, {"bytes", {{"read", read}, {"written", written}}}};
  table.figures = {
      {"all (without transfers)", ms, "ms"}, {"read", read * 1e-6, "MB"}, {"written", written * 1e-6, "MB"}};
  return table;
}

double bandwidthOf(const Device& device) {
  return copyBandwidth(door::Access::of(device)->device);
}

void printTimes(const Device& device, const std::vector<PassReport>& passes, const FrameTimes& frames,
                std::FILE* to) {
  if (frames.empty())
    return;
  fmt::print(to, "{}, {}; {}, after a run that is not timed, in which drivers compile\n{}",
             device.description().name, device.description().driver,
             frames.size() == 1 ? "one frame" : fmt::format("medians of {} frames", frames.size()),
             print(timeTable(passes, frames, bandwidthOf(device))));
  if (frames.size() == 1)
    printNote("one frame: clocks may still be low; `lacuna bench graph` warms up and repeats");
}

}  // namespace lacuna
