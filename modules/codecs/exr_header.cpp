#include "modules/codecs/exr_header.h"

#include <ImfChannelList.h>
#include <ImfHeader.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include "modules/codecs/codec.h"

namespace lacuna::io {

uint64_t widthOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.x} - box.min.x + 1);
}

uint64_t heightOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.y} - box.min.y + 1);
}

std::vector<ExrChannel> channelsOf(const std::string& path, const Imf::MultiPartInputFile& file) {
  std::vector<ExrChannel> channels;
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    checkSize(path, widthOf(header.dataWindow()), heightOf(header.dataWindow()));
    if (header.hasType() && Imf::isDeepData(header.type()))
      continue;
    const std::string partName = header.hasName() ? header.name() : "";
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
      ExrChannel channel = exrChannel(part, partName, file.parts() > 1, it.name());
      channel.half = it.channel().type == Imf::HALF;
      channel.subsampled = it.channel().xSampling != 1 || it.channel().ySampling != 1;
      channels.push_back(channel);
    }
  }
  constexpr size_t most = 65536;  // the widest histograms have some hundred
  if (channels.size() > most)
    throw FileError(
        fmt::format("{}: {} channels, but a file may have {} at most", path, channels.size(), most));
  return channels;
}

std::optional<Chromaticities> chromaticitiesOf(const Imf::Header& header) {
  if (!Imf::hasChromaticities(header))
    return std::nullopt;
  const Imf::Chromaticities& c = Imf::chromaticities(header);
  return Chromaticities{c.white.x, c.white.y, c.red.x, c.red.y, c.green.x, c.green.y, c.blue.x, c.blue.y};
}

std::string shownName(const ExrChannel& channel) {
  return channel.topLevel && !channel.group.empty() ? channel.group + "." + channel.name : channel.name;
}

}  // namespace lacuna::io
