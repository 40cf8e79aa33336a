#pragma once
// The filters of `lacuna bench atrous`.

#include <string>
#include <vector>

#include "tests/references/guided.h"

namespace lacuna {

// eaw with 6 levels and synthesis, with the noise given; the guided filter's 5 levels, without its packing
// and variance, as in the prototypes of tools/bench/README.md; and these with a packed G-buffer that every
// tap decodes, 40 bytes a pixel with the state, as Dolp, Hanika, Dachsbacher 2024 measured svgf
// (tools/bench/modules).
struct AtrousFilter {
  std::string name;   // as in --filter
  std::string chain;  // the node whose passes are timed
  bool synthesis = false;
  std::string text;  // the graph
  test::Picture (*reference)(const test::GuidedInput& input);

  // The reference of speed-ups: the plainest schedule on images, 16x16.
  std::string baseline() const { return synthesis ? "baseline@16x16/image/pass" : "baseline@16x16/image"; }
};

const std::vector<AtrousFilter>& atrousFilters();

}  // namespace lacuna
