#include "tools/lacuna/denoise/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "graph/lists.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/exr_channels.h"
#include "tools/lacuna/denoise/inputs.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string plainName(const std::string& file, const std::string& folder) {
  if (fs::path(file).is_absolute())
    return file;
  const fs::path absolute = fs::absolute(file);
  return folder.empty() ? absolute.string() : absolute.lexically_proximate(fs::absolute(folder)).string();
}

// Percent signs in a pattern's own folders are placeholders; those in folders above it are names.
std::string sourceName(const std::string& pattern, const std::string& folder) {
  if (pattern == standardStream || fs::path(pattern).is_absolute())
    return pattern;
  const fs::path absolute = fs::path(patternOf(fs::current_path().string())) / pattern;
  return folder.empty() ? absolute.string()
                        : absolute.lexically_proximate(patternOf(fs::absolute(folder).string())).string();
}

// Of the source that reads the motion.
std::string motionLines(const DenoiseJob& job, const char* source) {
  if (!job.motion || job.motion->asUsed || !(job.strength > 0))
    return {};
  return fmt::format(
      "param:i-file:{0}:motion:{1} # measured: {2:.0f}% of what moves is elsewhere with it, {3:.0f}% by the "
      "channels' names\nparam:i-file:{0}:motion_scale:{4}:{5}\n",
      source, nameOf(job.motion->convention), 100 * job.motion->mismatch, 100 * job.motion->mismatchAsUsed,
      job.motion->scale[0], job.motion->scale[1]);
}

const io::Codec& writtenCodec(const DenoiseJob& job) {
  const std::string& named = job.output == standardStream ? job.input.file : job.output;
  const io::Codec* codec = io::codecOfExtension(io::extensionOf(named));
  return codec != nullptr ? *codec : *io::codecOfWord(job.input.info.codec);
}

// Values from 0 to 1 through a curve, not light without a bound.
bool writesEncoded(const DenoiseJob& job) {
  const io::Codec& codec = writtenCodec(job);
  return codec.isEncoded() && !(codec.holdsFloats && job.input.info.isFloat);
}

// ACEScg and the like are for computing: no display has them, and few viewers know them.
bool becomesRec709(const DenoiseJob& job) {
  const std::string& colour = job.input.info.colour;
  const bool isOfDisplays =
      colour.find("Rec. ") != std::string::npos || colour.find("P3") != std::string::npos;
  return job.input.info.codec == "exr" && !job.keepsColours && writesEncoded(job) && !isOfDisplays;
}

std::string inputLines(const DenoiseJob& job, const std::string& folder) {
  const DenoiseInput& input = job.input;
  std::string text = fmt::format("module:i-file:in\nparam:i-file:in:filename:{}\n",
                                 quote(sourceName(input.pattern(), folder)));
  if (!input.layer.empty())
    text += fmt::format("param:i-file:in:output:{}\n", quote(input.layer));
  if (job.filePage > 0)
    text += fmt::format("param:i-file:in:page:{}\n", job.filePage);
  if (input.info.codec == "npy" && job.strength > 0)
    text += "param:i-file:in:channels:rgba\n";
  if (becomesRec709(job))
    text += "param:i-file:in:profile:convert\n";
  if (input.isSummed)
    text += fmt::format("param:i-file:in:first:{}\n", input.numbers.front());
  if (!job.histogram.empty() && job.strength > 0)
    text += fmt::format("module:i-file:histogram\nparam:i-file:histogram:filename:{}\n",
                        quote(sourceName(patternOf(job.histogram), folder)));
  return text + (job.input.guides.contains("motion") ? "" : motionLines(job, "in"));
}

// Planes of files of their own come from sources of their own.
std::string guideLines(const DenoiseJob& job, const std::string& folder, std::string& method) {
  std::string text;
  for (const auto& [plane, guide] : job.input.guides) {
    const std::string module = guide.codec == "exr" ? "i-file" : "i-" + guide.codec;
    const std::string own = fmt::format("connect:i-file:in:{}:", plane),
                      other = fmt::format("connect:{}:{}:{}:", module, plane, guide.output());
    size_t at = method.find(own);
    if (at == std::string::npos)
      continue;  // the method doesn't take it
    for (; at != std::string::npos; at = method.find(own, at + other.size()))
      method.replace(at, own.size(), other);
    text += fmt::format("module:{0}:{1}\nparam:{0}:{1}:filename:{2}\n", module, plane,
                        quote(sourceName(guide.file, folder)));
    const auto set = [&, &plane = plane](std::string_view parameter, std::string_view value) {
      text += fmt::format("param:{}:{}:{}:{}\n", module, plane, parameter, value);
    };
    if (guide.codec != "exr")
      set("channels", name(guideChannels(plane)));
    else if (!guide.layer.empty())
      set(io::exrLayerParameter(plane), quote(guide.layer));
    if (job.input.isSequence() && !namesFrames(guide.file))
      set("still", "true");
    if (plane == "motion")
      text += motionLines(job, "motion");
  }
  return text;
}

