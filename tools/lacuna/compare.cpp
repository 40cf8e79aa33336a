// lacuna compare A B: how far A is from the reference B. Numbers on stdout, messages on stderr.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/io/image_file.h"
#include "graph/io/metrics.h"
#include "tools/lacuna/commands.h"

namespace lacuna {
namespace {

void printText(const Metrics& metrics) {
  fmt::print("relMSE               {:.6g}\n", metrics.relMse);
  fmt::print("PSNR                 {:.2f} dB\n", metrics.psnr);
  fmt::print("SSIM                 {:.5f}\n", metrics.ssim);
  fmt::print("max relative error   {:.6g}\n", metrics.maxRelativeError);
  fmt::print("mean relative error  {:.6g}\n", metrics.meanRelativeError);
  fmt::print("NaN or infinite      {}\n", metrics.notFinite);
}

void printJson(const std::string& a, const std::string& b, const ColourImage& image, const Metrics& metrics) {
  nlohmann::ordered_json json;
  json["image"] = a;
  json["reference"] = b;
  json["width"] = image.extent.width;
  json["height"] = image.extent.height;
  json["relMSE"] = metrics.relMse;
  json["PSNR"] = std::isfinite(metrics.psnr) ? nlohmann::ordered_json(metrics.psnr) : nullptr;  // null: equal
  json["SSIM"] = metrics.ssim;
  json["maxRelativeError"] = metrics.maxRelativeError;
  json["meanRelativeError"] = metrics.meanRelativeError;
  json["notFinite"] = metrics.notFinite;
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

int runCompare(const std::string& a, const std::string& b, bool json) {
  try {
    const ColourImage image = loadColour(a), reference = loadColour(b);
    if (!(image.extent == reference.extent)) {
      fmt::print(stderr, "error: {} has {} x {} pixels, but {} has {} x {}\n", a, image.extent.width,
                 image.extent.height, b, reference.extent.width, reference.extent.height);
      return exitUsage;
    }
    if (image.colour != reference.colour) {
      fmt::print(stderr, "error: {} is {}, but {} is {}; convert one of them with 'colour'\n", a,
                 name(image.colour), b, name(reference.colour));
      return exitUsage;
    }
    const Metrics metrics = compare(image, reference);
    if (metrics.notFinite > 0)
      fmt::print(stderr,
                 "warning: {} values are NaN or infinite; relMSE and relative errors leave them out\n",
                 metrics.notFinite);
    if (json)
      printJson(a, b, image, metrics);
    else
      printText(metrics);
    return exitOk;
  } catch (const FileError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exitUsage;
  }
}

}  // namespace lacuna
