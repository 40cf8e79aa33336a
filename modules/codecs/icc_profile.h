#pragma once
// lcms2's objects, for icc.cpp and icc_write.cpp.

#include <lcms2.h>

#include <memory>
#include <string>

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

}  // namespace lacuna::io::icc
