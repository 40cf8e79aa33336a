#include "modules/codecs/icc.h"

#include <fmt/format.h>
#include <lcms2.h>
#include <lcms2_plugin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "graph/lists.h"

namespace lacuna::io {
namespace {

// Memory for lcms2, which allocates the size that a profile promises before it checks whether it is there: up
// to 512 MiB for a profile of 200 bytes. The largest table of a profile: 4 inputs by 33 points each, 4
// outputs, two bytes each, are 9 MiB.
constexpr cmsUInt32Number mostBytes = 32U << 20U;

// `user` is the result of cmsGetContextUserData(). Null: no memory.
cmsContext createBoundedContext(void* user) {
  constexpr cmsUInt32Number since = 2060;  // version 2.6
  cmsPluginMemHandler memory{
      {cmsPluginMagicNumber, since, cmsPluginMemHandlerSig, nullptr},
      [](cmsContext, cmsUInt32Number bytes) { return bytes > mostBytes ? nullptr : std::malloc(bytes); },
      [](cmsContext, void* old) { std::free(old); },
      [](cmsContext, void* old, cmsUInt32Number bytes) {
        return bytes > mostBytes ? nullptr : std::realloc(old, bytes);
      },
      nullptr,
      nullptr,
      nullptr};
  return cmsCreateContext(&memory, user);
}

// lcms2 reports through its context; the first message is the most useful.
class Context : NoCopy {
 public:
  Context() : handle_(createBoundedContext(this)) {
    if (handle_ == nullptr)
      throw std::bad_alloc();
    cmsSetLogErrorHandlerTHR(handle_, onError);
  }
  ~Context() { cmsDeleteContext(handle_); }
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

template <auto release>
struct Release {
  void operator()(auto* handle) const { release(handle); }
};
using Profile = std::unique_ptr<void, Release<cmsCloseProfile>>;
using Transform = std::unique_ptr<void, Release<cmsDeleteTransform>>;
using Curve = std::unique_ptr<cmsToneCurve, Release<cmsFreeToneCurve>>;

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

// Colours all over the cube of `reference`, converted to `profile`.
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

// Without a usable description the values are most probably sRGB.
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

// The curve of grey values: whether it is that of sRGB within half a step of 8 bit, else the power that meets
// it in the middle. Tables of three dimensions are made for values in even steps: as sRGB.
double gammaOf(const Context& context, const Profile& profile) {
  const bool grey = isGrey(profile);
  if (!grey && !cmsIsMatrixShaper(profile.get()))
    return 0;
  const auto* curve = static_cast<const cmsToneCurve*>(
      cmsReadTag(profile.get(), grey ? cmsSigGrayTRCTag : cmsSigGreenTRCTag));
  const Curve srgb = srgbCurve(context);
  if (curve == nullptr || !srgb)
    return 0;
  float furthest = 0;
  for (int i = 0; i < 256; ++i) {
    const float v = static_cast<float>(i) / 255.0F;
    furthest =
        std::max(furthest, std::abs(cmsEvalToneCurveFloat(curve, v) - cmsEvalToneCurveFloat(srgb.get(), v)));
  }
  const double middle = cmsEvalToneCurveFloat(curve, 0.5F);
  constexpr double least = 0.01, most = 0.87;  // powers of 6.6 and .2
  return furthest <= 0.5F / 255 || !(middle >= least && middle <= most) ? 0
                                                                        : std::log(middle) / std::log(0.5);
}

ColourReading read(const ColourDescription& description, uint32_t wordBytes, bool own) {
  if (!description.codePoints.empty())
    return own ? ColourReading{ColourTag::own, nullptr, {}, 0}
               : unused(fmt::format("it is {}, which is not decoded", cicpName(description.codePoints)));
  auto impl = std::make_unique<ProfileTransform::Impl>();
  const Context& context = impl->context;
  const Profile profile = openProfile(context, description);
  if (!profile)
    return unused(context.error());
  // As a number, because files may contain values that the enumeration can't.
  const auto space = static_cast<uint32_t>(cmsGetColorSpace(profile.get()));
  if (space == cmsSigCmykData)
    throw std::invalid_argument("a colour profile of CMYK; expected one of RGB or grey");
  if (space != cmsSigRgbData && space != cmsSigGrayData)
    return unused(fmt::format("it is for '{}', not for RGB or grey", spaceName(space)));
  if (isGrey(profile) && !description.grey)
    return unused("it is for grey, but the image has colour");
  if (sameColours(context, profile, rgbProfile(context, rec709WhiteAndPrimaries, srgbCurve(context))))
    return {};
  const Profile inside = rgbProfile(context, rec2020WhiteAndPrimaries, srgbCurve(context));
  if (sameColours(context, profile, inside))
    return {ColourTag::rec2020, nullptr, {}};
  // In grey files each pixel holds the value three times: the first one is used.
  const cmsUInt32Number from = isGrey(profile) ? COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3)
                                               : COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(1);
  // lcms2's optimised paths are exact to an eighth of a step of 8 bit for matrices and curves, and elsewhere
  // off by a whole one.
  const bool mayBeFast = wordBytes == 1 && !isGrey(profile) && cmsIsMatrixShaper(profile.get());
  impl->transform.reset(cmsCreateTransformTHR(context.get(), profile.get(), from | BYTES_SH(wordBytes),
                                              inside.get(), TYPE_RGBA_16, intent,
                                              mayBeFast ? 0 : cmsFLAGS_NOOPTIMIZE));
  if (!impl->transform)
    return unused(context.error());
  if (own)
    return {ColourTag::own, nullptr, {}, gammaOf(context, profile)};
  impl->wordBytes = wordBytes;
  return {ColourTag::rec2020, std::make_shared<const ProfileTransform>(std::move(impl)), {}};
}

}  // namespace

ColourReading readColour(const ColourDescription& description, uint32_t wordBytes, bool own) {
  static std::mutex mutex;
  static std::tuple<ColourDescription, uint32_t, bool, ColourReading> last;
  const std::scoped_lock lock(mutex);
  if (std::tie(std::get<0>(last), std::get<1>(last), std::get<2>(last)) !=
      std::tie(description, wordBytes, own))
    last = {description, wordBytes, own, read(description, wordBytes, own)};
  return std::get<3>(last);
}

namespace {

// The vector that the matrix of these rows maps to `to`, by Cramer's rule.
cmsCIEXYZ solved(const cmsCIEXYZ rows[3], const cmsCIEXYZ& to) {
  using Column = std::array<double, 3>;
  const Column x = {rows[0].X, rows[1].X, rows[2].X}, y = {rows[0].Y, rows[1].Y, rows[2].Y},
               z = {rows[0].Z, rows[1].Z, rows[2].Z}, t = {to.X, to.Y, to.Z};
  const auto determinant = [](const Column& a, const Column& b, const Column& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  const double all = determinant(x, y, z);
  return {determinant(t, y, z) / all, determinant(x, t, z) / all, determinant(x, y, t) / all};
}

// White and primaries are stored as they look under D50 (ICC.1:2010, 9.2): converted back to the profile's
// white, if it states one.
std::optional<Chromaticities> primariesOf(const Profile& profile) {
  const auto point = [&](cmsTagSignature tag) {
    return static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), tag));
  };
  const std::array<const cmsCIEXYZ*, 3> colorants = {
      point(cmsSigRedColorantTag), point(cmsSigGreenColorantTag), point(cmsSigBlueColorantTag)};
  const cmsCIEXYZ* named = point(cmsSigMediaWhitePointTag);
  const cmsCIEXYZ d50 = *cmsD50_XYZ();
  cmsCIEXYZ white = named != nullptr ? *named : d50;
  constexpr cmsUInt32Number nineNumbers = 8 + 9 * 4;  // lcms2 reads fewer, too
  if (cmsReadRawTag(profile.get(), cmsSigChromaticAdaptationTag, nullptr, 0) >= nineNumbers)
    if (const cmsCIEXYZ* rows = point(cmsSigChromaticAdaptationTag); rows != nullptr)
      white = solved(rows, d50);
  Chromaticities found{};
  const auto set = [&](size_t at, const cmsCIEXYZ& colour) {
    const double sum = colour.X + colour.Y + colour.Z;
    found[at] = colour.X / sum;
    found[at + 1] = colour.Y / sum;
  };
  set(0, white);
  for (size_t i = 0; i < 3; ++i) {
    cmsCIEXYZ colour{};
    if (colorants[i] == nullptr || !cmsAdaptToIlluminant(&colour, &d50, &white, colorants[i]))
      return std::nullopt;
    set(2 + 2 * i, colour);
  }
  const bool isFinite = std::ranges::all_of(found, [](double v) { return std::isfinite(v); });
  return isFinite ? std::optional(found) : std::nullopt;
}

