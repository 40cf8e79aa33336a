#pragma once
// What modules of image files settle before anything else: the format, by the file's content or its name, and
// the parameters whose default follows from the file.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "graph/files/standard_streams.h"
#include "graph/module/image_type.h"
#include "modules/codecs/exr_channels.h"
#include "modules/codecs/file_format.h"
#include "modules/codecs/kept.h"
#include "shared/native.h"

namespace lacuna {

// What is wrong with a file is reported where it is named.
template <typename Function>
decltype(auto) onFile(Function function) {
  try {
    return function();
  } catch (const FileError& error) {
    throw native::Error(error.what(), "filename");
  }
}

inline bool isAuto(const native::Call& call, const char* parameter) {
  return call.has(parameter) && call.word(parameter) == "auto";
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
  options.own = says("profile", "as-file");
  if (call.has("channels"))
    options.channels = channelsFromName(call.word("channels"));  // none as the file has it
  if (call.has("colour"))
    options.colour = colourFromName(call.word("colour")).value();
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

inline Origin originOf(const native::Call& source, const std::string& plane) {
  const bool isRaw = source.has("encoding") && source.word("encoding") == "linear";
  return {source.path(), plane, readOptions(source), isRaw};
}

// The file that a sink's picture comes from.
inline std::optional<Origin> anyOrigin(const native::Call& call) {
  const std::optional<native::Call> source = call.origin();
  return source ? std::optional(originOf(*source, call.originOutput())) : std::nullopt;
}
// The same, if something of it is to be kept.
inline std::optional<Origin> keptOrigin(const native::Call& call) {
  return call.has("keep") && call.word("keep") == "none" ? std::nullopt : anyOrigin(call);
}

// Of modules for all formats: parameters that only some have.
using FormatWords = std::vector<std::string_view>;
inline const std::map<std::string, FormatWords>& partialParameters() {
  static const std::map<std::string, FormatWords> known = {
      {"encoding", {"png", "jpg"}},
      {"profile", {"png", "jpg", "exr"}},
      {"gamma", {"png", "jpg"}},
      {"orientation", {"png", "jpg"}},
      {"bits", {"png"}},
      {"compression", {"png"}},
      {"quality", {"jpg"}},
      {"exr_compression", {"exr"}},
      {"keep_glow", {"exr"}},
      {"least_alpha", {"exr"}},
      {"motion_scale", {"exr"}},
      {"motion", {"exr"}},
      {"motion_layer", {"exr"}},
  };
  return known;
}

inline void checkSetParameters(const native::Call& call, const io::FileFormat& format,
                               FormatWords precision) {
  std::map<std::string, FormatWords> known = partialParameters();
  known["precision"] = std::move(precision);
  for (const std::string& plane : io::exrPlanes())  // their layers
    known[plane] = {"exr"};
  for (const auto& [parameter, words] : known) {
    if (!call.has(parameter) || !call.isSet(parameter) ||
        std::find(words.begin(), words.end(), format.word) != words.end())
      continue;
    std::string labels;
    for (const std::string_view word : words)
      labels += (labels.empty() ? "" : " and ") + std::string(io::formatOfWord(word)->label);
    call.error(fmt::format("{}: '{}' is for {}, not for {}; leave it out", call.path(), parameter, labels,
                           format.label),
               parameter);
  }
}

// Connectors other than `only`, of a file that holds one image.
inline void checkSingle(const native::Call& call, const io::FileFormat& format, const char* only,
                        const std::vector<std::string>& connected) {
  std::string others;
  for (const std::string& name : connected)
    if (name != only && !format.hasPlanes)
      others += fmt::format("{}'{}'", others.empty() ? "" : ", ", name);
  if (!others.empty())
    call.error(
        fmt::format("{}: a {} file holds one image, '{}', but {} {} connected, which only OpenEXR files "
                    "have",
                    call.path(), format.label, only, others,
                    others.find(',') == std::string::npos ? "is" : "are"),
        "filename");
}

// ---- sources ----

// Parameters that say how a plane is read, without anything that reads it.
inline void checkPlaneParameters(const native::Call& call, const std::vector<std::string>& connected) {
  const auto check = [&](const std::string& parameter, const std::string& plane) {
    if (call.has(parameter) && call.isSet(parameter) &&
        std::find(connected.begin(), connected.end(), plane) == connected.end())
      call.error(fmt::format("{}: '{}' has no effect, because nothing takes the output '{}'; connect it, or "
                             "leave the parameter out",
                             call.instance(), parameter, plane),
                 parameter);
  };
  for (const std::string& plane : io::exrPlanes())
    check(io::exrLayerParameter(plane), plane);
  for (const char* parameter : {"motion", "motion_scale"})
    check(parameter, "motion");
}

inline const io::FileFormat& formatToRead(const native::Call& call, const io::FileFormat* fixed) {
  if (fixed)
    return *fixed;
  const io::FileFormat* asked = io::formatOfWord(call.word("format"));
  return asked ? *asked : onFile([&]() -> const io::FileFormat& { return io::formatOfFile(call.path()); });
}

// Values in the file's own space are decoded by a power that is close to its profile's curve.
inline void settleGamma(const native::Call& call, const std::optional<Origin>& file,
                        const native::Settings& settings) {
  if (!file || !call.has("gamma") || call.isSet("gamma"))
    return;
  const auto reading = onFile([&] { return io::ownColour(*file); });
  if (reading && reading->gamma > 0)
    settings.set("gamma", fmt::format("{}", reading->gamma));
}

// Half floats hold the steps of 8 bits, but not of 16, and not the dark ones of a power.
inline std::string precisionOf(const native::Call& call, const io::FileFormat& format) {
  return onFile([&] {
    const auto reading = io::ownColour(originOf(call, "output"));
    const bool isPower = call.number("gamma") > 0 || (reading && reading->gamma > 0);
    return isPower || format.codec->kind(call.path(), "output", {}).bits > 8 ? "f32" : "f16";
  });
}

inline void settleReader(const native::Call& call, const std::vector<std::string>& connected,
                         const native::Settings& settings, const io::FileFormat* fixed) {
  const io::FileFormat& format = formatToRead(call, fixed);
  onFile([&] { io::checkSignature(*format.codec, call.path()); });
  if (!fixed) {
    settings.set("format", format.word);
    checkSetParameters(call, format, {"png", "jpg"});
    checkSingle(call, format, "output", connected);
  }
  if (format.codec == &io::exrCodec)
    checkPlaneParameters(call, connected);
  if (format.codec != &io::pngCodec && format.codec != &io::jpegCodec)
    return;
  settleGamma(call, originOf(call, "output"), settings);
  if (isAuto(call, "precision"))
    settings.set("precision", precisionOf(call, format));
}

// ---- sinks ----

// The name of a sink's file tells what a reader will take it for.
inline void checkExtension(const native::Call& call, const io::FileFormat& format) {
  const std::string path = call.path(), extension = io::extensionOf(path);
  if (path == standardStream || extension.empty() || format.has(extension))
    return;
  const std::string found =
      fmt::format("{}: {} would be written, but the name ends with '{}'", path, format.label, extension);
  const std::string expected = fmt::format("expected '{}'", format.extensions.front());
  if (const io::FileFormat* other = io::formatOfExtension(extension))
    throw native::Error(fmt::format("{}; {}, or the module {}, which writes {} files, or o-file, which "
                                    "writes all",
                                    found, expected, other->sink, other->label),
                        "filename");
  throw native::Error(fmt::format("{}; {}, or no extension", found, expected), "filename");
}

inline const io::FileFormat& formatToWrite(const native::Call& call) {
  if (const io::FileFormat* asked = io::formatOfWord(call.word("format")))
    return *asked;
  const std::string path = call.path(), extension = io::extensionOf(path);
  if (path == standardStream) {
    if (const auto origin = call.origin())
      return onFile([&]() -> const io::FileFormat& { return io::formatOfFile(origin->path()); });
    throw native::Error(
        "standard output: no input file tells the format; set 'format' to png, jpg, exr, pfm or npy",
        "filename");
  }
  if (const io::FileFormat* named = io::formatOfExtension(extension))
    return *named;
  throw native::Error(extension.empty()
                          ? fmt::format("{}: the name has no extension; expected one of {}, or set 'format'",
                                        path, io::knownExtensions())
                          : fmt::format("{}: '{}' is none of the extensions of files that can be written: {}",
                                        path, extension, io::knownExtensions()),
                      "filename");
}

// How the input file stores its picture; 8 bits where there is none, or it is none of ours.
inline io::StoredKind keptKind(const native::Call& call) {
  const std::optional<Origin> origin = keptOrigin(call);
  const io::Codec* codec = origin ? io::codecIfKnown(origin->path) : nullptr;
  return codec ? onFile([&] { return codec->kind(origin->path, origin->plane, origin->read); })
               : io::StoredKind();
}

// Values in the space of the input file, for files that can't name it.
inline void checkColours(const native::Call& call, const io::FileFormat& format) {
  const std::optional<Origin> origin = anyOrigin(call);
  if (!origin || !onFile([&] { return io::ownColour(*origin); }))
    return;
  WriteOptions options;
  options.colours = origin;
  const std::string advice = "set 'profile' of the source to convert, which makes them Rec. 2020";
  if (format.codec == &io::exrCodec &&
      !io::primariesOf(onFile([&] { return io::coloursOf(options).value(); })))
    throw native::Error(
        fmt::format("{}: the colours of {} are in a profile of tables, for which OpenEXR files "
                    "have no chromaticities; {}",
                    call.path(), origin->path, advice),
        "filename");
  if (format.codec == &io::pfmCodec || format.codec == &io::npyCodec)
    call.warn(fmt::format("{}: the colours of {} stay in its own space, which {} files can't name; {}",
                          call.path(), origin->path, format.label, advice));
}

inline bool comesFromExr(const native::Call& call) {
  const std::optional<native::Call> source = call.origin();
  return source && io::codecIfKnown(source->path()) == &io::exrCodec;
}

inline void settleWriter(const native::Call& call, const std::vector<std::string>& connected,
                         const native::Settings& settings, const io::FileFormat* fixed) {
  const io::FileFormat& format = fixed ? *fixed : formatToWrite(call);
  checkExtension(call, format);
  if (!fixed) {
    settings.set("format", format.word);
    checkSetParameters(call, format, {"exr"});
    checkSingle(call, format, "input", connected);
  }
  if (format.codec == &io::pngCodec || format.codec == &io::jpegCodec)
    settleGamma(call, anyOrigin(call), settings);
  checkColours(call, format);
  const io::StoredKind kind = keptKind(call);
  const bool isWide = kind.bits > 16 || (kind.bits == 16 && !kind.isFloat);
  if (isAuto(call, "bits"))
    settings.set("bits", kind.bits == 16 && !kind.isFloat ? "16" : "8");
  if (isAuto(call, "precision"))
    settings.set("precision", isWide ? "f32" : "f16");
  if (call.has("least_alpha") && !call.isSet("least_alpha") && comesFromExr(call))
    settings.set("least_alpha", "0.01");  // leastAlpha of i-exr/colour.glsl
}

}  // namespace lacuna