bool isRawPhotograph(const DenoiseInput& input) {
  return io::codecOfWord(input.info.codec)->holds == io::Holds::mosaic;
}

bool holdsGrey(const ImageInfo& info) {
  return info.pixels.starts_with("grey") ||
         std::ranges::any_of(info.planes, [](const ImageInfo::Plane& plane) {
           return plane.name == "output" && plane.channels.size() <= 2;
         });
}

// As in pipelines/raw.cfg: a raw photograph becomes the camera's colours before it is denoised, or by the
// network; after that, standard colours, and in files for viewing a photograph's contrast. Others keep the
// light.
std::string developLines(const DenoiseJob& job) {
  if (!isRawPhotograph(job.input))
    return {};
  if (!job.input.info.isMosaic)
    return "module:highlights:01\nconnect:i-file:in:output:highlights:01:input\n"
           "connect:i-file:in:camera:highlights:01:camera\n";
  const bool isDemosaiced = job.method != Method::unet || !(job.strength > 0);
  std::string lines = isDemosaiced ? "module:rawprep:01\nmodule:demosaic:01\n" : "module:rawprep:01\n";
  const auto set = [&](const char* name, const std::optional<double>& value) {
    lines += value ? fmt::format("param:rawprep:01:{}:{}\n", name, *value) : "";
  };
  set("exposure", job.development.exposure);
  set("temperature", job.development.temperature);
  set("tint", job.development.tint);
  lines += "connect:i-file:in:output:rawprep:01:input\nconnect:i-file:in:camera:rawprep:01:camera\n";
  return isDemosaiced ? lines +
                            "connect:rawprep:01:output:demosaic:01:input\n"
                            "connect:rawprep:01:offset:demosaic:01:offset\n"
                      : lines;
}

// Appends modules behind `output`, which becomes the last one's.
std::string finishLines(const DenoiseJob& job, std::string& output) {
  if (becomesRec709(job)) {
    const std::string colour = fmt::format(
        "module:colour:01\nparam:colour:01:from:rec2020\nparam:colour:01:to:rec709\nconnect:{}:colour:01:"
        "input\n",
        output);
    output = "colour:01:output";
    return colour;
  }
  if (!isRawPhotograph(job.input))
    return {};
  std::string camera;
  if (writtenCodec(job).isEncoded()) {
    camera = fmt::format("module:lens:01\nconnect:{}:lens:01:input\n", output);
    output = "lens:01:output";
  }
  camera += fmt::format(
      "module:camera:01\nconnect:{}:camera:01:input\nconnect:i-file:in:camera:camera:01:camera\n", output);
  if (!writtenCodec(job).isEncoded()) {
    // For a DNG file the reader adds the brightness that the camera's maker wants.
    output = "camera:01:output";
    return camera + (writesDng(job) ? "param:camera:01:baseline:false\n" : "");
  }
  output = "sharpen:01:output";
  return camera +
         "module:colour:01\nparam:colour:01:from:rec2020\nparam:colour:01:to:rec709\n"
         "module:tonemap:01\nparam:tonemap:01:curve:aces\nparam:tonemap:01:white:2\n"
         "param:tonemap:01:exposure:-0.3\nmodule:sharpen:01\nconnect:camera:01:output:colour:01:input\n"
         "connect:colour:01:output:tonemap:01:input\nconnect:tonemap:01:output:sharpen:01:input\n";
}

std::string weightsLines(const DenoiseJob& job, const std::string& folder) {
  if (!job.weights || !(job.strength > 0))
    return {};
  const std::string& transfer = job.weights->transfer;
  return fmt::format("param:cnn-unet:01:weights:{}\n", quote(plainName(job.weights->file, folder))) +
         (transfer.empty() ? "" : fmt::format("param:cnn-unet:01:transfer:{}\n", transfer));
}

