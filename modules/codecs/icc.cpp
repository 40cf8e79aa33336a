#include "modules/codecs/icc.h"

#include <fmt/format.h>
#include <lcms2.h>

#include <cmath>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "modules/codecs/icc_memory.h"

namespace lacuna::io {
namespace {

// lcms2 reports through its context; the first message says most.
class Context {
 public:
  Context() : handle_(createBoundedContext(this)) {
    if (handle_ == nullptr)
      throw std::bad_alloc();
    cmsSetLogErrorHandlerTHR(handle_, onError);
  }
  ~Context() { cmsDeleteContext(handle_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  cmsContext get() const { return handle_; }
  std::string error() const { return error_.empty() ? "lcms2 can't read it" : error_; }

 private:
  static void onError(cmsContext context, cmsUInt32Number, const char* text) {
    auto* self = static_cast<Context*>(cmsGetContextUserData(context));
    if (self->error_.empty())
      self->error_ = text;
  }
  std::string error_;
  cmsContext handle_;
};

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
struct FreeCurve {
  void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
using Profile = std::unique_ptr<void, CloseProfile>;
using Transform = std::unique_ptr<void, DeleteTransform>;
using Curve = std::unique_ptr<cmsToneCurve, FreeCurve>;

constexpr cmsUInt32Number intent = INTENT_RELATIVE_COLORIMETRIC;

Curve powerCurve(const Context& context, double exponent) {
  return Curve(cmsBuildGamma(context.get(), exponent));
}

// IEC 61966-2-1.
Curve srgbCurve(const Context& context) {
  const cmsFloat64Number numbers[] = {2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045};
  return Curve(cmsBuildParametricToneCurve(context.get(), 4, numbers));
}

Profile rgbProfile(const Context& context, const Chromaticities& c, const Curve& curve) {
  const cmsCIExyY white{c[0], c[1], 1.0};
  const cmsCIExyYTRIPLE primaries{{c[2], c[3], 1.0}, {c[4], c[5], 1.0}, {c[6], c[7], 1.0}};
  cmsToneCurve* const curves[] = {curve.get(), curve.get(), curve.get()};
  return Profile(curve ? cmsCreateRGBProfileTHR(context.get(), &white, &primaries, curves) : nullptr);
}

Profile greyProfile(const Context& context, const Curve& curve) {
  const cmsCIExyY white{rec709WhiteAndPrimaries[0], rec709WhiteAndPrimaries[1], 1.0};
  return Profile(curve ? cmsCreateGrayProfileTHR(context.get(), &white, curve.get()) : nullptr);
}

Profile openProfile(const Context& context, const ColourDescription& description) {
  if (description.profile.empty())
    return rgbProfile(context, description.whiteAndPrimaries.value_or(rec709WhiteAndPrimaries),
                      description.gamma ? powerCurve(context, *description.gamma) : srgbCurve(context));
  return Profile(cmsOpenProfileFromMemTHR(context.get(), description.profile.data(),
                                          static_cast<cmsUInt32Number>(description.profile.size())));
}

bool isGrey(const Profile& profile) {
  return cmsGetColorSpace(profile.get()) == cmsSigGrayData;
}

// Colours all over the cube, as `profile` has them, by the numbers of `reference`.
bool sameColours(const Context& context, const Profile& profile, const Profile& reference) {
  const bool grey = isGrey(profile);
  const Transform transform(cmsCreateTransformTHR(context.get(), profile.get(),
                                                  grey ? TYPE_GRAY_DBL : TYPE_RGB_DBL, reference.get(),
                                                  TYPE_RGB_DBL, intent, cmsFLAGS_NOOPTIMIZE));
  if (!transform)
    return false;
  constexpr int side = 7, greys = 64;
  constexpr double step = 1.0 / 255.0;
  const auto same = [&](const std::array<double, 3>& colour) {
    std::array<double, 3> shown{};
    cmsDoTransform(transform.get(), colour.data(), shown.data(), 1);
    for (size_t c = 0; c < 3; ++c)
      if (!(std::abs(shown[c] - colour[c]) <= step))
        return false;
    return true;
  };
  for (int i = 0; i < greys; ++i) {
    const double v = i / (greys - 1.0);
    if (!same({v, v, v}))
      return false;
  }
  for (int r = 0; r < side; ++r)
    for (int g = 0; g < side; ++g)
      for (int b = 0; b < side; ++b)
        if (!grey && !same({r / (side - 1.0), g / (side - 1.0), b / (side - 1.0)}))
          return false;
  return true;
}

// What can't be known of the values then: nothing but that they are most probably sRGB.
ColourReading unused(const std::string& why) {
  return {ColourTag::rec709, nullptr, why};
}

std::string spaceName(uint32_t space) {
  std::string letters;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const uint32_t letter = space >> shift & 0xff;
    letters += letter >= ' ' && letter < 0x7f ? static_cast<char>(letter) : '?';
  }
  return letters.substr(0, letters.find_last_not_of(' ') + 1);
}

}  // namespace

struct ProfileTransform::Impl {
  Context context;
  Transform transform;
  uint32_t wordBytes = 1;
};

ProfileTransform::ProfileTransform(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProfileTransform::~ProfileTransform() = default;

void ProfileTransform::run(const std::byte* pixels, size_t count, std::byte* converted) const {
  cmsDoTransform(impl_->transform.get(), pixels, converted, static_cast<cmsUInt32Number>(count));
  for (size_t i = 0; i < count; ++i) {  // lcms2 leaves alpha alone
    std::byte* alpha = converted + 8 * i + 6;
    if (impl_->wordBytes == 2) {
      std::memcpy(alpha, pixels + 8 * i + 6, 2);
    } else {
      const auto value = static_cast<uint16_t>(257 * std::to_integer<int>(pixels[4 * i + 3]));
      std::memcpy(alpha, &value, 2);
    }
  }
}

bool close(const Chromaticities& a, const Chromaticities& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 0.002))
      return false;
  return true;
}

namespace {

ColourReading read(const ColourDescription& description, uint32_t wordBytes) {
  auto impl = std::make_unique<ProfileTransform::Impl>();
  const Context& context = impl->context;
  const Profile profile = openProfile(context, description);
  if (!profile)
    return unused(context.error());
  // As a number: files may hold any, and the enumeration can't.
  const auto space = static_cast<uint32_t>(cmsGetColorSpace(profile.get()));
  if (space == cmsSigCmykData)
    throw std::invalid_argument("a colour profile of CMYK; expected one of RGB or grey");
  if (space != cmsSigRgbData && space != cmsSigGrayData)
    return unused(fmt::format("it is of '{}', not of RGB or grey", spaceName(space)));
  if (isGrey(profile) && !description.grey)
    return unused("it is of grey, but the image has colour");
  if (sameColours(context, profile, rgbProfile(context, rec709WhiteAndPrimaries, srgbCurve(context))))
    return {};
  const Profile inside = rgbProfile(context, rec2020WhiteAndPrimaries, srgbCurve(context));
  if (sameColours(context, profile, inside))
    return {ColourTag::rec2020, nullptr, {}};
  // Of grey files each pixel holds the value three times: the first is the one.
  const cmsUInt32Number from = isGrey(profile) ? COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3)
                                               : COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(1);
  // What lcms2 makes faster is exact to an eighth of a step of 8 bit for matrices and curves, and elsewhere
  // off by a whole one.
  const bool mayBeFast = wordBytes == 1 && !isGrey(profile) && cmsIsMatrixShaper(profile.get());
  impl->transform.reset(cmsCreateTransformTHR(context.get(), profile.get(), from | BYTES_SH(wordBytes),
                                              inside.get(), TYPE_RGBA_16, intent,
                                              mayBeFast ? 0 : cmsFLAGS_NOOPTIMIZE));
  if (!impl->transform)
    return unused(context.error());
  impl->wordBytes = wordBytes;
  return {ColourTag::rec2020, std::make_shared<const ProfileTransform>(std::move(impl)), {}};
}

}  // namespace

ColourReading readColour(const ColourDescription& description, uint32_t wordBytes) {
  static std::mutex mutex;
  static std::tuple<ColourDescription, uint32_t, ColourReading> last;
  const std::scoped_lock lock(mutex);
  if (std::get<0>(last) != description || std::get<1>(last) != wordBytes)
    last = {description, wordBytes, read(description, wordBytes)};
  return std::get<2>(last);
}

std::vector<std::byte> profileFor(ColourTag tag, bool linear, bool grey) {
  if (tag == ColourTag::data)
    return {};
  const Context context;
  const bool wide = tag == ColourTag::rec2020;
  const Curve curve = linear ? powerCurve(context, 1.0) : srgbCurve(context);
  const Profile profile =
      grey ? greyProfile(context, curve)
           : rgbProfile(context, wide ? rec2020WhiteAndPrimaries : rec709WhiteAndPrimaries, curve);
  cmsMLU* name = cmsMLUalloc(context.get(), 1);
  const std::string text = grey               ? (linear ? "grey, linear" : "grey, sRGB curve")
                           : !wide && !linear ? "sRGB"
                                              : fmt::format("Rec. {} primaries, {}", wide ? 2020 : 709,
                                                            linear ? "linear" : "sRGB curve");
  cmsMLUsetASCII(name, "en", "US", text.c_str());
  cmsWriteTag(profile.get(), cmsSigProfileDescriptionTag, name);
  cmsMLUfree(name);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile.get(), nullptr, &size);
  std::vector<std::byte> bytes(size);
  if (size == 0 || !cmsSaveProfileToMem(profile.get(), bytes.data(), &size))
    throw std::runtime_error("no colour profile could be made: " + context.error());
  // The hour of its making (ICC.1:2010, 7.2.10): lcms2 takes the clock, but equal files should be equal.
  constexpr unsigned char made[] = {0x07, 0xea, 0, 11, 0, 20, 0, 0, 0, 0, 0, 0};
  std::memcpy(bytes.data() + 24, made, sizeof(made));
  return bytes;
}

std::string profileName(const std::vector<std::byte>& profile) {
  const Context context;
  const Profile opened(
      cmsOpenProfileFromMemTHR(context.get(), profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  char text[128] = {};
  if (opened)
    cmsGetProfileInfoASCII(opened.get(), cmsInfoDescription, "en", "US", text, sizeof(text));
  return text;
}

}  // namespace lacuna::io
