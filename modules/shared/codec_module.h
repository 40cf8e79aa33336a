#pragma once
// Modules that read or write one kind of image file, by a codec of graph/io.

#include <vector>

#include "graph/io/codec.h"
#include "graph/io/exr_channels.h"
#include "graph/module/native_type.h"
#include "shared/native.h"

namespace lacuna {

// What is wrong with a file is told where it is named.
template <typename Function>
void onFile(Function function) {
  try {
    function();
  } catch (const FileError& error) {
    throw native::Error(error.what(), "filename");
  }
}

// Parameters `orientation`, `profile`, `encoding`, `channels`, `colour`, `motion`, `motion_scale` and the
// layers of planes, where the module has them.
inline ReadOptions readOptions(const native::Call& call) {
  const auto says = [&](const char* parameter, const char* word) {
    return call.has(parameter) && call.word(parameter) == word;
  };
  ReadOptions options;
  options.orientation = !says("orientation", "ignore");
  options.profile = !says("profile", "ignore") && !says("encoding", "linear");
  if (call.has("channels"))
    options.channels = channelsFromName(call.word("channels"));  // none as the file has it
  if (call.has("colour"))
    options.colour = colourFromName(call.word("colour")).value();
  if (call.has("motion")) {
    options.motion = motionConventionFromName(call.word("motion"));  // none for `auto`
    options.motionScale = {static_cast<float>(call.number("motion_scale", 0)),
                           static_cast<float>(call.number("motion_scale", 1))};
    for (const std::string& plane : io::exrPlanes()) {
      const std::string parameter = plane == "motion" ? "motion_layer" : plane;
      if (call.has(parameter) && !call.word(parameter).empty())
        options.layers[plane] = call.word(parameter);
    }
  }
  return options;
}

template <const io::Codec* codec>
void probeFile(const native::Call& call, const native::Planes& planes) {
  std::vector<std::string> wanted;
  for (uint32_t i = 0; i < planes.size(); ++i)
    wanted.emplace_back(planes[i].name);
  ReadOptions options = readOptions(call);
  options.warn = [&](const std::string& text) { call.warn(text, "filename"); };
  io::PlaneTypes types;
  onFile([&] {
    io::checkSignature(*codec, call.path());
    types = codec->probe(call.path(), wanted, options);
  });
  for (uint32_t i = 0; i < planes.size(); ++i)
    native::setType(planes[i], toAbi(types.at(planes[i].name)));
}

template <const io::Codec* codec>
void readFile(const native::Call& call, const native::Planes& planes) {
  std::vector<PlaneTarget> targets;
  for (uint32_t i = 0; i < planes.size(); ++i)
    targets.push_back({planes[i].name,
                       fromAbi(*planes[i].type).value(),
                       {static_cast<std::byte*>(planes[i].data), planes[i].bytes}});
  ReadOptions options = readOptions(call);
  if (call.frame() > 0)  // probe() has told what is to be said of the first
    options.warn = [&](const std::string& text) { call.warn(text, "filename"); };
  onFile([&] {
    io::checkSignature(*codec, call.path());
    codec->read(call.path(), targets, options);
  });
}

// Parameters `quality`, `compression` and `encoding` where the module has them.
template <const io::Codec* codec>
void writeFile(const native::Call& call, const native::Planes& planes, const std::string& part) {
  std::vector<NamedImage> images;
  for (uint32_t i = 0; i < planes.size(); ++i)
    images.push_back({planes[i].name,
                      fromAbi(*planes[i].type).value(),
                      {static_cast<const std::byte*>(planes[i].data), planes[i].bytes}});
  WriteOptions options;
  if (call.has("quality"))
    options.quality = static_cast<int>(call.integer("quality"));
  if (call.has("compression"))
    options.compression = static_cast<int>(call.integer("compression"));
  if (call.has("encoding"))
    options.linear = call.word("encoding") == "linear";
  onFile([&] { codec->write(call.path(), part, images, options); });
}

template <const io::Codec* codec>
native::Table readerModule(const char* name) {
  return native::Table(name).probe<probeFile<codec>>().template read<readFile<codec>>();
}

template <const io::Codec* codec>
native::Table writerModule(const char* name) {
  return native::Table(name).write<writeFile<codec>>();
}

}  // namespace lacuna
