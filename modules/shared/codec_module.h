#pragma once
// Modules that read or write image files, by a codec of modules/codecs.

#include <vector>

#include "graph/module/native_type.h"
#include "modules/codecs/codec.h"
#include "shared/native.h"
#include "shared/settle_file.h"

namespace lacuna {

// Of modules for one format; null: the module has a parameter `format`, settled.
template <const io::Codec* codec>
const io::FileFormat* fixedFormat() {
  for (const io::FileFormat& format : io::fileFormats())
    if (format.codec == codec)
      return &format;
  return nullptr;
}

template <const io::Codec* codec>
const io::Codec& codecFor(const native::Call& call) {
  return codec ? *codec : *io::formatOfWord(call.word("format"))->codec;
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
    const io::Codec& reader = codecFor<codec>(call);
    io::checkSignature(reader, call.path());
    types = reader.probe(call.path(), wanted, options);
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
  options.warnOfPixels = [&](const std::string& text) { call.warn(call.instance() + ": " + text); };
  onFile([&] {
    const io::Codec& reader = codecFor<codec>(call);
    io::checkSignature(reader, call.path());
    reader.read(call.path(), targets, options);
  });
}

// Parameters `quality`, `compression`, `exr_compression`, `encoding` and `keep`, where the module has them.
template <const io::Codec* codec>
void writeFile(const native::Call& call, const native::Planes& planes, const std::string& part) {
  std::vector<NamedImage> images;
  for (uint32_t i = 0; i < planes.size(); ++i)
    images.push_back({planes[i].name,
                      fromAbi(*planes[i].type).value(),
                      {static_cast<const std::byte*>(planes[i].data), planes[i].bytes}});
  const io::Codec& writer = codecFor<codec>(call);
  WriteOptions options;
  if (call.has("quality"))
    options.quality = static_cast<int>(call.integer("quality"));
  if (&writer == &io::pngCodec)
    options.compression = static_cast<int>(call.integer("compression"));
  if (call.has("encoding"))
    options.linear = call.word("encoding") == "linear";
  if (&writer == &io::exrCodec)
    options.exrCompression = call.word(call.has("exr_compression") ? "exr_compression" : "compression");
  options.origin = keptOrigin(call);
  options.colours = anyOrigin(call);
  options.keepsLayers = call.has("keep") && call.word("keep") == "all";
  options.warn = [&](const std::string& text) { call.warn(call.instance() + ": " + text); };
  const std::string shown = call.path() == standardStream ? "standard output" : call.path();
  onFile([&] { writer.write(shown, part, images, options); });
}

inline void checkWritten(const native::Call& call) {
  onFile([&] { io::checkWhole(call.path()); });
}

template <const io::Codec* codec>
void settleSource(const native::Call& call, const std::vector<std::string>& connected,
                  const native::Settings& settings) {
  settleReader(call, connected, settings, fixedFormat<codec>());
}

template <const io::Codec* codec>
void settleSink(const native::Call& call, const std::vector<std::string>& connected,
                const native::Settings& settings) {
  settleWriter(call, connected, settings, fixedFormat<codec>());
}

template <const io::Codec* codec>
native::Table readerModule(const char* name) {
  return native::Table(name)
      .settle<settleSource<codec>>()
      .template probe<probeFile<codec>>()
      .template read<readFile<codec>>();
}

template <const io::Codec* codec>
native::Table writerModule(const char* name) {
  return native::Table(name)
      .settle<settleSink<codec>>()
      .template write<writeFile<codec>>()
      .template check<checkWritten>();
}

}  // namespace lacuna
