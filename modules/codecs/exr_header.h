#pragma once
// The content of an OpenEXR file's header, beside pixels: its channels and the sizes that it promises.

#include <ImathBox.h>
#include <ImfMultiPartInputFile.h>

#include <string>
#include <vector>

#include "modules/codecs/codec.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna::io {

Extent extentOf(const Imath::Box2i& box);  // at most maximumSide
uint64_t widthOf(const Imath::Box2i& box);
uint64_t heightOf(const Imath::Box2i& box);

// The pixels of the picture, from 0 on in memory; see ReadOptions::framed. Throws FileError for sizes above
// the limits.
Imath::Box2i windowOf(const std::string& path, const Imf::MultiPartInputFile& file, bool framed);

// For all parts except deep ones, whose samples are lists. Throws FileError for sizes above the limits.
std::vector<ExrChannel> channelsOf(const std::string& path, const Imf::MultiPartInputFile& file);

// OpenEXR throws its own exceptions; `work` may throw them. Throws FileError, whose text has `what` before
// theirs.
template <class Work>
auto guarded(const std::string& path, Work work, const char* what = "damaged OpenEXR file: ") {
  try {
    return work();
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    refuse(path, "{}{}", what, error.what());
  }
}

std::optional<Chromaticities> chromaticitiesOf(const Imf::Header& header);

std::string shownName(const ExrChannel& channel);  // with its part's name: "albedo.R"

// All of ImageInfo but codec and format. Throws FileError.
void describeExr(const std::string& path, const ExrLayers& layers, ImageInfo& info);

// The name of the file for OpenEXR, each time that it opens one, after the attributes of its headers are
// checked: OpenEXR allocates the promised size, up to 2 GB, before it finds the file shorter. Throws
// FileError for irregular files, and if an attribute takes more bytes than the rest of the file.
// https://openexr.com/en/latest/OpenEXRFileLayout.html
const char* soundExr(const std::string& path);

}  // namespace lacuna::io
