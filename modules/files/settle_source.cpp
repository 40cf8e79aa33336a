#include <fmt/format.h>

#include <algorithm>

#include "files/files.h"
#include "graph/lists.h"
#include "modules/codecs/exr_channels.h"
#include "modules/codecs/kept.h"

namespace lacuna {
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
    return isPower || codec.kind(call.path(), "output", {}).bits > 8 ? "f32" : "f16";
  });
}

}  // namespace

void settleSource(const native::Call& call, const std::vector<std::string>& connected,
                  const native::Settings& settings) {
  const io::Codec* asked = askedCodec(call);
  const io::Codec& codec =
      asked ? *asked : onFile([&]() -> const io::Codec& { return io::codecOfContent(call.path()); });
  onFile([&] { io::checkSignature(codec, call.path()); });
  setFormat(codec, settings);
  checkSetParameters(call, codec, &io::Codec::readingParameters);
  checkSingle(call, codec, "output", connected);
  if (codec.holds == io::Holds::planes)
    checkPlaneParameters(call, connected);
  if (!codec.isEncoded())
    return;
  settleGamma(call, originOf(call, "output"), settings);
  if (isAuto(call, "precision"))
    settings.set("precision", precisionOf(call, codec));
}

}  // namespace lacuna
