#include "tools/lacuna/compare_images.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace lacuna {

using Json = nlohmann::ordered_json;

void checkComparable(const Named& image, const Named& reference) {
  const Extent a = image.image->extent, b = reference.image->extent;
  if (!(a == b)) {
    throw FileError(fmt::format("{} has {} x {} pixels, but {} has {} x {}", image.file, a.width, a.height,
                                reference.file, b.width, b.height));
  }
  if (image.image->colour != reference.image->colour) {
    throw FileError(fmt::format("{} is {}, but {} is {}; convert one of them with 'colour'", image.file,
                                name(image.image->colour), reference.file, name(reference.image->colour)));
  }
}

void warnOfAlpha(const Named& image, const Named& reference) {
  if (image.image->hasAlpha != reference.image->hasAlpha) {
    const bool first = image.image->hasAlpha;
    fmt::print(stderr, "warning: {} has alpha and {} has none; only colour is compared\n",
               first ? image.file : reference.file, first ? reference.file : image.file);
  }
}

void warnNotFinite(uint64_t values) {
  if (values > 0) {
    fmt::print(stderr, "warning: {} values are NaN or infinite; relMSE and relative errors leave them out\n",
               values);
  }
}

std::string timesText(double baseline, double error) {
  return error > 0.0 ? fmt::format("{:.2f} times", baseline / error) : "-";
}

Json timesJson(double baseline, double error) {
  return error > 0.0 ? Json(baseline / error) : Json();
}

Json toJson(const Metrics& metrics) {
  return {{"relMSE", metrics.relMse},
          {"PSNR", std::isfinite(metrics.psnr) ? Json(metrics.psnr) : Json()},  // null: equal
          {"SSIM", metrics.ssim},
          {"maxRelativeError", metrics.maxRelativeError},
          {"meanRelativeError", metrics.meanRelativeError},
          {"notFinite", metrics.notFinite}};
}

void printJson(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace lacuna
