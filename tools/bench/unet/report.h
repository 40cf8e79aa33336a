#pragma once
// What `lacuna bench unet` measures, as plain data, and how it is written. Times are milliseconds.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/bench/device/ceilings.h"
#include "tools/bench/unet/counts.h"

namespace lacuna {

struct UnetPass {
  std::string name;  // of the module's node
  int layer = -1;    // whose work it is; -1: none's
  double ms = 0.0;
  double bytes = 0.0;  // that it reads and writes, each once
};

// The network under one of its candidates.
struct UnetRow {
  std::string candidate;
  std::string refused = {};  // why it wasn't timed; then nothing else but `error` is known
  bool isWrong = false;      // its result: that is why it was refused
  double error = 0.0;        // of its picture against the first candidate's, relative (Frobenius)
  std::vector<UnetPass> passes = {};
  double ms = 0.0;  // of all passes in one go, median: pictures in and out included
  double leastMs = 0.0, mostMs = 0.0;
  int runs = 0;

  bool isMeasured() const { return refused.empty(); }
  double msOfPasses() const;  // with timestamps between them, which keep neighbours from overlapping
  double msOfLayer(int layer) const;
  double bytesOfLayer(int layer) const;
};

struct UnetTable {
  Extent size;
  std::vector<UnetLayerCounts> layers;
  double pictureBytes = 0.0;  // of all planes that come in, and the picture that goes out
  std::vector<UnetRow> rows = {};

  double operations() const;
  double paddedOperations() const;
};

struct UnetReport {
  std::string device, driver;
  std::string date;     // UTC
  std::string weights;  // the file
  std::string planes;   // "input, normal, depth"
  int runs = 0;
  double limitSeconds = 0.0;
  double copyBytesPerSecond = 0.0;
  DeviceCeilings ceilings = {};
  std::vector<UnetTable> tables = {};

  double floorMs(double bytes) const {
    return copyBytesPerSecond > 0.0 ? 1e3 * bytes / copyBytesPerSecond : 0.0;
  }
  int wrongCount() const;
};

std::string printHead(const UnetReport& report);
std::string printRow(const UnetReport& report, const UnetTable& table, const UnetRow& row);
std::string printSummary(const UnetReport& report);
nlohmann::ordered_json toJson(const UnetReport& report);

}  // namespace lacuna
