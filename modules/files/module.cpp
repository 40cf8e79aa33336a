#include "files/files.h"

#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/files/standard_streams.h"
#include "graph/values/native_type.h"
#include "modules/codecs/exr_channels.h"
#include "modules/codecs/image_info.h"

namespace lacuna {

ReadOptions readOptions(const native::Call& call) {
  const auto says = [&](const char* parameter, const char* word) {
    return call.has(parameter) && call.word(parameter) == word;
  };
  ReadOptions options;
  options.orientation = !says("orientation", "ignore");
  options.profile = !says("profile", "ignore") && !says("encoding", "linear");
  options.own = says("profile", "as-file");
  if (call.has("page"))
    options.page = static_cast<int>(call.integer("page"));
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

namespace {

const io::Codec& settledCodec(const native::Call& call) {
  return *askedCodec(call);
}

void probeFile(const native::Call& call, const native::Planes& planes) {
  std::vector<std::string> wanted;
  for (uint32_t i = 0; i < planes.size(); ++i)
    wanted.emplace_back(planes[i].name);
  ReadOptions options = readOptions(call);
  options.warn = [&](const std::string& text) { call.warn(text, "filename"); };
  io::PlaneTypes types;
  onFile([&] {
    const io::Codec& reader = settledCodec(call);
    io::checkSignature(reader, call.path());
    types = reader.probe(call.path(), wanted, options);
  });
  for (uint32_t i = 0; i < planes.size(); ++i)
    native::setType(planes[i], toAbi(types.at(planes[i].name)));
}

void readFile(const native::Call& call, const native::Planes& planes) {
  std::vector<PlaneTarget> targets;
  for (uint32_t i = 0; i < planes.size(); ++i)
    targets.push_back({planes[i].name,
                       fromAbi(*planes[i].type).value(),
                       {static_cast<std::byte*>(planes[i].data), planes[i].bytes}});
  ReadOptions options = readOptions(call);
  if (call.frame() > 0)  // probe() has reported those of the first
    options.warn = [&](const std::string& text) { call.warn(text, "filename"); };
  onFile([&] {
    const io::Codec& reader = settledCodec(call);
    io::checkSignature(reader, call.file());
    checkCurve(call);
    if (call.inRows() && (planes.size() == 1 || reader.holds == io::Holds::planes))  // read together
      options.rows = [&](uint32_t end) { call.rows(end); };
    reader.read(call.file(), targets, options);
  });
}

// Parameters such as `quality`, `compression` and `keep`, if the module has them.
void writeFile(const native::Call& call, const native::Planes& planes, const std::string& part) {
  std::vector<NamedImage> images;
  for (uint32_t i = 0; i < planes.size(); ++i)
    images.push_back({planes[i].name,
                      fromAbi(*planes[i].type).value(),
                      {static_cast<const std::byte*>(planes[i].data), planes[i].bytes}});
  const io::Codec& writer = settledCodec(call);
  WriteOptions options;
  if (call.has("quality"))
    options.quality = static_cast<int>(call.integer("quality"));
  if (call.has("encoding"))
    options.linear = call.word("encoding") == "linear";
  if (writer.holds == io::Holds::planes)
    options.exrCompression = call.word(exrCompression(call));
  else if (call.has("compression"))
    options.compression = static_cast<int>(call.integer("compression"));
  if (call.has("tiff_compression"))
    options.tiffCompression = call.word("tiff_compression");
  if (call.has("lossless"))
    options.lossless = call.word("lossless");
  options.origin = keptOrigin(call);
  options.colours = anyOrigin(call);
  options.keepsLayers = call.has("keep") && call.word("keep") == "all";
  options.warn = [&](const std::string& text) { call.warn(call.instance() + ": " + text); };
  if (call.inRows() && writer.writesRows)
    options.rows = [&](uint32_t end) { call.rows(end); };
  else if (call.inRows())
    call.rows(planes[0].type->height);
  const std::string shown = call.path() == standardStream ? "standard output" : call.path();
  onFile([&] { writer.write(shown, part, images, options); });
}

void checkWritten(const native::Call& call) {
  onFile([&] { io::checkWhole(call.path()); });
}

std::string fileInfo(const native::Call& call) {
  return onFile([&] { return jsonText(asJson(imageInfo(call.path()))); });
}

// Only sources can hold a file in all frames.
void settle(const native::Call& call, const std::vector<std::string>& connected,
            const native::Settings& settings) {
  const bool isSource = call.has("still");
  (isSource ? settleSource : settleSink)(call, connected, settings);
}

}  // namespace
}  // namespace lacuna

LACUNA_MODULE(lacuna::native::Table("files")
                  .settle<lacuna::settle>()
                  .probe<lacuna::probeFile>()
                  .read<lacuna::readFile>()
                  .write<lacuna::writeFile>()
                  .writesRows()
                  .check<lacuna::checkWritten>()
                  .info<lacuna::fileInfo>())
