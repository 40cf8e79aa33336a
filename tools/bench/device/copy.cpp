// Copies within the device's memory, by size: caches hold a part of small ones.

#include <algorithm>

#include "tools/bench/device/experiments.h"

namespace lacuna {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

}  // namespace

ResultTable measureCopy(DeviceBench& bench) {
  Curve series{"GB/s"};
  const double most = static_cast<double>(copyBytes(bench.info()));
  std::vector<double> sizes;
  for (double bytes = mebibyte; bytes < most; bytes *= 2.0) {
    sizes.push_back(bytes);
  }
  for (const double bytes : bench.chosen(sizes)) {
    series.points.push_back({bytes, 1e-9 * copyBandwidth(bench.device(), static_cast<uint64_t>(bytes))});
  }
  const double bandwidth = copyBandwidth(bench.device());
  TuningCache(ShaderCache::defaultFolder(), bench.info(), {}).setBandwidth(bandwidth);  // for floors in plans
  series.points.push_back({most, 1e-9 * bandwidth});
  ResultTable table = tableOf("copies within the device's memory", "byte",
                              "GB/s read and written, by size of the copy", {series});
  table.figures = {{"copy", bandwidth, "byte/s"}};
  table.notes = {"by a shader or by the driver, the faster one; the figure is of the largest copy"};
  return table;
}

}  // namespace lacuna
