
#include <ImfChannelList.h>
#include <ImfDeepScanLineInputPart.h>
#include <ImfDeepScanLineOutputPart.h>
#include <ImfDeepTiledInputPart.h>
#include <ImfDeepTiledOutputPart.h>
#include <ImfInputPart.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfTiledInputPart.h>
#include <ImfTiledOutputFile.h>
#include <ImfTiledOutputPart.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>

#include "modules/codecs/exr.h"
#include "modules/codecs/exr_tiles.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

using Imath::Box2i;

// The size of all planes: that of the first image, or of the planes of a histogram.
Extent extentOf(const std::string& path, const std::vector<NamedImage>& planes) {
  for (const bool arrays : {false, true})
    for (const NamedImage& image : planes)
      if (image.type.isArray() == arrays && image.type.extent.width > 0)
        return image.type.extent;
  refuse(path, "a histogram alone doesn't state the picture's size");
}

void checkPlane(const std::string& path, const NamedImage& image, const Extent& extent) {
  checkPixels(path, image);
  if (image.type.format != Format::f16 && image.type.format != Format::f32 &&
      image.type.format != Format::u32)
    refuse(path, "'{}' is {}, but an OpenEXR file is written from f16, f32 or u32", image.name,
           print(image.type));
  if (!(image.type.extent == extent))
    refuse(path, "'{}' has {} x {} pixels, but the first plane has {} x {}", image.name,
           image.type.extent.width, image.type.extent.height, extent.width, extent.height);
}

// The number of channels of an array of whole images.
uint64_t channelCount(const std::string& path, const NamedImage& image, const Extent& extent) {
  const uint64_t pixels = uint64_t{extent.width} * extent.height, count = image.type.arrayCount;
  if (image.name != "histogram" || image.type.channels != Channels::y || image.type.format != Format::f32)
    refuse(path, "an OpenEXR file can't take {} as '{}'", print(image.type), image.name);
  if (image.type.isPlanes() && !(image.type.extent == extent))
    refuse(path, "'{}' has planes of {} x {} pixels, but the picture has {} x {}", image.name,
           image.type.extent.width, image.type.extent.height, extent.width, extent.height);
  if (image.pixels.size() < byteSize(image.type))
    refuse(path, "'{}' has {} bytes, but {} needs {}", image.name, image.pixels.size(), print(image.type),
           byteSize(image.type));
  if (count % pixels != 0)
    refuse(path,
           "'histogram' has {} numbers, but {} x {} pixels need a multiple of {}, one for each pixel and bin",
           count, extent.width, extent.height, pixels);
  return count / pixels;
}

// The origin if it is an OpenEXR file.
std::unique_ptr<ExrOrigin> originOf(const WriteOptions& options) {
  if (!options.origin || codecIfKnown(options.origin->path) != &exrCodec)
    return nullptr;
  return std::make_unique<ExrOrigin>(*options.origin);
}

// One part of the file: planes in memory, and channels of the origin.
struct PartPlan {
  Imf::Header header;
  Imf::FrameBuffer frame;
  std::vector<std::string> copied;
  bool isOwn = false;  // whether it contains planes; else it is the origin's, unchanged
};

template <class OriginPart, class Part>
void copyPart(Imf::MultiPartInputFile& from, Imf::MultiPartOutputFile& to, int index) {
  OriginPart origin(from, index);
  Part(to, index).copyPixels(origin);
}

// Compressed blocks of a part.
void copyPart(Imf::MultiPartInputFile& from, Imf::MultiPartOutputFile& to, int index) {
  const std::string& type = from.header(index).type();
  if (type == Imf::TILEDIMAGE)
    copyPart<Imf::TiledInputPart, Imf::TiledOutputPart>(from, to, index);
  else if (type == Imf::DEEPSCANLINE)
    copyPart<Imf::DeepScanLineInputPart, Imf::DeepScanLineOutputPart>(from, to, index);
  else if (type == Imf::DEEPTILE)
    copyPart<Imf::DeepTiledInputPart, Imf::DeepTiledOutputPart>(from, to, index);
  else
    copyPart<Imf::InputPart, Imf::OutputPart>(from, to, index);
}

