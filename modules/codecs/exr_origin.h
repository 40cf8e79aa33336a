#pragma once
// The OpenEXR file that a picture comes from: its attributes, the names of its channels, and the channels
// that are copied into the written file. Inside modules/codecs.

#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfMultiPartInputFile.h>

#include <optional>
#include <set>
#include <vector>

#include "modules/codecs/exr_channels.h"
#include "modules/codecs/image_file.h"

namespace lacuna::io {

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

// Whether the compression is lossless.
bool isLossless(Imf::Compression compression);
// "auto", "zip", ...: the compression of a file whose origin, if any, has this one.
Imf::Compression compressionNamed(const std::string& word, const Imf::Header* origin);

// Channels of a part in strips of rows, to be written into another file with the same data window.
class ExrCopy {
 public:
  ExrCopy(Imf::MultiPartInputFile& file, int part, const std::vector<std::string>& names);

  // Reads rows `first` to `last` and adds their slices. They are valid until the next call.
  void addRows(int first, int last, Imf::FrameBuffer& frame);

 private:
  Imf::MultiPartInputFile& file_;
  int part_;
  std::vector<std::string> names_;
  std::vector<std::vector<char>> strips_;  // a channel each
};

}  // namespace lacuna::io
