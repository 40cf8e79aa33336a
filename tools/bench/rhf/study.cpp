#include "tools/bench/rhf/study.h"

namespace lacuna {

const std::vector<RhfStep>& rhfSteps() {
  // For halves in blocks of 64x2 the study prints 11232 KiB a block: its formula gives 14,976 bytes.
  static const std::vector<RhfStep> steps = {
      {"naive", "naive", "histograms", true},
      {"shared", "shared", "histograms", true},
      {"padded", "padded", "histograms", true},
      {"nearest", "nearest", "histograms", true},
      {"cached", "cached", "histograms", true},
      {"binwise", "binwise", "bins", true},
      {"half", "half", "halves", true},
      {"eighth", "eighth", "bytes", false},
      {"once", "once", "bins", false},
      {"early", "early", "bins", false},
      {"pairs", "", "bins", false},
  };
  return steps;
}

const RhfStep* rhfStepNamed(std::string_view name) {
  for (const RhfStep& step : rhfSteps()) {
    if (step.name == name) {
      return &step;
    }
  }
  return nullptr;
}

}  // namespace lacuna