// `text`: the profile's own name.
std::vector<std::byte> savedProfile(const Context& context, const Profile& profile, const std::string& text) {
  cmsMLU* name = cmsMLUalloc(context.get(), 1);
  cmsMLUsetASCII(name, "en", "US", text.c_str());
  cmsWriteTag(profile.get(), cmsSigProfileDescriptionTag, name);
  cmsMLUfree(name);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile.get(), nullptr, &size);
  std::vector<std::byte> bytes(size);
  if (size == 0 || !cmsSaveProfileToMem(profile.get(), bytes.data(), &size))
    throw std::runtime_error("no colour profile could be made: " + context.error());
  // The time of its making (ICC.1:2010, 7.2.10): lcms2 uses the clock, but equal files should be equal.
  constexpr unsigned char made[] = {0x07, 0xea, 0, 11, 0, 20, 0, 0, 0, 0, 0, 0};
  std::memcpy(bytes.data() + 24, made, sizeof(made));
  return bytes;
}

}  // namespace

std::vector<std::byte> profileFor(ColourTag tag, bool linear, bool grey) {
  if (tag == ColourTag::data)
    return {};
  const Context context;
  const bool wide = tag == ColourTag::rec2020;
  const Curve curve = linear ? powerCurve(context, 1.0) : srgbCurve(context);
  const Profile profile =
      grey ? greyProfile(context, curve)
           : rgbProfile(context, wide ? rec2020WhiteAndPrimaries : rec709WhiteAndPrimaries, curve);
  return savedProfile(context, profile,
                      grey               ? (linear ? "grey, linear" : "grey, sRGB curve")
                      : !wide && !linear ? "sRGB"
                                         : fmt::format("Rec. {} primaries, {}", wide ? 2020 : 709,
                                                       linear ? "linear" : "sRGB curve"));
}

