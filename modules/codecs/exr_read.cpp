#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfInputPart.h>
#include <ImfPartType.h>
#include <ImfTiledInputPart.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "modules/codecs/codec.h"
#include "modules/codecs/exr.h"
#include "modules/codecs/exr_tiles.h"
#include "modules/codecs/half_float.h"

namespace lacuna::io {
namespace {

using Imath::Box2i;

constexpr const char* label = "OpenEXR";

struct Plane {
  ValueType type;
  std::vector<ExrChannel> channels;
};

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : path_(path),
        options_(options),
        file_(soundExr(path), 0),
        channels_(channelsOf(path, file_)),
        window_(windowOf(path, file_, options.framed)),
        extent_(extentOf(window_)) {
    // Far beyond any of the compressions: a header can't promise more than the file could hold.
    constexpr uint64_t pixelsPerByte = 65536;
    checkPromise(path_, label, extent_, pixelsPerByte);
  }

  // All missing ones are reported together.
  PlaneTypes types(const std::vector<std::string>& wanted) const {
    if (isDeep())
      refuse(path_,
             "deep OpenEXR file, with a list of samples in each pixel; expected a flat one: flatten it "
             "in the program that wrote it");
    std::vector<std::string> missing;
    for (const std::string& name : wanted)
      if (const std::string layer = layerOf(options_.layers, name);
          !findExrPlane(channels_, name, options_.layers))
        missing.push_back(layer.empty() ? fmt::format("'{}' ({})", name, exrNamesOf(name))
                                        : fmt::format("'{}' in a layer '{}'", name, layer));
    if (!missing.empty())
      refuse(path_, "has no {}; its channels are {}{}", fmt::join(missing, ", no "), channelNames(),
             isLuminanceChroma() ? ", luminance and chroma of half the size, which aren't "
                                   "read: convert them to R, G, B"
                                 : "");
    PlaneTypes types;
    for (const std::string& name : wanted)
      types[name] = find(name).type;
    return types;
  }

  bool isDeep() const {  // in all parts
    for (int part = 0; part < file_.parts(); ++part)
      if (!file_.header(part).hasType() || !Imf::isDeepData(file_.header(part).type()))
        return false;
    return true;
  }

  bool isLuminanceChroma() const {
    const Imf::ChannelList& list = file_.header(0).channels();
    return list.findChannel("Y") != nullptr && list.findChannel("RY") != nullptr &&
           list.findChannel("BY") != nullptr;
  }

  Plane find(const std::string& name) const {
    const auto found = findExrPlane(channels_, name, options_.layers);
    if (!found)
      refuse(path_, "has no '{}', but the first file that was read had it", name);
    for (const ExrChannel& channel : *found)
      if (channel.subsampled)
        refuse(path_, "channel '{}' is subsampled; expected one value a pixel", channel.name);
    return {typeOf(name, *found), *found};
  }

  void read(std::span<const PlaneTarget> targets) {
    std::map<int, Frames> parts;
    for (const PlaneTarget& target : targets) {
      const Plane plane = find(target.name);
      checkTarget(path_, target, plane.type);
      if (plane.type.isArray())
        std::ranges::fill(target.destination, std::byte{0});
      addPlane(plane, target, parts);
    }
    for (const auto& [part, frames] : parts)
      Imf::InputPart(file_, part).setFrameBuffer(frames.front());
    // More rows at once keep more threads busy.
    const uint32_t most = options_.rows ? stripRows : extent_.height;
    for (uint32_t first = 0; first < extent_.height; first += most) {
      const uint32_t end = std::min(first + most, extent_.height);
      for (const PlaneTarget& target : targets)
        clear(target, first, end);
      for (const auto& [part, frames] : parts)
        readRows(part, frames, first, end);
      for (const PlaneTarget& target : targets) {
        if (isLuminance(target.name))
          spreadLuminance(target, first, end);
        if (target.name == "motion")
          convertMotion(target, first, end);
        if (isConverted(target))
          convertColour(target, first, end);
      }
      if (options_.rows)
        options_.rows(end);
    }
  }

 private:
  // The channels of a part, whose rows are read together with those of others. A channel with several
  // destinations is read as often: OpenEXR stores it in one place at a time.
  using Frames = std::vector<Imf::FrameBuffer>;

  void convertMotion(const PlaneTarget& target, uint32_t first, uint32_t end) const {
    const MotionConvention convention =
        conventionOf(options_, exrMotionConvention(channels_, find("motion").channels));
    const std::array<float, 2> factors = motionFactors(convention, extentOf(file_.header(0).displayWindow()));
    for (size_t i = size_t{2} * extent_.width * first; i < size_t{2} * extent_.width * end; ++i) {
      float value = 0;
      std::byte* at = target.destination.data() + i * sizeof(float);
      std::memcpy(&value, at, sizeof(float));
      value *= factors[i % 2] * options_.motionScale[i % 2];
      std::memcpy(at, &value, sizeof(float));
    }
  }