// Guides pass a network of their own.
void prefilterGuides(const DenoiseJob& job, const std::string& folder, std::string& method) {
  if (!job.weights)
    return;
  for (const auto& [plane, file] : job.weights->prefilters) {
    const std::string line = fmt::format("connect:i-file:in:{0}:cnn-unet:01:{0}\n", plane);
    const size_t at = method.find(line);
    if (at != std::string::npos)
      method.replace(at, line.size(),
                     fmt::format("module:cnn-unet:{0}\nparam:cnn-unet:{0}:weights:{1}\n"
                                 "param:cnn-unet:{0}:transfer:{0}\nconnect:i-file:in:{0}:cnn-unet:{0}:input\n"
                                 "connect:cnn-unet:{0}:output:cnn-unet:01:{0}\n",
                                 plane, quote(plainName(file, folder))));
  }
}

void eraseLine(std::string& text, std::string_view line) {
  if (const size_t at = text.find(line); at != std::string::npos)
    text.erase(at, line.size());
}

// The noise that is given replaces what eaw estimates, of eaw and of wiener. The line is printed for a part
// of the picture, whose own noise differs.
std::string noiseLines(const DenoiseJob& job, std::string& method) {
  std::string lines;
  if (!job.noise.empty() && job.method == Method::wiener)
    for (const char* output : {"noise", "levels_noise"})
      eraseLine(method, fmt::format("connect:eaw:01:{0}:wiener:01:{0}\n", output));
  for (const auto& [name, value] : job.noise) {
    lines += fmt::format("param:eaw:01:{}:{}\n", name, value);
    if (job.method == Method::wiener)
      lines += fmt::format("param:wiener:01:{}:{}\n", name, value);
  }
  if (!lines.empty() || !job.printsNoise || !estimatesNoise(job))
    return lines;
  return fmt::format(
      "module:report:noise\nparam:report:noise:text:{}\nconnect:eaw:01:noise:report:noise:noise\n"
      "connect:eaw:01:levels_noise:report:noise:levels_noise\n",
      quote(fmt::format("{}: estimated noise, as --noise takes it:",
                        job.input.file == standardStream ? "standard input" : job.input.file)));
}

// Appends a module behind `output`, as finishLines().
std::string cropLines(const DenoiseJob& job, std::string& output) {
  if (job.crop.empty())
    return {};
  std::string lines = fmt::format("module:crop:part\nconnect:{}:crop:part:input\n", output);
  const char* const names[] = {"x", "y", "width", "height"};
  for (size_t i = 0; i < job.crop.size(); ++i)
    lines += fmt::format("param:crop:part:{}:{}\n", names[i], job.crop[i]);
  output = "crop:part:output";
  return lines;
}

// Behind all: what the sensor would have delivered without noise.
std::string mosaicLines(const DenoiseJob& job, std::string& output) {
  if (!job.isMosaicAgain)
    return {};
  const std::string lines = fmt::format(
      "module:mosaic:01\nparam:mosaic:01:pattern:{}\nconnect:{}:mosaic:01:input\n"
      "connect:i-file:in:camera:mosaic:01:like\nconnect:mosaic:01:camera:o-dng:out:camera\n",
      bayerPattern(job.input), output);
  output = "mosaic:01:output";
  return lines;
}

// For frames that are summed: their number, and that the last one is written.
std::string frameLines(const DenoiseInput& input) {
  return input.isSummed
             ? fmt::format("frames:{}\nwrite:last\n", input.numbers.back() - input.numbers.front() + 1)
             : "";
}

// The noisy picture's histograms don't belong to the result.
std::string keepLines(const DenoiseJob& job) {
  const bool isRhf = job.method == Method::rhf && job.strength > 0;
  return isRhf && job.input.info.has("histogram") ? "param:o-file:out:keep:metadata\n" : "";
}

std::string qualityLine(const DenoiseJob& job) {
  return job.quality > 0 && takesQuality(job) ? fmt::format("param:o-file:out:quality:{}\n", job.quality)
                                              : "";
}

std::string sinkLines(const DenoiseJob& job, const std::string& output) {
  const char* sink = job.isMosaicAgain ? "o-dng:out" : "o-file:out";
  return fmt::format("module:{0}\nparam:{0}:filename:{1}\n{2}{3}connect:{4}:{0}:input\n", sink,
                     quote(job.output), keepLines(job), qualityLine(job), output);
}

}  // namespace

