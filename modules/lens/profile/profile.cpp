#include "lens/profile/profile.h"

#include <lensfun/lensfun.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace lacuna::lens {
namespace {

struct Free {
  void operator()(void* list) const { lf_free(list); }
};
template <typename Type>
using List = std::unique_ptr<const Type*, Free>;

// Loaded once: that takes a tenth of a second.
const lfDatabase& profiles(const std::string& file, const std::string& own) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<lfDatabase>> loaded;
  const std::lock_guard lock(mutex);
  std::unique_ptr<lfDatabase>& database = loaded[file];
  if (database == nullptr) {
    auto fresh = std::make_unique<lfDatabase>();
    const bool isRead = !file.empty() ? fresh->Load(file.c_str()) == LF_NO_ERROR
                                      : fresh->Load() == LF_NO_ERROR || fresh->LoadDirectory(own.c_str());
    if (!isRead)
      throw std::runtime_error(file.empty()
                                   ? "lensfun's profiles are not installed (Debian: liblensfun-data-v1)"
                                   : file + ": no file of lens profiles in lensfun's format");
    database = std::move(fresh);
  }
  return *database;
}

// The best one. A camera whose lens can't be changed (its mount begins with a small letter) needs no name.
const lfLens* lensOf(const lfDatabase& database, const lfCamera& camera, const std::string& name) {
  const bool isFixed = camera.Mount != nullptr && std::islower(static_cast<unsigned char>(camera.Mount[0]));
  List<lfLens> found(name.empty() ? nullptr : database.FindLenses(&camera, nullptr, name.c_str()));
  if (found == nullptr && isFixed)
    found.reset(database.FindLenses(&camera, nullptr, nullptr));
  return found == nullptr ? nullptr : found.get()[0];
}

// lensfun 0.3: r is 1 in the middle of the calibrated sensor's long side, or for vignetting in its corner.
void setDistortion(Profile& profile, const lfLens& lens, float focal, double unit) {
  lfLensCalibDistortion known{};
  if (!lens.InterpolateDistortion(focal, known))
    return;
  const double a = known.Terms[0], b = known.Terms[1], c = known.Terms[2];
  if (known.Model == LF_DIST_MODEL_POLY3)
    profile.distortion = {1 - a, 0, a, 0, 0};
  if (known.Model == LF_DIST_MODEL_POLY5)
    profile.distortion = {1, 0, a, 0, b};
  if (known.Model == LF_DIST_MODEL_PTLENS)
    profile.distortion = {1 - a - b - c, c, b, a, 0};
  for (size_t i = 0; i < profile.distortion.size(); ++i)
    profile.distortion.at(i) *= std::pow(unit, static_cast<double>(i));
}

void setColours(Profile& profile, const lfLens& lens, float focal, double unit) {
  lfLensCalibTCA known{};
  if (!lens.InterpolateTCA(focal, known))
    return;
  const auto terms = [&](size_t colour) {
    const bool isCubic = known.Model == LF_TCA_MODEL_POLY3;
    return std::array<double, 3>{known.Terms[colour], isCubic ? known.Terms[colour + 2] * unit : 0.0,
                                 isCubic ? known.Terms[colour + 4] * unit * unit : 0.0};
  };
  if (known.Model == LF_TCA_MODEL_LINEAR || known.Model == LF_TCA_MODEL_POLY3) {
    profile.red = terms(0);
    profile.blue = terms(1);
  }
}

void setVignetting(Profile& profile, const lfLens& lens, const Shot& shot, double unit) {
  lfLensCalibVignetting known{};
  constexpr double far = 1000.0;
  const double distance = shot.distance > 0 && std::isfinite(shot.distance) ? shot.distance : far;
  if (!(shot.aperture > 0) ||
      !lens.InterpolateVignetting(static_cast<float>(shot.focal), static_cast<float>(shot.aperture),
                                  static_cast<float>(distance), known) ||
      known.Model != LF_VIGNETTING_MODEL_PA)
    return;
  for (size_t i = 0; i < 3; ++i)
    profile.vignetting.at(i + 1) = known.Terms[i] * std::pow(unit, 2.0 * static_cast<double>(i + 1));
}

double valueOf(const std::array<double, 3>& terms, double r) {
  return terms[0] + r * (terms[1] + r * terms[2]);
}

// The place of the outermost of the three colours.
double reach(const Profile& profile, double r) {
  double factor = 0.0;
  for (size_t i = profile.distortion.size(); i-- > 0;)
    factor = factor * r + profile.distortion.at(i);
  const double green = r * factor;
  return green * std::max({1.0, valueOf(profile.red, green), valueOf(profile.blue, green)});
}

}  // namespace

std::optional<Profile> profileOf(const Shot& shot, const std::string& database, const std::string& own) {
  if (shot.camera.empty())
    return std::nullopt;
  const lfDatabase& all = profiles(database, own);
  const List<lfCamera> cameras(
      all.FindCameras(shot.maker.empty() ? nullptr : shot.maker.c_str(), shot.camera.c_str()));
  const lfCamera* camera = cameras == nullptr ? nullptr : cameras.get()[0];
  const lfLens* lens = camera == nullptr ? nullptr : lensOf(all, *camera, shot.lens);
  if (lens == nullptr || !(camera->CropFactor > 0) || !(lens->CropFactor > 0))
    return std::nullopt;
  const double ratio = lens->CropFactor / camera->CropFactor;
  const double corner = std::hypot(lens->AspectRatio, 1.0);
  Profile profile;
  profile.lens = lf_mlstr_get(lens->Model);
  const auto focal = static_cast<float>(shot.focal);
  setDistortion(profile, *lens, focal, ratio * corner);
  setColours(profile, *lens, focal, ratio * corner);
  setVignetting(profile, *lens, shot, ratio);
  return profile;
}

double largestShare(const Profile& profile, double width, double height) {
  constexpr int places = 64, halvings = 40;
  const double nearest = std::min(width, height) / std::hypot(width, height);
  double share = 2.0;
  for (int i = 0; i <= places; ++i) {
    const double border = nearest + (1.0 - nearest) * i / places;
    double least = 0.25, most = share;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (least + most);
      (reach(profile, middle * border) <= border ? least : most) = middle;
    }
    share = least;
  }
  return share;
}

}  // namespace lacuna::lens
