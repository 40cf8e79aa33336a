// Which method a picture takes, and what methods are called.

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include "graph/pictures/methods.h"

namespace lacuna {
namespace {

struct MethodWords {
  std::string_view name, words;
};
constexpr std::array<MethodWords, 6> methods = {{
    // in the order of Method
    {"wiener", "wavelets and a collaborative Wiener filter"},
    {"eaw", "edge-avoiding wavelets"},
    {"guided", "wavelets guided by normals and depth"},
    {"svgf", "spatiotemporal variance-guided filtering"},
    {"rhf", "ray histogram fusion"},
    {"cnn-unet", "a trained U-Net"},
}};

}  // namespace

std::string_view nameOf(Method method) {
  return methods.at(static_cast<size_t>(method)).name;
}

std::string_view wordsOf(Method method) {
  return methods.at(static_cast<size_t>(method)).words;
}

std::vector<std::string> methodNames() {
  std::vector<std::string> names;
  for (const MethodWords& method : methods)
    names.emplace_back(method.name);
  return names;
}

std::optional<Method> methodFromName(std::string_view name) {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const MethodWords& each) { return each.name == name; });
  return found == methods.end() ? std::nullopt : std::optional(static_cast<Method>(found - methods.begin()));
}

bool isSlowOnCpu(uint64_t pixels, bool fast, unsigned threads) {
  constexpr double most = 60.0, seconds = 1.6e-6, secondsInFull = 13e-6;  // a pixel, on one thread
  constexpr unsigned mostThreads = 32;                                    // of Mesa's device
  const unsigned used =
      threads > 0 ? threads : std::clamp(std::thread::hardware_concurrency(), 1U, mostThreads);
  return static_cast<double>(pixels) * (fast ? seconds : secondsInFull) > most * used;
}

// Scene-linear pictures are renders, whose noise is bright specks: eaw removes hardly any of that. For stills
// cnn-unet has the least error (modules/cnn-unet/README.md has figures); svgf has earlier frames.
Method chooseMethod(const Planes& planes) {
  const bool hasGuides = planes.albedo || planes.normal || planes.depth;
  if (planes.histogram == Histogram::ofOtherFile || (planes.histogram != Histogram::none && !hasGuides))
    return Method::rhf;
  if (!planes.sceneLinear && !hasGuides && !planes.motion)
    return planes.bayer ? Method::unet : Method::wiener;
  // Over time the network needs all guides; without motion each frame is a still.
  return isOverTime(planes) && !takenByUnet(planes).motion ? Method::svgf : Method::unet;
}

std::string whatLacks(Method method, const Planes& planes) {
  if (method == Method::rhf && planes.histogram == Histogram::none) {
    return "ray histograms; expected an OpenEXR file with channels Bin_0000, Bin_0001, ..., --histogram "
           "FILE, or frames of one sample a pixel, as in noisy_%04d.exr";
  }
  if (planes.raw && method == Method::unet)
    return planes.bayer ? "" : "Bayer pattern; other raw photographs are denoised by wiener and eaw";
  if (planes.raw && method != Method::wiener && method != Method::eaw)
    return "planes of a render; raw photographs are denoised by wiener, eaw and cnn-unet";
  if (method == Method::unet && planes.bounded && guidesOf(planes).empty() && !planes.motion) {
    return "planes of a render (albedo, normals or depth); photographs are denoised by wiener and eaw, or by "
           "a network for them (--weights)";
  }
  if (method != Method::guided || (planes.normal && planes.depth))
    return {};
  return planes.normal ? "depth" : planes.depth ? "normal" : "normal and depth";
}

}  // namespace lacuna
