#include <fmt/format.h>

#include <cmath>

#include "files/files.h"
#include "graph/lists.h"
#include "modules/codecs/exr_channels.h"
#include "modules/codecs/kept.h"

namespace lacuna {

bool isAuto(const native::Call& call, const char* parameter) {
  return call.has(parameter) && call.word(parameter) == "auto";
}

const io::Codec* askedCodec(const native::Call& call) {
  return io::codecOfWord(call.word("format"));
}

void setFormat(const io::Codec& codec, io::Holds holds, const native::Settings& settings) {
  settings.set("format", codec.name);
  settings.set("holds", std::string(io::wordOf(holds)));
}

const char* exrCompression(const native::Call& call) {
  return call.has("exr_compression") ? "exr_compression" : "compression";
}

void checkSetParameters(const native::Call& call, const io::Codec& codec, ParameterList list) {
  std::map<std::string, std::string> labels;  // of the formats that have the parameter
  for (const io::Codec* each : io::codecs())
    for (const std::string_view parameter : each->*list) {
      std::string& text = labels[std::string(parameter)];
      text += (text.empty() ? "" : ", ") + std::string(each->label);
    }
  std::vector<std::string_view> own = codec.*list;
  if (contains(own, "exr_compression"))
    own.emplace_back(exrCompression(call));
  for (const auto& [parameter, formats] : labels)
    if (!contains(own, parameter) && call.has(parameter) && call.isSet(parameter))
      call.error(fmt::format("{}: '{}' is for {}, not for {}; remove it", call.path(), parameter, formats,
                             codec.label),
                 parameter);
}

namespace {

std::string curveName(double gamma) {
  return gamma > 0 ? fmt::format("gamma {:.4g}", gamma) : "sRGB's curve";
}

}  // namespace

void checkSingle(const native::Call& call, const io::Codec& codec, const char* only,
                 const std::vector<std::string>& connected) {
  std::string others;
  for (const std::string& name : connected) {
    const bool isArray = (name == "array" && codec.holds == io::Holds::numbers) ||
                         (name == "camera" && codec.holds == io::Holds::mosaic);
    if (name != only && codec.holds != io::Holds::planes && !isArray)
      others += fmt::format("{}'{}'", others.empty() ? "" : ", ", name);
  }
  if (!others.empty())
    call.error(
        fmt::format("{}: a {} file holds one image, '{}', but {} {} connected, which only OpenEXR files "
                    "have",
                    call.path(), codec.label, only, others,
                    others.find(',') == std::string::npos ? "is" : "are"),
        "filename");
}

void settleGamma(const native::Call& call, const std::optional<Origin>& file,
                 const native::Settings& settings) {
  if (!file || !call.has("gamma") || call.isSet("gamma"))
    return;
  const auto reading = unlessDamaged([&] { return io::ownColour(*file); });
  if (reading && reading->gamma > 0)
    settings.set("gamma", fmt::format("{}", reading->gamma));
}

void checkCurve(const native::Call& call) {
  if (!call.has("gamma") || call.isSet("gamma") || !io::codecOfContent(call.file()).isEncoded())
    return;
  const auto reading = io::ownColour(originOf(call, "output"));
  const double settled = call.number("gamma");
  constexpr double rounding = 1e-4;
  if (reading && std::abs(reading->gamma - settled) > rounding)
    throw FileError(fmt::format(
        "{}: its values have {}, but those of the first file that was read {}; all frames must have "
        "one curve: set 'profile' of the source to convert, which converts each by its own",
        call.path(), curveName(reading->gamma), curveName(settled)));
}

namespace {

// Parameters for reading a plane that nothing reads.
void checkPlaneParameters(const native::Call& call, const std::vector<std::string>& connected) {
  const auto check = [&](const std::string& parameter, const std::string& plane) {
    if (call.has(parameter) && call.isSet(parameter) && !contains(connected, plane))
      call.error(fmt::format("{}: '{}' has no effect, because nothing reads the output '{}'; connect it, or "
                             "remove the parameter",
                             call.instance(), parameter, plane),
                 parameter);
  };
  for (const std::string& plane : io::exrPlanes())
    check(io::exrLayerParameter(plane), plane);
  for (const char* parameter : {"motion", "motion_scale"})
    check(parameter, "motion");
}

// Half floats hold the steps of 8 bits, but not of 16, and not the dark ones of a power.
std::string precisionOf(const native::Call& call, const io::Codec& codec) {
  return onFile([&] {
    const auto reading = io::ownColour(originOf(call, "output"));
    const bool isPower = call.number("gamma") > 0 || (reading && reading->gamma > 0);
    return isPower || codec.kind(call.path(), "output", readOptions(call)).bits > 8 ? "f32" : "f16";
  });
}

}  // namespace

void settleSource(const native::Call& call, const std::vector<std::string>& connected,
                  const native::Settings& settings) {
  const io::Codec* asked = askedCodec(call);
  const io::Codec& codec =
      asked ? *asked : onFile([&]() -> const io::Codec& { return io::codecOfContent(call.path()); });
  onFile([&] { io::checkSignature(codec, call.path()); });
  const bool isFloat = codec.holdsFloats &&
                       onFile([&] { return codec.kind(call.path(), "output", readOptions(call)).isFloat; });
  setFormat(codec, codec.holdsIn(isFloat), settings);
  checkSetParameters(call, codec, &io::Codec::readingParameters);
  checkSingle(call, codec, "output", connected);
  if (codec.holds == io::Holds::planes)
    checkPlaneParameters(call, connected);
  if (!codec.isEncoded() || isFloat)
    return;
  settleGamma(call, originOf(call, "output"), settings);
  if (isAuto(call, "precision"))
    settings.set("precision", precisionOf(call, codec));
}

}  // namespace lacuna
