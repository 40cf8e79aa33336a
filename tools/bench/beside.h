#pragma once
// Figures of other programs, to stand beside ours: files as tools/bench/README.md describes them.

#include <string>
#include <vector>

#include "tools/bench/atrous/report.h"

namespace lacuna {

struct BesideFigure {
  std::string device, driver, date, source;
  std::string filter;
  Extent size;
  std::string variant;  // as the other program calls it
  std::string like;     // our schedule that does the same, without its workgroup; empty: none
  double ms = 0.0;
};

// Throws FileError, which names what is wrong with a file.
std::vector<BesideFigure> readBeside(const std::vector<std::string>& paths);

// One of their figures and our row of the same filter and size: that of the same schedule, where there is
// one, else our fastest.
struct BesideLine {
  BesideFigure figure;
  std::string schedule;
  double ms = 0.0;
};

// Of figures from the report's device, and of several that do the same the fastest.
std::vector<BesideLine> placeBeside(const std::vector<BesideFigure>& figures, const BenchReport& report);

}  // namespace lacuna