bool estimatesNoise(const DenoiseJob& job) {
  const bool takesNoise = job.method == Method::eaw || job.method == Method::wiener ||
                          (job.method == Method::unet && takenPlanes(job).noise);
  return takesNoise && job.strength > 0 && !job.input.info.isMosaic;
}

bool takesQuality(const DenoiseJob& job) {
  return contains(writtenCodec(job).writingParameters, "quality");
}

bool writesDng(const DenoiseJob& job) {
  return writtenCodec(job).holds == io::Holds::mosaic;
}

std::string bayerPattern(const DenoiseInput& input) {
  for (const char* pattern : {"rggb", "grbg", "gbrg", "bggr"})
    if (input.info.pixels.starts_with(fmt::format("mosaic {},", pattern)))
      return pattern;
  return {};
}

Planes planesOf(const DenoiseInput& input, const std::string& histogram) {
  Planes planes;
  const io::Codec& codec = *io::codecOfWord(input.info.codec);
  const io::Holds holds = codec.holdsIn(input.info.isFloat);
  planes.raw = input.info.isMosaic;
  planes.bayer = !bayerPattern(input).empty();
  planes.demosaiced = isRawPhotograph(input) && !planes.raw;
  planes.sceneLinear = holds == io::Holds::planes || holds == io::Holds::floats;
  planes.numbers = holds == io::Holds::numbers;
  planes.grey = (planes.sceneLinear || planes.numbers) && holdsGrey(input.info);
  planes.albedo = input.info.has("albedo");
  planes.normal = input.info.has("normal");
  planes.depth = input.info.has("depth");
  planes.motion = input.info.has("motion");
  planes.sequence = input.isSequence();
  planes.deep = input.info.bits > 8;
  planes.bounded = codec.isEncoded() && !planes.sceneLinear;
  planes.alpha = input.info.hasAlpha();
  planes.histogram = !histogram.empty()            ? Histogram::ofOtherFile
                     : input.info.has("histogram") ? Histogram::ofFile
                     : input.isSummed              ? Histogram::ofFrames
                                                   : Histogram::none;
  return planes;
}

Planes takenPlanes(const DenoiseJob& job) {
  Planes planes = planesOf(job.input, job.histogram);
  planes.alpha = planes.alpha && !job.isOpaque;
  planes.fast = job.isFast;
  if (job.method != Method::unet)
    return planes;
  Planes taken = job.weights ? job.weights->planes : takenByUnet(planes);
  if (!job.weights) {
    taken.albedo = taken.albedo && !contains(job.noisyGuides, "albedo");
    taken.mixed = taken.albedo && !taken.motion && job.input.file != standardStream;
    taken.noisyNormal = taken.albedo && taken.normal && contains(job.noisyGuides, "normal");
    taken.noisyDepth = taken.albedo && taken.depth && contains(job.noisyGuides, "depth");
    taken.normal = taken.albedo && taken.normal && !taken.noisyNormal;
    taken.depth = taken.albedo && taken.depth && !taken.noisyDepth;
  }
  taken.sceneLinear = planes.sceneLinear;
  taken.numbers = planes.numbers;
  taken.grey = planes.grey;
  taken.alpha = planes.alpha;
  taken.raw = planes.raw;
  taken.demosaiced = planes.demosaiced;
  taken.deep = planes.deep;
  taken.bounded = planes.bounded;
  return taken;
}

std::string graphText(const DenoiseJob& job, const std::string& folder) {
  MethodLines method = methodLines(job.method, takenPlanes(job), job.strength, job.modules);
  prefilterGuides(job, folder, method.text);
  const std::string guides = guideLines(job, folder, method.text);
  std::string output = method.output;
  const std::string noise = noiseLines(job, method.text);
  std::string finish = finishLines(job, output);
  finish += cropLines(job, output);
  finish += mosaicLines(job, output);
  return fmt::format(
      "# Made by `lacuna denoise`, strength {}. `lacuna describe MODULE` lists a module's parameters.\n"
      "lacuna:1\n{}\n"
      "{}{}{}\n"
      "{}{}{}\n"
      "{}",
      job.strength, frameLines(job.input), inputLines(job, folder), guides, developLines(job), method.text,
      weightsLines(job, folder), noise + finish, sinkLines(job, output));
}

}  // namespace lacuna
