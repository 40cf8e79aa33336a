#include "tools/lacuna/compare/comparisons.h"

#include <fmt/format.h>

#include <cmath>

#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// "" if the limit is met.
std::string mostMistake(const char* what, double value, const std::optional<double>& most,
                        const char* option) {
  return most && !(value <= *most)
             ? fmt::format("{} is {:.6g}, but must be at most {:g} ({})", what, value, *most, option)
             : std::string();
}

std::string leastMistake(const char* what, double value, const std::optional<double>& least,
                         const char* option) {
  return least && !(value >= *least)
             ? fmt::format("{} is {:.6g}, but must be at least {:g} ({})", what, value, *least, option)
             : std::string();
}

}  // namespace

int checkLimits(const CompareLimits& limits, const Metrics& metrics, const std::optional<double>& temporal) {
  if (std::isnan(metrics.relMse)) {
    printError(fmt::format("nothing can be measured: {} values are NaN or infinite, in all pixels{}",
                           metrics.notFinite, temporal ? " of a frame" : ""));
    return exitFailed;
  }
  std::vector<std::string> mistakes = {
      mostMistake("relMSE", metrics.relMse, limits.maxRelMse, "--max-relmse"),
      mostMistake("the largest relative error", metrics.maxRelativeError, limits.maxError, "--max-error"),
      leastMistake("PSNR", metrics.psnr, limits.minPsnr, "--min-psnr"),
      leastMistake("SSIM", metrics.ssim, limits.minSsim, "--min-ssim"),
      mostMistake("FLIP", metrics.flip, limits.maxFlip, "--max-flip")};
  if (temporal)
    mistakes.push_back(mostMistake("the temporal error", *temporal, limits.maxTemporal, "--max-temporal"));
  if (metrics.notFinite > 0 && (limits.maxRelMse || limits.maxError)) {
    mistakes.push_back(
        fmt::format("{} values are NaN or infinite, which relative errors leave out: {} can't hold",
                    metrics.notFinite, limits.maxRelMse ? "--max-relmse" : "--max-error"));
  }
  int code = exitOk;
  for (const std::string& mistake : mistakes) {
    if (!mistake.empty()) {
      printError(mistake);
      code = exitFailed;
    }
  }
  return code;
}

}  // namespace lacuna
