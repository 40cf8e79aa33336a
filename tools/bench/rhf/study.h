#pragma once
// The steps of Szeracki, Roth, Hinkenjann, Li 2015, Boosting Histogram-Based Denoising Methods with GPU
// Optimizations, section 3.3, in the order of its figure 4, each with all before it; then what goes beyond.
// Of the figure only two numbers are in the text: 39.8 s on the CPU, and two orders of magnitude between that
// and the last step.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

constexpr const char* rhfStudyTitle =
    "Szeracki et al. 2015, Boosting Histogram-Based Denoising Methods with GPU Optimizations, figure 4";
constexpr const char* rhfStudyDevice = "GeForce GTX 970";
constexpr const char* rhfStudyProcessor = "Core i7 960";
constexpr double rhfStudyProcessorMs = 39800.0;  // 1280x720, finest scale; the authors' program
constexpr int rhfStudyBins = 8;                  // a colour

struct RhfStep {
  const char* name;
  const char* variant;  // of the module rhf; empty: the method `pairs`
  const char* layout;
  bool isOfStudy;
};
const std::vector<RhfStep>& rhfSteps();
// Null: there is none of that name.
const RhfStep* rhfStepNamed(std::string_view name);

}  // namespace lacuna