std::optional<Chromaticities> primariesOf(const ColourDescription& description) {
  if (!description.codePoints.empty())
    return std::nullopt;
  if (description.profile.empty())
    return description.whiteAndPrimaries.value_or(rec709WhiteAndPrimaries);
  const Context context;
  const Profile profile = openProfile(context, description);
  if (!profile)
    return std::nullopt;
  if (isGrey(profile))
    return rec709WhiteAndPrimaries;
  return cmsIsMatrixShaper(profile.get()) ? primariesOf(profile) : std::nullopt;
}

std::vector<std::byte> profileOf(const ColourDescription& description, bool linear, bool grey) {
  const auto primaries = primariesOf(description);
  if (!primaries)
    return {};
  const Context context;
  const double gamma = linear ? 1.0 : readColour(description, 1, true).gamma;
  const Curve curve = gamma > 0 ? powerCurve(context, gamma) : srgbCurve(context);
  const Profile profile = grey ? greyProfile(context, curve) : rgbProfile(context, *primaries, curve);
  if (!profile)
    return {};
  return savedProfile(context, profile, linear ? "primaries of the input file, linear" : "as the input file");
}

void convertToRec2020(const Chromaticities& from, std::span<float> rgba) {
  const Context context;
  const Curve linear = powerCurve(context, 1.0);
  const Profile file = rgbProfile(context, from, linear),
                inside = rgbProfile(context, rec2020WhiteAndPrimaries, linear);
  constexpr cmsUInt32Number rgbaFloats =
      FLOAT_SH(1) | COLORSPACE_SH(PT_RGB) | EXTRA_SH(1) | CHANNELS_SH(3) | BYTES_SH(4);
  const Transform transform(file ? cmsCreateTransformTHR(context.get(), file.get(), rgbaFloats, inside.get(),
                                                         rgbaFloats, intent, cmsFLAGS_NOOPTIMIZE)
                                 : nullptr);
  if (!transform)
    throw std::invalid_argument("its chromaticities make no colour space: " + context.error());
  cmsDoTransform(transform.get(), rgba.data(), rgba.data(), static_cast<cmsUInt32Number>(rgba.size() / 4));
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
