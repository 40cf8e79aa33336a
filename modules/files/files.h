#pragma once
// The native code of i-file, o-file and their aliases: files by the codecs of modules/codecs.

#include <optional>
#include <string>
#include <vector>

#include "modules/codecs/codec.h"
#include "shared/native.h"

namespace lacuna {

// Mistakes of a file are reported where it is named.
template <typename Function>
decltype(auto) onFile(Function function) {
  try {
    return function();
  } catch (const FileError& error) {
    throw native::Error(error.what(), "filename");
  }
}

// Properties of an input file beside its picture; nothing if it has a mistake, which probing reports.
template <class Function>
auto unlessDamaged(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const FileError&) {
    return {};
  }
}

// Parameters `orientation`, `profile`, `encoding`, `channels`, `colour`, `motion`, `motion_scale` and the
// layers of planes, if the module has them.
ReadOptions readOptions(const native::Call& call);

Origin originOf(const native::Call& source, const std::string& plane);
std::optional<Origin> anyOrigin(const native::Call& call);   // the file that a sink's picture comes from
std::optional<Origin> keptOrigin(const native::Call& call);  // the same, if some of its data is to be kept

// The parameters that are set before nodes are made: `format` and `holds`, by the file's content or its name,
// and the parameters whose default follows from the file.
void settleSource(const native::Call& call, const std::vector<std::string>& connected,
                  const native::Settings& settings);
void settleSink(const native::Call& call, const std::vector<std::string>& connected,
                const native::Settings& settings);

// ---- what both settle ----

bool isAuto(const native::Call& call, const char* parameter);
// The codec that `format` names; null for auto. Throws native::Error.
const io::Codec* askedCodec(const native::Call& call);
void setFormat(const io::Codec& codec, io::Holds holds, const native::Settings& settings);

// Parameters that are set, but are not for files of the format. `list`: those of each codec.
using ParameterList = std::vector<std::string_view> io::Codec::*;
void checkSetParameters(const native::Call& call, const io::Codec& codec, ParameterList list);
// The parameter for OpenEXR files' compression: in o-exr, which has no other, `compression`.
const char* exrCompression(const native::Call& call);
// Connectors other than `only`, for files that hold one image.
void checkSingle(const native::Call& call, const io::Codec& codec, const char* only,
                 const std::vector<std::string>& connected);
// Values in the file's own space are decoded by a power that is close to its profile's curve.
void settleGamma(const native::Call& call, const std::optional<Origin>& file,
                 const native::Settings& settings);
// Throws FileError if this frame's file has another curve than that which was settled by the first.
void checkCurve(const native::Call& call);

}  // namespace lacuna
