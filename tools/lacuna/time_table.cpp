#include "tools/lacuna/time_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "graph/run/bandwidth.h"

namespace lacuna {
namespace {

double medianOf(const std::vector<vk::Timings>& frames, size_t pass) {
  std::vector<double> times;
  for (const vk::Timings& frame : frames) {
    times.push_back(frame.passMs[pass]);
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

bool isTransfer(const Pass& pass) {
  return pass.kind == PassKind::upload || pass.kind == PassKind::download;
}

// `floorMs` 0: none is known.
void printLine(const std::string& name, double ms, double read, double written, double floorMs) {
  fmt::print("{:<40} {:>10.4f} {:>10.2f} {:>10.2f} {:>9.1f} {:>8}\n", name, ms, read * 1e-6, written * 1e-6,
             ms > 0.0 ? (read + written) * 1e-6 / ms : 0.0,
             floorMs > 0.0 ? fmt::format("{:.1f}", ms / floorMs) : "-");
}

}  // namespace

void printTimes(vk::Device& device, const Schedule& schedule, const std::vector<vk::Timings>& frames) {
  if (frames.empty()) {
    return;
  }
  const double bandwidth = copyBandwidth(device);
  fmt::print("{}, {}; {}\n", device.info().name, device.info().driver,
             frames.size() == 1 ? "one frame" : fmt::format("medians of {} frames", frames.size()));
  fmt::print("floor: the bytes of a pass at {:.1f} GB/s, which a copy within the device's memory reaches\n",
             bandwidth * 1e-9);
  fmt::print("{:<40} {:>10} {:>10} {:>10} {:>9} {:>8}\n", "pass", "ms", "MB read", "MB written", "GB/s",
             "x floor");
  double total = 0.0, read = 0.0, written = 0.0;
  for (size_t p = 0; p < schedule.passes.size(); ++p) {
    const Pass& pass = schedule.passes[p];
    const double ms = medianOf(frames, p);
    const auto in = static_cast<double>(pass.bytesRead), out = static_cast<double>(pass.bytesWritten);
    // Uploads and downloads cross a bus that a copy on the device knows nothing of.
    const bool hasFloor = !isTransfer(pass) && bandwidth > 0.0;
    printLine(pass.name, ms, in, out, hasFloor ? (in + out) / bandwidth * 1e3 : 0.0);
    total += ms;
    if (!isTransfer(pass)) {
      read += in;
      written += out;
    }
  }
  fmt::print("{:<40} {:>10.4f} {:>10.2f} {:>10.2f}\n", "all (bytes without transfers)", total, read * 1e-6,
             written * 1e-6);
}

}  // namespace lacuna
