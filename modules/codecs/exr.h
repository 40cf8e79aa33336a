#pragma once
// Inside modules/codecs: the header of an OpenEXR file, and the parts of writing one: the file that a picture
// comes from (its attributes, the names of its channels, and those that are copied), names of channels, Exif
// data as attributes.

#include <ImathBox.h>
#include <ImfHeader.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPixelType.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modules/codecs/codec.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna::io {

extern const Codec exrCodec;

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
void describeExr(const std::string& path, const ReadOptions& options, ImageInfo& info);

// The name of the file for OpenEXR, each time that it opens one, after the attributes of its headers are
// checked: OpenEXR allocates the promised size, up to 2 GB, before it finds the file shorter. Throws
// FileError for irregular files, and if an attribute takes more bytes than the rest of the file.
// https://openexr.com/en/latest/OpenEXRFileLayout.html
const char* soundExr(const std::string& path);

void writeExr(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options);

class ExrOrigin {
 public:
  explicit ExrOrigin(const Origin& origin);  // throws FileError, and what OpenEXR throws

  int parts() const { return file_.parts(); }
  int mainPart() const { return mainPart_; }  // with the colour
  // The pixels of a picture of this size that was read from the file; none if it has another size.
  std::optional<Imath::Box2i> windowFor(Extent extent) const;

  // The attributes of a part, without those about the storage of its channels.
  Imf::Header attributes(int part) const;

  // The channels of a plane, in the order of its components; empty if it has none. Motion is converted when
  // it is read, so its own channels are also kept.
  std::vector<ExrChannel> channelsOf(const std::string& plane) const;
  std::vector<ExrChannel> channels(int part) const;

  const Imf::Header& header(int part) const { return file_.header(part); }
  Imf::MultiPartInputFile& file() { return file_; }

 private:
  Origin origin_;
  Imf::MultiPartInputFile file_;
  std::vector<ExrChannel> channels_;
  int mainPart_ = 0;
};

// A copy without these attributes. (Imf::Header::erase() leaks them in OpenEXR 3.1.)
Imf::Header headerWithout(const Imf::Header& header, const std::set<std::string>& names);

inline Imf::PixelType pixelType(Format format) {
  return format == Format::f16 ? Imf::HALF : format == Format::f32 ? Imf::FLOAT : Imf::UINT;
}
std::string compressionName(Imf::Compression compression);
// "auto", "zip", ...: the compression of a file whose origin, if any, has this one.
Imf::Compression compressionNamed(const std::string& word, const Imf::Header* origin);

// A channel to be written, and its component in the plane's pixels.
struct ExrTarget {
  int part = 0;
  std::string name;
  size_t component = 0;
};

struct ExrPlaneNames {
  std::vector<ExrTarget> channels;
  bool isSingle = false;  // written as float, even if the value is half
};

// The origin's names, if it has the plane; else (and with null) those that i-exr finds first, in part
// `mainPart`. Alpha is written if some pixel is not opaque or the origin has it; a picture that is still grey
// stays one channel. `inRows`: pixels are not there yet, so it is taken as opaque, and as grey if the origin
// is. Throws FileError for planes that such files can't hold.
ExrPlaneNames exrNamesFor(const std::string& path, const NamedImage& image, const ExrOrigin* origin,
                          int mainPart, bool inRows);
// Whether these channels hold the whole pixels of a picture or of its rows, so that neither alpha nor colour
// is left out.
bool holdsAll(const ExrPlaneNames& names, const NamedImage& image);

// "input" is what a sink calls the plane "output".
std::string exrPlaneOf(const NamedImage& image);

// By OpenImageIO's names and types: Make, expTime, aperture, Exif:FocalLength, GPS:Latitude. Makers' notes
// and other bytes without a meaning are left out.
void addExif(Imf::Header& header, std::span<const std::byte> exif);

}  // namespace lacuna::io
