#include "modules/codecs/exr_header.h"

#include <ImfChannelList.h>
#include <ImfHeader.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/config/text.h"
#include "modules/codecs/codec.h"

namespace lacuna::io {

Extent extentOf(const Imath::Box2i& box) {
  return {static_cast<uint32_t>(widthOf(box)), static_cast<uint32_t>(heightOf(box))};
}

uint64_t widthOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.x} - box.min.x + 1);
}

uint64_t heightOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.y} - box.min.y + 1);
}

Imath::Box2i windowOf(const std::string& path, const Imf::MultiPartInputFile& file, bool framed) {
  Imath::Box2i window;
  if (framed)
    window = file.header(0).displayWindow();
  for (int part = 0; part < file.parts(); ++part)
    window.extendBy(file.header(part).dataWindow());
  checkSize(path, widthOf(window), heightOf(window));
  return window;
}

namespace {

// A part's view, or those that its channels' names may have.
std::vector<std::string> viewsOf(const Imf::Header& header) {
  if (header.hasView())
    return {header.view()};
  return Imf::hasMultiView(header) ? Imf::multiView(header) : std::vector<std::string>();
}

}  // namespace

std::vector<ExrChannel> channelsOf(const std::string& path, const Imf::MultiPartInputFile& file) {
  std::vector<ExrChannel> channels;
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    checkSize(path, widthOf(header.dataWindow()), heightOf(header.dataWindow()));
    if (header.hasType() && Imf::isDeepData(header.type()))
      continue;
    const std::string partName = header.hasName() ? header.name() : "";
    const std::vector<std::string> views = viewsOf(header);
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
      ExrChannel channel = exrChannel(part, partName, file.parts() > 1, it.name(), views);
      channel.half = it.channel().type == Imf::HALF;
      channel.subsampled = it.channel().xSampling != 1 || it.channel().ySampling != 1;
      channels.push_back(channel);
    }
  }
  constexpr size_t most = 65536;  // the widest histograms have some hundred
  if (channels.size() > most)
    refuse(path, "{} channels, but a file may have {} at most", channels.size(), most);
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

namespace {

constexpr size_t longestName = 255;

// Up to its zero byte. Empty at the end of a header, and at the file's end.
std::string readName(std::FILE* file) {
  std::string name;
  for (int letter = std::getc(file); letter > 0 && name.size() <= longestName; letter = std::getc(file))
    name += static_cast<char>(letter);
  return name;
}

uint32_t readSize(std::FILE* file) {
  uint32_t size = 0;
  for (int shift = 0; shift < 32; shift += 8)
    size |= static_cast<uint32_t>(std::getc(file) & 0xff) << shift;
  return size;
}

// OpenEXR ignores the size that a file states for these, and continues behind them. For others it reads the
// size.
const std::map<uint32_t, std::set<std::string>> typesOfSize = {
    {1, {"compression", "deepImageState", "envmap", "lineOrder"}},
    {4, {"float", "int"}},
    {8, {"double", "rational", "timecode", "v2i", "v2f"}},
    {9, {"tiledesc"}},
    {12, {"v3i", "v3f"}},
    {16, {"box2i", "box2f", "v2d"}},
    {24, {"v3d"}},
    {28, {"keycode"}},
    {32, {"chromaticities"}},
    {36, {"m33f"}},
    {64, {"m44f"}},
    {72, {"m33d"}},
    {128, {"m44d"}}};

// The part of an attribute beginning here that OpenEXR reads.
uint64_t bytesRead(std::FILE* file, const std::string& type, uint32_t size) {
  for (const auto& [bytes, types] : typesOfSize)
    if (types.contains(type))
      return bytes;
  if (type == "preview") {
    const uint64_t width = readSize(file);
    return 8 + 4 * width * readSize(file);
  }
  if (type != "chlist")
    return size;
  constexpr long channel = 16;  // behind its name
  const long from = std::ftell(file);
  while (!readName(file).empty())
    std::fseek(file, channel, SEEK_CUR);
  return static_cast<uint64_t>(std::ftell(file) - from);
}

// False if it has no attributes, which ends a list of headers.
bool checkHeader(const std::string& path, std::FILE* file, uint64_t bytes) {
  bool any = false;
  for (std::string name = readName(file); !name.empty(); name = readName(file)) {
    any = true;
    const std::string type = readName(file);
    const uint32_t size = readSize(file);
    const long at = std::ftell(file);
    const auto left = bytes - std::min<uint64_t>(static_cast<uint64_t>(at), bytes);
    // OpenEXR reports the rest of a truncated file, and names that are too long.
    if (std::feof(file) != 0 || name.size() > longestName)
      return false;
    if (size > left)
      refuse(path, "damaged OpenEXR file: attribute {} takes {} bytes, but {} are left",
             quote(printable(name)), size, left);
    if (const uint64_t read = bytesRead(file, type, size); read != size)
      refuse(path, "damaged OpenEXR file: attribute {} takes {} bytes, but its content {}",
             quote(printable(name)), size, read);
    std::fseek(file, at + static_cast<long>(size), SEEK_SET);
  }
  return any;
}

}  // namespace

const char* soundExr(const std::string& path) {
  const File opened = openToRead(path);
  std::FILE* file = opened.get();
  constexpr long flags = 5, firstHeader = 8;  // in the version, and behind it
  constexpr int multiPart = 0x10;
  std::fseek(file, flags, SEEK_SET);
  const bool hasParts = (std::getc(file) & multiPart) != 0;
  std::fseek(file, firstHeader, SEEK_SET);
  const uint64_t bytes = fileBytes(path);
  while (checkHeader(path, file, bytes) && hasParts) {
  }
  return path.c_str();
}

}  // namespace lacuna::io