class Writer {
 public:
  Writer(const std::string& path, const std::vector<NamedImage>& planes, const WriteOptions& options)
      : path_(path),
        options_(options),
        rows_(options.rows),
        extent_(extentOf(path, planes)),
        origin_(originOf(options)) {
    const int width = static_cast<int>(extent_.width), height = static_cast<int>(extent_.height);
    const std::optional<Box2i> window = origin_ ? origin_->windowFor(extent_) : std::nullopt;
    keepsWindows_ = window.has_value();
    window_ = window.value_or(Box2i({0, 0}, {width - 1, height - 1}));
    keepsLayers_ = keepsWindows_ && options.keepsLayers && options.origin->plane == "output";
    makeParts();
    for (const NamedImage& image : planes)
      if (image.type.isArray())
        addHistogram(image);
      else
        addImage(image);
    if (keepsLayers_)
      addCopies();
    else if (origin_ && options.keepsLayers && !keepsWindows_)
      complainOfLayers();
    if (std::ranges::count_if(parts_, &PartPlan::isOwn) > 1)
      awaitAll();
  }

  void write(const std::string& part) {
    if (parts_.size() == 1) {
      const Imf::Header& header = parts_.front().header;
      if (header.hasTileDescription())
        writeTiles(Imf::TiledOutputFile(part.c_str(), header, 0), 0);
      else
        writeLines(Imf::OutputFile(part.c_str(), header, 0), 0);
      return;
    }
    std::vector<Imf::Header> headers;
    for (const PartPlan& plan : parts_)
      headers.push_back(plan.header);
    Imf::MultiPartOutputFile file(part.c_str(), headers.data(), static_cast<int>(headers.size()), true, 0);
    for (size_t i = 0; i < parts_.size(); ++i) {
      const int index = static_cast<int>(i);
      if (!parts_[i].isOwn)
        copyPart(origin_->file(), file, index);
      else if (isTiled(parts_[i].header))
        writeTiles(Imf::TiledOutputPart(file, index), index);
      else
        writeLines(Imf::OutputPart(file, index), index);
    }
  }

 private:
  // Parts are written one after the other, so two need the whole picture.
  void awaitAll() {
    if (rows_)
      rows_(extent_.height);
    rows_ = {};
  }

  void awaitRows(uint32_t first, uint32_t end) {
    rows_(end);
    for (const auto& [names, image] : named_)
      if (!holdsAll(names, rowsOf(image, first, end)))
        rows_(0);
  }

  void makeParts() {
    const int count = keepsLayers_ ? origin_->parts() : 1;
    mainPart_ = count > 1 ? origin_->mainPart() : 0;
    for (int part = 0; part < count; ++part)
      parts_.push_back({Imf::Header(window_, window_), {}, {}, false});
    if (count > 1)
      for (int part = 0; part < count; ++part)
        parts_[static_cast<size_t>(part)].header = origin_->header(part);
    PartPlan& main = own(mainPart_);
    if (!origin_)
      if (const std::optional<Kept> kept = keptOf(options_, extent_))
        addExif(main.header, kept->metadata.exif);
  }

  // A part with planes: its attributes are the origin's.
  PartPlan& own(int part) {
    PartPlan& plan = parts_[static_cast<size_t>(part)];
    if (plan.isOwn)
      return plan;
    plan.isOwn = true;
    const int originPart = parts_.size() > 1 ? part : origin_ ? origin_->mainPart() : 0;
    const bool isInTiles = origin_ && isTiled(origin_->header(originPart));
    if (origin_)
      plan.header = origin_->attributes(originPart);
    if (isInTiles)
      plan.header.setTileDescription(origin_->header(originPart).tileDescription());
    if (isInTiles && hasLevels(origin_->header(originPart)))
      awaitAll();
    if (parts_.size() > 1)
      plan.header.setType(isInTiles ? Imf::TILEDIMAGE : Imf::SCANLINEIMAGE);
    if (!keepsWindows_)
      plan.header.displayWindow() = plan.header.dataWindow() = window_;
    plan.header.compression() =
        compressionNamed(options_.exrCompression, origin_ ? &origin_->header(originPart) : nullptr);
    return plan;
  }

  // Slices are for reading too, so OpenEXR wants the memory to be writable; a writer leaves it alone.
  void add(const ExrTarget& target, Imf::PixelType type, const std::byte* first, size_t pixelBytes) {
    PartPlan& plan = own(target.part);
    plan.header.channels().insert(target.name, Imf::Channel(type));
    plan.frame.insert(target.name, Imf::Slice::Make(type, first, window_.min, extent_.width, extent_.height,
                                                    pixelBytes, pixelBytes * extent_.width));
  }

  void addImage(const NamedImage& image) {
    checkPlane(path_, image, extent_);
    const ExrPlaneNames names = exrNamesFor(path_, image, keepsLayers_ ? origin_.get() : nullptr, mainPart_,
                                            static_cast<bool>(rows_));
    Format format = image.type.format;
    const std::byte* first = image.pixels.data();
    if (names.isSingle && format == Format::f16) {
      first = widened(image);
      format = Format::f32;
    }
    named_.emplace_back(names, image);
    const size_t componentBytes = format == Format::f16 ? 2 : 4;
    const size_t pixelBytes = bytesPerPixel(image.type.channels, format);
    for (const ExrTarget& target : names.channels)
      add(target, pixelType(format), first + target.component * componentBytes, pixelBytes);
    replace(exrPlaneOf(image));
    if (exrPlaneOf(image) == "output")
      setColour(image.type.colour);
  }

