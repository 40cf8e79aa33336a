#pragma once
// What an OpenEXR file's header says, beside pixels: its channels and the sizes that it promises.

#include <ImathBox.h>
#include <ImfMultiPartInputFile.h>

#include <string>
#include <vector>

#include "modules/codecs/codec.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna::io {

uint64_t widthOf(const Imath::Box2i& box);
uint64_t heightOf(const Imath::Box2i& box);

// Of all parts but deep ones, whose samples are lists. Throws FileError for sizes above the limits.
std::vector<ExrChannel> channelsOf(const std::string& path, const Imf::MultiPartInputFile& file);

// OpenEXR reports by exceptions of its own; `work` may throw them. Throws FileError.
template <class Work>
auto guarded(const std::string& path, Work work) {
  try {
    return work();
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(path + ": damaged OpenEXR file: " + error.what());
  }
}

std::optional<Chromaticities> chromaticitiesOf(const Imf::Header& header);

std::string shownName(const ExrChannel& channel);  // with its part's name: "albedo.R"

// All of ImageInfo but codec and format. Throws FileError.
void describeExr(const std::string& path, const ExrLayers& layers, ImageInfo& info);

// The name of the file for OpenEXR, each time that it opens one, when the attributes of its headers are
// checked: OpenEXR allocates what one promises, up to 2 GB, before it finds the file shorter. Throws
// FileError for what is not a regular file, and where an attribute takes more bytes than the file has behind
// it. https://openexr.com/en/latest/OpenEXRFileLayout.html
const char* soundExr(const std::string& path);

}  // namespace lacuna::io