  std::string channelNames() const {
    std::vector<std::string> names;
    for (const ExrChannel& channel : channels_)
      names.push_back(shownName(channel));
    constexpr size_t shown = 64;
    const size_t count = names.size();
    if (count > shown) {
      names.resize(shown);
      names.push_back(fmt::format("and {} more", count - shown));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }

  bool isLuminance(const std::string& plane) const {
    return plane == "output" && find(plane).channels.size() < 3;
  }

  // Luminance lies in the first of three components.
  void spreadLuminance(const PlaneTarget& target, uint32_t first, uint32_t end) const {
    const size_t bytes = target.expected.format == Format::f16 ? 2 : 4;
    std::byte* pixel = target.destination.data() + 4 * bytes * extent_.width * first;
    for (size_t i = 0; i < size_t{extent_.width} * (end - first); ++i, pixel += 4 * bytes)
      for (const size_t c : {1, 2})
        std::memcpy(pixel + c * bytes, pixel, bytes);
  }

  ColourTag colourTag(int part) const {
    const auto found = chromaticitiesOf(file_.header(part));
    if (!options_.profile || !found || close(*found, rec709WhiteAndPrimaries))
      return ColourTag::rec709;
    return options_.own && !close(*found, rec2020WhiteAndPrimaries) ? ColourTag::own : ColourTag::rec2020;
  }

  std::optional<Chromaticities> chromaticitiesOfPlane(const std::string& plane) const {
    return chromaticitiesOf(file_.header(find(plane).channels.front().part));
  }

  bool isConverted(const PlaneTarget& target) const {
    return isColourPlane(target.name) && target.expected.colour == ColourTag::rec2020 &&
           !close(chromaticitiesOfPlane(target.name).value(), rec2020WhiteAndPrimaries);
  }

  void convertColour(const PlaneTarget& target, uint32_t firstRow, uint32_t endRow) const {
    const Chromaticities from = chromaticitiesOfPlane(target.name).value();
    const Format format = target.expected.format;
    constexpr size_t mostAtOnce = size_t{1} << 18;  // a multiple of a pixel's four
    const size_t componentBytes = format == Format::f16 ? 2 : 4, begin = size_t{4} * extent_.width * firstRow,
                 end = size_t{4} * extent_.width * endRow;
    std::vector<float> values(std::min(mostAtOnce, end - begin));
    for (size_t first = begin; first < end; first += values.size()) {
      const std::span<float> some = std::span(values).first(std::min(values.size(), end - first));
      std::byte* at = target.destination.data() + first * componentBytes;
      for (size_t i = 0; i < some.size(); ++i)
        some[i] = componentAt(at, i, format);
      convertToRec2020(from, some);
      for (size_t i = 0; i < some.size(); ++i)
        storeComponent(at + i * componentBytes, some[i], format);
    }
  }

  ValueType typeOf(const std::string& name, const std::vector<ExrChannel>& channels) const {
    const Format format = std::ranges::all_of(channels, &ExrChannel::half) ? Format::f16 : Format::f32;
    if (isColourPlane(name))
      return {Channels::rgba, format, colourTag(channels.front().part), extent_};
    const std::tuple<std::string_view, Channels, Format> data[] = {
        {"albedo", Channels::rgb, format},       {"normal", Channels::normal, format},
        {"depth", Channels::depth, Format::f32}, {"motion", Channels::mv, Format::f32},
        {"gradient", Channels::any2, format},    {"moments", Channels::any2, Format::f32},
        {"id", Channels::y, Format::u32}};
    for (const auto& [plane, components, stored] : data)
      if (name == plane)
        return {components, stored, ColourTag::data, extent_};
    const uint64_t count = channels.size() * uint64_t{extent_.width} * extent_.height;
    if (count > maximumPixels)
      refuse(path_, "a histogram of {} x {} x {} values, but at most {} are allowed", extent_.width,
             extent_.height, channels.size(), maximumPixels);
    return {Channels::y, Format::f32, ColourTag::data, extent_, static_cast<uint32_t>(count)};
  }

  // OpenEXR stores each channel in its place, and converts it.
  void addPlane(const Plane& plane, const PlaneTarget& target, std::map<int, Frames>& parts) const {
    const ValueType& type = plane.type;
    const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
    const size_t componentBytes = type.format == Format::f16 ? 2 : 4;
    const size_t planeBytes = type.isArray() ? size_t{4} * extent_.width * extent_.height : componentBytes;
    const size_t stepBytes = planeBytes * (isLuminance(target.name) ? 3 : 1);  // of luminance to alpha
    std::byte* place = target.destination.data();
    for (const ExrChannel& channel : plane.channels) {
      Frames& frames = parts[channel.part];
      const auto isFree = [&](const Imf::FrameBuffer& frame) { return !frame.findSlice(channel.name); };
      auto frame = std::ranges::find_if(frames, isFree);
      if (frame == frames.end())
        frame = frames.emplace(frame);
      frame->insert(channel.name, Imf::Slice::Make(pixelType(type.format), place, window_.min, extent_.width,
                                                   extent_.height, pixelBytes, pixelBytes * extent_.width));
      place += stepBytes;
    }
  }

  // Pixels that no channel covers are 0, and colour there is opaque.
  void clear(const PlaneTarget& target, uint32_t first, uint32_t end) const {
    const ValueType& type = target.expected;
    if (type.isArray())
      return;
    const size_t pixelBytes = bytesPerPixel(type.channels, type.format);
    const size_t rowBytes = pixelBytes * extent_.width;
    std::byte* rows = target.destination.data() + first * rowBytes;
    std::fill_n(rows, (end - first) * rowBytes, std::byte{0});
    if (isColourPlane(target.name) && find(target.name).channels.size() % 2 == 1)
      for (size_t pixel = 0; pixel < size_t{end - first} * extent_.width; ++pixel)
        storeComponent(rows + pixel * pixelBytes + pixelBytes / 4 * 3, 1.0F, type.format);
  }

  // Rows of the picture that the part has.
  void readRows(int index, const Frames& frames, uint32_t begin, uint32_t end) {
    Imf::InputPart part(file_, index);
    const Box2i data = part.header().dataWindow();
    const int64_t top = window_.min.y;
    const int first = static_cast<int>(std::max<int64_t>(data.min.y, top + begin));
    const int last = static_cast<int>(std::min<int64_t>(data.max.y, top + end - 1));
    if (first > last)
      return;
    for (const Imf::FrameBuffer& frame : frames) {
      if (frames.size() > 1)
        part.setFrameBuffer(frame);
      part.readPixels(first, last);
    }
  }

  const std::string& path_;
  const ReadOptions& options_;
  Imf::MultiPartInputFile file_;
  std::vector<ExrChannel> channels_;
  Box2i window_;
  Extent extent_;
};

PlaneTypes probe(const std::string& path, const std::vector<std::string>& wanted,
                 const ReadOptions& options) {
  return guarded(path, [&] {
    return Reader(path, options).types(wanted.empty() ? std::vector<std::string>{"output"} : wanted);
  });
}

void read(const std::string& path, std::span<const PlaneTarget> targets, const ReadOptions& options) {
  guarded(path, [&] { Reader(path, options).read(targets); });
}

StoredKind kind(const std::string& path, const std::string& name, const ReadOptions& options) {
  return guarded(path, [&] {
    const Plane plane = Reader(path, options).find(name);
    const size_t count = plane.channels.size();
    return StoredKind{std::ranges::all_of(plane.channels, &ExrChannel::half) ? 16 : 32, true,
                      isColourPlane(name) && count <= 2, isColourPlane(name) && count % 2 == 0};
  });
}

// Each part's last row, compressed, or its last tile.
void checkLastRows(const std::string& path) {
  guarded(
      path,
      [&] {
        Imf::MultiPartInputFile file(path.c_str(), 0);
        for (int i = 0; i < file.parts(); ++i) {
          if (!file.partComplete(i))
            refuse(path, "it breaks off");
          const Imf::Header& header = file.header(i);
          if (isTiled(header) && header.channels().begin() != header.channels().end()) {
            Imf::TiledInputPart part(file, i);
            const int x = part.numXLevels() - 1, y = part.numYLevels() - 1;
            const int column = part.numXTiles(x) - 1, row = part.numYTiles(y) - 1;
            const ExrPixels last = exrPixels(header.channels(), {header.channels().begin().name()},
                                             part.dataWindowForTile(column, row, x, y));
            part.setFrameBuffer(last.frame);
            part.readTile(column, row, x, y);
          } else if (!header.hasType() || header.type() == Imf::SCANLINEIMAGE) {
            const char* row = nullptr;
            int bytes = 0;
            Imf::InputPart(file, i).rawPixelData(header.dataWindow().max.y, row, bytes);
          }
        }
      },
      "");
}

// The metadata of the part with the colour, without its attributes, which the writer keeps.
Metadata metadata(const std::string& path, const ReadOptions&) {
  return guarded(path, [&] {
    const Imf::MultiPartInputFile file(soundExr(path), 0);
    const auto colour = findExrPlane(channelsOf(path, file), "output");
    Metadata metadata;
    metadata.colour.whiteAndPrimaries = chromaticitiesOf(file.header(colour ? colour->front().part : 0));
    return metadata;
  });
}

}  // namespace

using namespace std::string_view_literals;

const Codec exrCodec{
    .name = "exr",
    .label = label,
    .extensions = {".exr"},
    .signatures = {"\x76\x2f\x31\x01"sv},
    .holds = Holds::planes,
    .readingParameters = {"profile", "motion", "motion_scale", "motion_layer", "output", "direct", "indirect",
                          "albedo", "normal", "depth", "gradient", "id", "moments"},
    .writingParameters = {"precision", "exr_compression"},
    .writesRows = true,
    .probe = probe,
    .read = read,
    .write = writeExr,
    .kind = kind,
    .metadata = metadata,
    .checkEnd = checkLastRows,
    .describe = describeExr,
};

}  // namespace lacuna::io
