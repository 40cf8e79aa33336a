#include <fmt/format.h>

#include <filesystem>

#include "files/files.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/icc.h"
#include "modules/codecs/kept.h"

namespace lacuna {
namespace {

// The name of a sink's file determines what readers expect.
void checkExtension(const native::Call& call, const io::Codec& codec) {
  const std::string path = call.path(), extension = io::extensionOf(path);
  if (path == standardStream || extension.empty() || codec.hasExtension(extension))
    return;
  const std::string found =
      fmt::format("{}: {} would be written, but the name ends with '{}'", path, codec.label, extension);
  const std::string expected = fmt::format("expected '{}'", codec.extensions.front());
  const io::Codec* other = io::codecOfExtension(extension);
  if (other == nullptr)
    throw native::Error(fmt::format("{}; {}, or no extension", found, expected), "filename");
  const std::string own = fmt::format("o-{}", other->name);
  const bool exists = std::filesystem::exists(std::filesystem::path(call.moduleFolder()) / ".." / own);
  throw native::Error(
      fmt::format("{}; {}, or the module {}o-file, which writes all", found, expected,
                  exists ? fmt::format("{}, which writes {} files, or ", own, other->label) : ""),
      "filename");
}

const io::Codec& codecToWrite(const native::Call& call) {
  if (const io::Codec* asked = askedCodec(call))
    return *asked;
  const std::string path = call.path(), extension = io::extensionOf(path);
  if (path == standardStream) {
    if (const auto origin = call.origin())
      return onFile([&]() -> const io::Codec& { return io::codecOfContent(origin->path()); });
    throw native::Error(
        fmt::format("standard output: no input file determines the format; set 'format' to {}",
                    io::knownFormats()),
        "filename");
  }
  if (const io::Codec* named = io::codecOfExtension(extension))
    return *named;
  throw native::Error(extension.empty()
                          ? fmt::format("{}: the name has no extension; expected one of {}, or set 'format'",
                                        path, io::knownExtensions())
                          : fmt::format("{}: '{}' is not an extension of files that can be written: {}", path,
                                        extension, io::knownExtensions()),
                      "filename");
}

// The pixel format of the input file; 8 bits if there is none, or it is unknown.
io::StoredKind keptKind(const native::Call& call) {
  const std::optional<Origin> origin = keptOrigin(call);
  const io::Codec* codec = origin ? io::codecIfKnown(origin->path) : nullptr;
  return codec ? unlessDamaged([&] { return codec->kind(origin->path, origin->plane, origin->read); })
               : io::StoredKind();
}

// Values in the space of the input file, for files that can't name it.
void checkColours(const native::Call& call, const io::Codec& codec) {
  const std::optional<Origin> origin = anyOrigin(call);
  if (!origin || !unlessDamaged([&] { return io::ownColour(*origin); }))
    return;
  WriteOptions options;
  options.colours = origin;
  const io::ColourDescription colours = onFile([&] { return io::coloursOf(options).value(); });
  const bool isPng = codec.name == std::string_view("png");
  if (!colours.codePoints.empty() && !isPng && (codec.metadata != nullptr || !codec.isEncoded()))
    throw native::Error(
        fmt::format("{}: the colours of {} are {}, which only PNG files can state; write a PNG file, or set "
                    "'profile' of the source to ignore, which takes them as sRGB",
                    call.path(), origin->path, io::cicpName(colours.codePoints)),
        "filename");
  const std::string advice = "set 'profile' of the source to convert, which makes them Rec. 2020";
  if (codec.holds == io::Holds::planes && !io::primariesOf(colours))
    throw native::Error(
        fmt::format("{}: the colours of {} are in a profile of tables, for which OpenEXR files "
                    "have no chromaticities; {}",
                    call.path(), origin->path, advice),
        "filename");
  if (codec.metadata == nullptr)
    call.warn(fmt::format("{}: the colours of {} stay in its own space, which {} files can't state; {}",
                          call.path(), origin->path, codec.label, advice));
}

void warnOfAlpha(const native::Call& call, const io::Codec& codec) {
  if (codec.holds == io::Holds::opaque || codec.holds == io::Holds::floats)
    call.warn(
        fmt::format("{}: {} files have no alpha, but the input file has: transparent pixels become black",
                    call.path(), codec.label));
}

// What is chosen with `bits`, or follows from the input file: floats, for formats that hold both.
bool writesFloats(const native::Call& call, const io::Codec& codec, const io::StoredKind& kind) {
  const std::string bits = call.has("bits") ? call.word("bits") : "auto";
  const bool isAsked = bits == "half" || bits == "float";
  if (isAsked && !codec.holdsFloats)
    throw native::Error(fmt::format("{}: 'bits' is {}, but {} files hold no floats; expected auto, 8 or 16",
                                    call.path(), bits, codec.label),
                        "bits");
  return codec.holdsFloats && (isAsked || (bits == "auto" && kind.isFloat));
}

// A conversion to fewer bits that nobody has asked for. A raw photograph is developed, not converted.
void warnOfBits(const native::Call& call, const io::Codec& codec, const io::StoredKind& kind) {
  const std::optional<Origin> origin = keptOrigin(call);
  const io::Codec* read = origin ? io::codecIfKnown(origin->path) : nullptr;
  const bool isDeveloped = read != nullptr && read->holds == io::Holds::mosaic;
  const bool isAsked = isDeveloped || (call.has("bits") && !isAuto(call, "bits"));
  if (codec.isEncoded() && kind.isWide() && kind.bits > codec.mostBits && !isAsked)
    call.warn(fmt::format("{}: {} files have {} bits a component at most, but the input file has {}",
                          call.path(), codec.label, codec.mostBits, kind.bits));
}

}  // namespace

void settleSink(const native::Call& call, const std::vector<std::string>& connected,
                const native::Settings& settings) {
  const io::Codec& codec = codecToWrite(call);
  checkExtension(call, codec);
  const io::StoredKind kind = keptKind(call);
  const bool isFloat = writesFloats(call, codec, kind);
  setFormat(codec, isFloat ? io::Holds::planes : codec.holds, settings);
  if (call.has("largest_side"))
    settings.set("largest_side", std::to_string(codec.largestSide));
  checkSetParameters(call, codec, &io::Codec::writingParameters);
  checkSingle(call, codec, "input", connected);
  if (codec.isEncoded() && !isFloat)
    settleGamma(call, anyOrigin(call), settings);
  checkColours(call, codec);
  if (kind.alpha)
    warnOfAlpha(call, codec);
  warnOfBits(call, codec, kind);
  const bool isHalf =
      isFloat && !isAuto(call, "bits") ? call.word("bits") == "half" : kind.bits <= 16 && !kind.isWide();
  if (isAuto(call, "bits"))
    settings.set("bits", kind.isWide() && codec.mostBits > 8 ? "16" : "8");
  if (isAuto(call, "precision"))
    settings.set("precision", isHalf ? "f16" : "f32");
}

}  // namespace lacuna
