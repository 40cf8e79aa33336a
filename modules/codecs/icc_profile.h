#pragma once
// lcms2's objects, for icc.cpp and icc_write.cpp.

#include <lcms2.h>

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "graph/lists.h"
#include "modules/codecs/icc.h"

namespace lacuna::io::icc {

// lcms2 with bounded memory. It reports through its context; the first message is the most useful.
class Context : NoCopy {
 public:
  Context();
  ~Context() { cmsDeleteContext(handle_); }
  cmsContext get() const { return handle_; }
  std::string error() const { return error_.empty() ? "lcms2 can't read it" : error_; }

 private:
  static void onError(cmsContext context, cmsUInt32Number, const char* text);
  std::string error_;
  cmsContext handle_;
};

template <auto release>
struct Release {
  void operator()(auto* handle) const { release(handle); }
};
using Profile = std::unique_ptr<void, Release<cmsCloseProfile>>;
using Transform = std::unique_ptr<void, Release<cmsDeleteTransform>>;
using Curve = std::unique_ptr<cmsToneCurve, Release<cmsFreeToneCurve>>;

constexpr cmsUInt32Number intent = INTENT_RELATIVE_COLORIMETRIC;

Curve powerCurve(const Context& context, double exponent);
Curve srgbCurve(const Context& context);  // IEC 61966-2-1
Profile rgbProfile(const Context& context, const Chromaticities& whiteAndPrimaries, const Curve& curve);
Profile greyProfile(const Context& context, const Curve& curve);
Profile openProfile(const Context& context, const ColourDescription& description);
bool isGrey(const Profile& profile);

// Results for the last keys: programs ask several times for a file, and files in a row are alike.
template <class Key, class Result>
class Recent : NoCopy {
 public:
  template <class Make>
  Result resultOf(const Key& key, const Make& make) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [known, result] : all_)
      if (known == key)
        return result;
    constexpr size_t most = 16;
    all_.emplace_front(key, make());
    if (all_.size() > most)
      all_.pop_back();
    return all_.front().second;
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<Key, Result>> all_;
};
using ColourKey = std::tuple<ColourDescription, uint32_t, bool>;

}  // namespace lacuna::io::icc
