#pragma once
// What `lacuna bench bilateral` measures, as plain data, and how it is written. Times are milliseconds.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench/bilateral/study.h"

namespace lacuna {

// What a tap takes in each channel: an exponential, and, in the place of an FMA each, the difference, its
// square, the falloff's and the spatial weight's products, and both sums.
constexpr int fmasPerExponential = 6;

struct BilateralTask {
  Extent size;
  Channels channels = Channels::rgb;
  int radius = 1;

  bool isColour() const { return channels == Channels::rgb; }
  int taps() const { return (2 * radius + 1) * (2 * radius + 1); }
  double exponentials() const {  // taps x channels x pixels
    return static_cast<double>(taps()) * componentCount(channels) * size.width * size.height;
  }
};

struct BilateralRow {
  std::string variant;
  std::string schedule;   // its whole name
  std::string guarantee;  // "exact", or how far results may differ
  std::string refused;    // why the device can't run it; then nothing else is known
  double ms = 0.0;        // median of the filter's pass
  int runs = 0;           // that were timed

  bool isExact() const { return guarantee == "exact"; }
};

struct BilateralTable {
  BilateralTask task;
  double sequentialMs = 0.0;            // 0: the image has no pixel whose taps all lie inside
  std::optional<StudyFigures> study;    // of the same task
  std::vector<BilateralRow> rows = {};  // variant by variant, the naive ones first

  // Of those that ran; null: none did.
  const BilateralRow* fastest(std::string_view variant) const;
  const BilateralRow* fastestExact() const;
};

struct BilateralReport {
  std::string device, driver;
  std::string date;        // UTC
  std::string candidates;  // "first", "best" or "all" of a variant
  int runs = 0;
  std::vector<BilateralTable> tables = {};
};

std::string printHead(const BilateralReport& report);
// A table in its parts, so that it can be read while it grows: all above the variants; the rows from `first`
// on, which must hold all of their variants; all below.
std::string printTitle(const BilateralTable& table);
std::string printRows(const BilateralTable& table, size_t first);
std::string printFoot(const BilateralTable& table);
nlohmann::ordered_json toJson(const BilateralReport& report);

}  // namespace lacuna
