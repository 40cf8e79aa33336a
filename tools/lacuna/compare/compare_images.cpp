#include "graph/config/json_text.h"
#include "modules/codecs/image_info.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/shell/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

namespace lacuna {

using Json = nlohmann::ordered_json;

bool isSequence(const std::string& name) {
  std::error_code ignored;
  return !std::filesystem::exists(name, ignored) && namesFrames(name);
}

namespace {

// The view layers of a file, if it has several.
std::vector<std::string> viewLayers(const std::string& file) {
  const bool mayHave = codecOfFile(file) == "exr";
  const std::vector<std::string> pictures = mayHave ? imageInfo(file).pictures : std::vector<std::string>();
  return pictures.size() > 1 ? pictures : std::vector<std::string>();
}

}  // namespace

ColourImage loadCompared(const std::string& file, const std::string& layer) {
  ReadOptions options;
  options.framed = true;
  if (!layer.empty() && !viewLayers(file).empty())
    options.layers["output"] = layer;
  return loadColour(file, options);
}

void checkLayers(const std::vector<std::string>& files, const std::string& layer) {
  bool hasLayers = false;
  for (const std::string& file : std::set<std::string>(files.begin(), files.end())) {
    std::vector<std::string> layers = viewLayers(file);
    hasLayers = hasLayers || !layers.empty();
    if (!layers.empty() && layer.empty()) {
      const std::string compared = imageInfo(file).layerOf("output");
      std::erase(layers, compared);
      printWarning(fmt::format("{}: compares the view layer {}, not {}; --layer {} chooses another one", file,
                               compared, fmt::join(layers, ", "), layers.front()));
    }
  }
  if (!layer.empty() && !hasLayers)
    throw FileError(fmt::format("--layer {}: none of the files has several view layers", layer));
}

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
    printWarning(fmt::format("{} has alpha and {} has none; only colour is compared",
                             first ? image.file : reference.file, first ? reference.file : image.file));
  }
}

void warnNotFinite(uint64_t values) {
  if (values > 0) {
    printWarning(
        fmt::format("{} values are NaN or infinite; relMSE and relative errors leave them out", values));
  }
}

std::string timesText(double baseline, double error) {
  return error > 0.0 && std::isfinite(baseline) ? fmt::format("{:.2f} times", baseline / error) : "-";
}

Json finiteJson(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string metricText(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

Json timesJson(double baseline, double error) {
  return error > 0.0 ? finiteJson(baseline / error) : Json();
}

Json toJson(const Metrics& metrics) {
  return {{"relMSE", finiteJson(metrics.relMse)},
          {"PSNR", finiteJson(metrics.psnr)},  // null means equal, if relMSE is there
          {"SSIM", finiteJson(metrics.ssim)},
          {"FLIP", finiteJson(metrics.flip)},
          {"maxRelativeError", finiteJson(metrics.maxRelativeError)},
          {"meanRelativeError", finiteJson(metrics.meanRelativeError)},
          {"notFinite", metrics.notFinite}};
}

}  // namespace lacuna