  // Halves as floats, for planes with one or two components.
  const std::byte* widened(const NamedImage& image) {
    const auto components = static_cast<size_t>(componentCount(image.type.channels));
    const size_t pixelBytes = bytesPerPixel(image.type.channels, Format::f16);
    awaitAll();
    std::vector<float>& floats = widened_.emplace_back(components * extent_.width * extent_.height);
    for (size_t i = 0; i < floats.size(); ++i)
      floats[i] = componentAt(image.pixels.data() + i / components * pixelBytes, i % components, Format::f16);
    return reinterpret_cast<const std::byte*>(floats.data());
  }

  void addHistogram(const NamedImage& image) {
    const uint64_t count = channelCount(path_, image, extent_);
    const size_t planeBytes = sizeof(float) * extent_.width * extent_.height;
    for (uint64_t bin = 0; bin < count; ++bin)
      add({mainPart_, fmt::format("Bin_{:04}", bin), 0}, Imf::FLOAT, image.pixels.data() + bin * planeBytes,
          sizeof(float));
    replace("histogram");
  }

  // The origin's channels of the plane are not copied beside it.
  void replace(const std::string& plane) {
    if (origin_)
      for (const ExrChannel& channel : origin_->channelsOf(plane))
        replaced_.emplace(channel.part, channel.name);
  }

  // None for data, and for pictures from an OpenEXR file that states none and counts as Rec. 709.
  std::optional<Chromaticities> chromaticitiesFor(ColourTag tag) const {
    if (tag == ColourTag::data)
      return std::nullopt;
    if (tag == ColourTag::rec2020)
      return rec2020WhiteAndPrimaries;
    const std::optional<ColourDescription> colours = coloursOf(options_);
    const bool isExr = colours && codecIfKnown(options_.colours->path) == &exrCodec;
    if (tag == ColourTag::rec709)
      return isExr && !colours->whiteAndPrimaries ? std::nullopt : std::optional(rec709WhiteAndPrimaries);
    const auto found = colours ? primariesOf(*colours) : std::nullopt;
    if (!found)
      refuse(path_,
             "the colours are those of a profile of tables, for which OpenEXR files have no chromaticities; "
             "set 'profile' of the source to convert");
    return found;
  }

  // All parts of a file have the same; the origin's own numbers stay if they mean the same.
  void setColour(ColourTag tag) {
    Imf::Header& main = parts_[static_cast<size_t>(mainPart_)].header;
    const std::optional<Chromaticities> wanted = chromaticitiesFor(tag), had = chromaticitiesOf(main);
    const auto point = [&](size_t at) {
      return Imath::V2f(static_cast<float>((*wanted)[at]), static_cast<float>((*wanted)[at + 1]));
    };
    if (!wanted)
      main = headerWithout(main, {"chromaticities"});
    else if (!had || !close(*had, *wanted))
      Imf::addChromaticities(main, {point(2), point(4), point(6), point(0)});
    Imf::Header& first = parts_.front().header;
    if (Imf::hasChromaticities(main))
      Imf::addChromaticities(first, Imf::chromaticities(main));
    else
      first = headerWithout(first, {"chromaticities"});
  }

  bool isReplaced(const ExrChannel& channel) const {
    return replaced_.contains({channel.part, channel.name});
  }

  void addCopies() {
    for (size_t p = 0; p < parts_.size(); ++p) {
      PartPlan& plan = parts_[p];
      const Imf::Header& from = origin_->header(static_cast<int>(p));
      for (const ExrChannel& channel : origin_->channels(static_cast<int>(p))) {
        if (!plan.isOwn || isReplaced(channel) || plan.header.channels().findChannel(channel.name) != nullptr)
          continue;
        plan.header.channels().insert(channel.name, from.channels()[channel.name.c_str()]);
        plan.copied.push_back(channel.name);
      }
    }
  }

  void complainOfLayers() const {
    std::vector<std::string> lost;
    for (int part = 0; part < origin_->parts(); ++part)
      for (const ExrChannel& channel : origin_->channels(part))
        if (!isReplaced(channel))
          lost.push_back(shownName(channel));
    if (!lost.empty() && options_.warn)
      options_.warn(fmt::format(
          "the picture has another size than the input file, whose other channels are not kept: {}",
          fmt::join(lost, ", ")));
  }

