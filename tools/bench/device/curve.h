#pragma once
// Results of micro-benchmarks as curves, which are returned as tables.

#include "tools/timing/result_table.h"

namespace lacuna {

struct CurvePoint {
  double x = 0.0, y = 0.0;
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points = {};  // ascending in x
  bool isModel = false;                 // predicted rather than measured
};

// A row for each x, a column for each curve. `x`: its unit, "byte" in powers of two; `y`: what is
// measured.
ResultTable tableOf(const std::string& title, const std::string& x, const std::string& y,
                    const std::vector<Curve>& curves);

}  // namespace lacuna
