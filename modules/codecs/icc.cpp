#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "modules/codecs/half_float.h"
#include "modules/codecs/icc_profile.h"

namespace lacuna::io {

using namespace icc;

namespace {

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
  bool isFloat = false;
};

ProfileTransform::ProfileTransform(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProfileTransform::~ProfileTransform() = default;

void ProfileTransform::run(const std::byte* pixels, size_t count, std::byte* converted) const {
  cmsDoTransform(impl_->transform.get(), pixels, converted, static_cast<cmsUInt32Number>(count));
  for (size_t i = 0; i < count; ++i) {  // lcms2 leaves alpha alone
    if (impl_->isFloat) {
      const Format format = impl_->wordBytes == 2 ? Format::f16 : Format::f32;
      storeComponent(converted + 16 * i + 12, componentAt(pixels + 4 * impl_->wordBytes * i, 3, format),
                     Format::f32);
      continue;
    }
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

// Why a profile isn't used. Throws std::invalid_argument for CMYK.
std::string flawOf(const Profile& profile, const ColourDescription& description) {
  // As a number, because files may contain values that the enumeration can't.
  const auto space = static_cast<uint32_t>(cmsGetColorSpace(profile.get()));
  if (space == cmsSigCmykData)
    throw std::invalid_argument("a colour profile of CMYK; expected one of RGB or grey");
  if (space != cmsSigRgbData && space != cmsSigGrayData)
    return fmt::format("it is for '{}', not for RGB or grey", spaceName(space));
  return isGrey(profile) && !description.grey ? "it is for grey, but the image has colour" : "";
}

// In grey files each pixel holds the value three times: the first one is used.
cmsUInt32Number rgbaOf(const Profile& profile) {
  return isGrey(profile) ? COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3)
                         : COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(1);
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
  if (const std::string flaw = flawOf(profile, description); !flaw.empty())
    return unused(flaw);
  if (sameColours(context, profile, rgbProfile(context, rec709WhiteAndPrimaries, srgbCurve(context))))
    return {};
  const Profile inside = rgbProfile(context, rec2020WhiteAndPrimaries, srgbCurve(context));
  if (sameColours(context, profile, inside))
    return {ColourTag::rec2020, nullptr, {}};
  // lcms2's optimised paths are exact to an eighth of a step of 8 bit for matrices and curves, and elsewhere
  // off by a whole one.
  const bool mayBeFast = wordBytes == 1 && !isGrey(profile) && cmsIsMatrixShaper(profile.get());
  impl->transform.reset(cmsCreateTransformTHR(context.get(), profile.get(),
                                              rgbaOf(profile) | BYTES_SH(wordBytes), inside.get(),
                                              TYPE_RGBA_16, intent, mayBeFast ? 0 : cmsFLAGS_NOOPTIMIZE));
  if (!impl->transform)
    return unused(context.error());
  if (own)
    return {ColourTag::own, nullptr, {}, gammaOf(context, profile)};
  impl->wordBytes = wordBytes;
  return {ColourTag::rec2020, std::make_shared<const ProfileTransform>(std::move(impl)), {}};
}

}  // namespace

ColourReading readColour(const ColourDescription& description, uint32_t wordBytes, bool own) {
  static Recent<ColourKey, ColourReading> recent;
  return recent.resultOf({description, wordBytes, own}, [&] { return read(description, wordBytes, own); });
}

namespace {

bool hasLinearCurves(const Profile& profile) {
  if (isGrey(profile) || !cmsIsMatrixShaper(profile.get()))
    return false;
  for (const cmsTagSignature tag : {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag}) {
    const auto* curve = static_cast<const cmsToneCurve*>(cmsReadTag(profile.get(), tag));
    if (curve == nullptr || !cmsIsToneCurveLinear(curve))
      return false;
  }
  return true;
}

ColourReading readFloats(const ColourDescription& description, uint32_t wordBytes, bool own) {
  auto impl = std::make_unique<ProfileTransform::Impl>();
  const Context& context = impl->context;
  const Curve linear = powerCurve(context, 1.0);
  const Profile profile =
      description.profile.empty()
          ? rgbProfile(context, description.whiteAndPrimaries.value_or(rec709WhiteAndPrimaries),
                       powerCurve(context, description.gamma.value_or(1.0)))
          : openProfile(context, description);
  if (!profile)
    return unused(context.error());
  if (const std::string flaw = flawOf(profile, description); !flaw.empty())
    return unused(flaw);
  const Profile inside = rgbProfile(context, rec2020WhiteAndPrimaries, linear);
  if (sameColours(context, profile, rgbProfile(context, rec709WhiteAndPrimaries, linear)))
    return {};
  if (sameColours(context, profile, inside))
    return {ColourTag::rec2020, nullptr, {}};
  if (own && hasLinearCurves(profile))
    return {ColourTag::own, nullptr, {}};
  const auto primaries = primariesOf(description);
  const bool isUsual = isGrey(profile) || (primaries && close(*primaries, rec709WhiteAndPrimaries));
  const Profile usual = rgbProfile(context, rec709WhiteAndPrimaries, linear);
  constexpr cmsUInt32Number floats = FLOAT_SH(1);
  impl->transform.reset(
      cmsCreateTransformTHR(context.get(), profile.get(), floats | rgbaOf(profile) | BYTES_SH(wordBytes),
                            (isUsual ? usual : inside).get(), TYPE_RGBA_FLT, intent, cmsFLAGS_NOOPTIMIZE));
  if (!impl->transform)
    return unused(context.error());
  impl->wordBytes = wordBytes;
  impl->isFloat = true;
  return {isUsual ? ColourTag::rec709 : ColourTag::rec2020,
          std::make_shared<const ProfileTransform>(std::move(impl)),
          {}};
}

}  // namespace

ColourReading readFloatColour(const ColourDescription& description, uint32_t wordBytes, bool own) {
  static Recent<ColourKey, ColourReading> recent;
  return recent.resultOf({description, wordBytes, own},
                         [&] { return readFloats(description, wordBytes, own); });
}

ColourDescription linearColour(const ColourDescription& stored) {
  const ColourTag tag = readFloatColour(stored, 4, true).tag;
  ColourDescription colour;
  colour.grey = stored.grey;
  if (tag != ColourTag::rec709)
    colour.whiteAndPrimaries = tag == ColourTag::own ? primariesOf(stored) : rec2020WhiteAndPrimaries;
  return colour;
}

}  // namespace lacuna::io