  // The part's rows from the top, `rows` at a time, as soon as they are there: write(window).
  template <class Write>
  void inStrips(const PartPlan& plan, int rows, Write write) {
    const Box2i data = plan.header.dataWindow();  // a part of the picture, or all of it
    for (int first = data.min.y; first <= data.max.y; first += rows) {
      const int last = std::min(first + rows - 1, data.max.y);
      if (rows_)
        awaitRows(static_cast<uint32_t>(first - window_.min.y),
                  static_cast<uint32_t>(last - window_.min.y + 1));
      write(Box2i({data.min.x, first}, {data.max.x, last}));
    }
    if (rows_ && data.max.y < window_.max.y)
      rows_(extent_.height);
  }

  // Copied channels are added to the frame: read(input) reads them from the origin's part.
  template <class Input, class Output, class Read>
  void setFrame(Output& output, int index, Imf::FrameBuffer frame, const Box2i& window, Read read) {
    const PartPlan& plan = parts_[static_cast<size_t>(index)];
    if (!plan.copied.empty()) {
      copies_ = exrPixels(plan.header.channels(), plan.copied, window);
      Input input(origin_->file(), index);
      input.setFrameBuffer(copies_.frame);
      read(input);
      for (auto it = copies_.frame.begin(); it != copies_.frame.end(); ++it)
        frame.insert(it.name(), it.slice());
    }
    output.setFrameBuffer(frame);
  }

  template <class Output>
  void writeLines(Output&& output, int index) {
    const PartPlan& plan = parts_[static_cast<size_t>(index)];
    constexpr int stripRows = 256;  // a multiple of every compression's number of rows
    inStrips(plan, stripRows, [&](const Box2i& rows) {
      setFrame<Imf::InputPart>(output, index, plan.frame, rows,
                               [&](Imf::InputPart& input) { input.readPixels(rows.min.y, rows.max.y); });
      output.writePixels(rows.max.y - rows.min.y + 1);
    });
  }

  // Copied channels keep their levels; those of the others are made anew.
  template <class Output>
  void writeTiles(Output&& output, int index) {
    const PartPlan& plan = parts_[static_cast<size_t>(index)];
    const auto writeRow = [&](const Imf::FrameBuffer& frame, int row, int x, int y) {
      const int last = output.numXTiles(x) - 1;
      Box2i window = output.dataWindowForTile(0, row, x, y);
      window.extendBy(output.dataWindowForTile(last, row, x, y));
      setFrame<Imf::TiledInputPart>(output, index, frame, window, [&](Imf::TiledInputPart& input) {
        input.readTiles(0, last, row, row, x, y);
      });
      output.writeTiles(0, last, row, row, x, y);
    };
    const int tileRows = static_cast<int>(std::min(output.tileYSize(), extent_.height));
    inStrips(plan, tileRows, [&](const Box2i& rows) {
      writeRow(plan.frame, (rows.min.y - plan.header.dataWindow().min.y) / tileRows, 0, 0);
    });
    auto column = std::make_shared<const ExrPixels>(ExrPixels{plan.header.dataWindow(), plan.frame});
    auto level = column;
    for (int y = 0; y < output.numYLevels(); ++y)
      for (int x = 0; x < output.numXLevels(); ++x) {
        if ((x == 0 && y == 0) || !output.isValidLevel(x, y))
          continue;
        level = std::make_shared<const ExrPixels>(
            smallerLevel(x == 0 ? *column : *level, plan.header.channels(), output.dataWindowForLevel(x, y)));
        if (x == 0)
          column = level;
        for (int row = 0; row < output.numYTiles(y); ++row)
          writeRow(level->frame, row, x, y);
      }
  }

  const std::string& path_;
  const WriteOptions& options_;
  OnRows rows_;  // empty if none is missing
  std::vector<std::pair<ExrPlaneNames, NamedImage>> named_;
  Extent extent_;
  std::unique_ptr<ExrOrigin> origin_;
  bool keepsLayers_ = false;
  Box2i window_;               // of the picture
  bool keepsWindows_ = false;  // display and data windows are the origin's
  int mainPart_ = 0;
  std::vector<PartPlan> parts_;
  std::set<std::pair<int, std::string>> replaced_;  // parts and channels of the origin that are written again
  std::deque<std::vector<float>> widened_;
  ExrPixels copies_;
};

}  // namespace

void writeExr(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options) {
  if (planes.empty())
    refuse(path, "nothing to write");
  guarded(
      path, [&] { Writer(path, planes, options).write(part); }, "can't be written: ");
}

}  // namespace lacuna::io
