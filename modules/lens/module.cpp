// The profile is found where the picture's size is known: its numbers go to the kernel as an array.

#include <fmt/format.h>

#include "lens/profile/profile.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/kept.h"
#include "shared/native.h"

namespace lacuna::lens {
namespace {

using native::Builder;
using native::Call;
using native::Planes;

constexpr uint16_t makeTag = 0x010f, modelTag = 0x0110, apertureTag = 0x829d, distanceTag = 0x9206,
                   focalTag = 0x920a, lensTag = 0xa434;

void take(Shot& shot, const io::ExifValue& value) {
  for (const auto& [tag, text] :
       {std::pair(makeTag, &Shot::maker), {modelTag, &Shot::camera}, {lensTag, &Shot::lens}})
    if (value.tag == tag)
      shot.*text = value.text;
  for (const auto& [tag, number] :
       {std::pair(apertureTag, &Shot::aperture), {distanceTag, &Shot::distance}, {focalTag, &Shot::focal}})
    if (value.tag == tag)
      shot.*number = value.numbers.empty() ? 0.0 : value.numbers[0];
}

// What the picture's input file states about camera and lens. Mistakes in it are reported by its source.
Shot shotOf(const Call& call) {
  Shot shot;
  const std::optional<Call> origin = call.origin();
  try {
    const io::Codec* codec = origin ? io::codecIfKnown(origin->file()) : nullptr;
    if (codec == nullptr || codec->metadata == nullptr)
      return shot;
    const std::vector<std::byte> exif = codec->metadata(origin->file(), {}).exif;
    for (const io::ExifFolder folder : {io::ExifFolder::main, io::ExifFolder::camera})
      for (const io::ExifValue& value : io::exifValues(exif, folder))
        take(shot, value);
  } catch (const FileError&) {
  }
  return shot;
}

Shot wantedShot(const Call& call) {
  Shot shot = shotOf(call);
  if (!call.word("camera").empty()) {
    shot.camera = call.word("camera");
    shot.maker.clear();
  }
  if (!call.word("lens").empty())
    shot.lens = call.word("lens");
  const auto number = [&](const char* name, double otherwise) {
    return call.number(name) > 0 ? call.number(name) : otherwise;
  };
  shot.focal = number("focal", shot.focal);
  shot.aperture = number("aperture", shot.aperture);
  shot.distance = number("distance", shot.distance);
  return shot;
}

// "" where nothing is missing.
std::string whatLacks(const Shot& shot) {
  return shot.camera.empty() ? "camera" : !(shot.focal > 0) ? "focal" : "";
}

std::optional<Profile> wantedProfile(const Call& call) {
  const Shot shot = wantedShot(call);
  if (shot.camera.empty() && !call.origin())
    return std::nullopt;  // a program's own picture needs no report
  if (const std::string lacking = whatLacks(shot); !lacking.empty()) {
    call.warn(fmt::format("{}: the picture's file names no {}; the picture stays unchanged ('{}' sets it)",
                          call.instance(), lacking == "focal" ? "focal length" : lacking, lacking));
    return std::nullopt;
  }
  std::optional<Profile> profile = profileOf(shot, call.word("database"), call.moduleFolder() + "/profiles");
  if (!profile) {
    call.warn(
        fmt::format("{}: no profile for the lens '{}' on the camera '{}'; the picture stays unchanged "
                    "('lens' and 'camera' name others)",
                    call.instance(), shot.lens, shot.camera));
    return std::nullopt;
  }
  if (!call.flag("distortion"))
    profile->distortion = {1.0};
  if (!call.flag("colours"))
    profile->red = profile->blue = {1.0};
  if (!call.flag("vignetting"))
    profile->vignetting = {1.0};
  return profile;
}

void buildResample(const Profile& profile, double share, const Builder& builder) {
  std::vector<float> terms = {static_cast<float>(share)};
  const auto add = [&](const auto& numbers) { terms.insert(terms.end(), numbers.begin(), numbers.end()); };
  add(profile.distortion);
  add(profile.red);
  add(profile.blue);
  add(profile.vignetting);
  builder.upload("terms", native::arrayType(lacuna_y, lacuna_f32, static_cast<uint32_t>(terms.size())),
                 terms.data(), terms.size() * sizeof(float));
  builder.nodes(
      fmt::format("[[node]]\nname = \"resample\"\nkind = \"kernel\"\nshader = \"resample.glsl\"\n"
                  "inputs = [{{ name = \"picture\", source = \"input\" }}, {{ name = \"terms\", source = "
                  "\"upload.terms\" }}]\noutputs = [{{ name = \"result\", connector = \"output\" }}]\n"
                  "[node.kernel]\nconstants = {{ COLOURS = {} }}\n",
                  profile.separates() ? 3 : 1));
}

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  const std::optional<Profile> profile = wantedProfile(call);
  const double wanted = call.number("scale");
  const bool changes = profile && (profile->bends() || profile->separates() || profile->darkens());
  if (!changes && !(profile && wanted > 0)) {
    builder.nodes(
        "[[node]]\nname = \"unchanged\"\nkind = \"pointwise\"\nshader = \"unchanged.glsl\"\n"
        "inputs = [{ name = \"picture\", source = \"input\" }]\n"
        "outputs = [{ name = \"result\", connector = \"output\" }]\n");
    return;
  }
  const lacuna_type& type = *inputs[0].type;
  // If only colours are corrected, the border moves by less than a pixel or two, and its pixels are repeated.
  const double fitting = profile->bends() ? largestShare(*profile, type.width, type.height) : 1.0;
  buildResample(*profile, wanted > 0 ? 1 / wanted : fitting, builder);
}

}  // namespace
}  // namespace lacuna::lens

LACUNA_MODULE(lacuna::native::Table("lens").build<lacuna::lens::build>())
