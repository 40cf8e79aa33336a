#include "files/files.h"

#include "modules/codecs/exr_channels.h"

namespace lacuna {

ReadOptions readOptions(const native::Call& call) {
  const auto says = [&](const char* parameter, const char* word) {
    return call.has(parameter) && call.word(parameter) == word;
  };
  ReadOptions options;
  options.orientation = !says("orientation", "ignore");
  options.profile = !says("profile", "ignore") && !says("encoding", "linear");
  options.own = says("profile", "as-file");
  if (call.has("channels"))
    options.channels = channelsFromName(call.word("channels"));  // if none, as in the file
  if (call.has("colour"))
    options.colour = colourFromName(call.word("colour")).value();
  const std::string name = call.has("filename") ? call.word("filename") : "";
  options.framed = isPattern(name) && namesFrames(name);
  if (call.has("motion")) {
    options.motion = motionConventionFromName(call.word("motion"));  // none for `auto`
    options.motionScale = {static_cast<float>(call.number("motion_scale", 0)),
                           static_cast<float>(call.number("motion_scale", 1))};
    for (const std::string& plane : io::exrPlanes()) {
      const std::string parameter = io::exrLayerParameter(plane);
      if (call.has(parameter) && !call.word(parameter).empty())
        options.layers[plane] = call.word(parameter);
    }
  }
  return options;
}

Origin originOf(const native::Call& source, const std::string& plane) {
  const bool isRaw = source.has("encoding") && source.word("encoding") == "linear";
  return {source.file(), plane, readOptions(source), isRaw};
}

std::optional<Origin> anyOrigin(const native::Call& call) {
  const std::optional<native::Call> source = call.origin();
  return source ? std::optional(originOf(*source, call.originOutput())) : std::nullopt;
}

std::optional<Origin> keptOrigin(const native::Call& call) {
  return call.has("keep") && call.word("keep") == "none" ? std::nullopt : anyOrigin(call);
}

}  // namespace lacuna
