// Profiles for written files, and the names and primaries of others.

#include <fmt/format.h>
#include <lcms2_plugin.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "modules/codecs/icc_profile.h"

namespace lacuna::io {
namespace icc {
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

}  // namespace

Context::Context() : handle_(createBoundedContext(this)) {
  if (handle_ == nullptr)
    throw std::bad_alloc();
  cmsSetLogErrorHandlerTHR(handle_, onError);
}

void Context::onError(cmsContext context, cmsUInt32Number, const char* text) {
  auto* self = static_cast<Context*>(cmsGetContextUserData(context));
  if (self->error_.empty())
    self->error_ = text;
}

Curve powerCurve(const Context& context, double exponent) {
  return Curve(cmsBuildGamma(context.get(), exponent));
}

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

}  // namespace icc

using namespace icc;

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

std::vector<std::byte> madeProfile(ColourTag tag, bool linear, bool grey) {
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

}  // namespace

std::vector<std::byte> profileFor(ColourTag tag, bool linear, bool grey) {
  static Recent<std::tuple<ColourTag, bool, bool>, std::vector<std::byte>> recent;
  return tag == ColourTag::data
             ? std::vector<std::byte>()
             : recent.resultOf({tag, linear, grey}, [&] { return madeProfile(tag, linear, grey); });
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

std::vector<std::byte> videoProfile(const ColourDescription& description) {
  const Context context;
  const cmsFloat64Number numbers[] = {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081};
  const Curve curve(cmsBuildParametricToneCurve(context.get(), 4, numbers));
  const Profile profile =
      description.grey
          ? greyProfile(context, curve)
          : rgbProfile(context, description.whiteAndPrimaries.value_or(rec709WhiteAndPrimaries), curve);
  return profile ? savedProfile(context, profile, "BT.709 curve") : std::vector<std::byte>();
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
