#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "graph/files/standard_streams.h"
#include "graph/lists.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// "photograph, by edge-avoiding wavelets (eaw)"
std::string describe(const DenoiseJob& job) {
  const Planes planes = planesOf(job.input), taken = takenPlanes(job);
  const bool isRender = planes.sceneLinear || !guidesOf(planes).empty();
  const size_t count = job.input.numbers.size();
  const std::string frames =
      job.input.isSequence() ? fmt::format(", {} frame{}", count, count == 1 ? "" : "s") : "";
  const bool isOidn = job.weights && job.weights->planes.bare;
  std::string text = fmt::format("{}{}, by {} ({}{})", isRender ? "render" : "photograph", frames,
                                 isOidn ? "a U-Net of Open Image Denoise" : wordsOf(job.method),
                                 nameOf(job.method), job.isFast ? ", fast" : "");
  if (job.isTooSlow)
    text += " alone: wiener would take over a minute on a CPU; --method wiener runs it";
  if (job.isOfOtherPattern)
    text += ": networks are for Bayer patterns";
  if (job.isTooLarge)
    text += ": networks take long on a CPU for over 6 megapixels; --method cnn-unet runs one";
  if (job.method != Method::unet || taken.noise)
    return text;
  const std::string used = guidesBeside(taken, {}), unused = guidesBeside(planes, taken);
  return text + fmt::format("{}{}{}{}{}{}", used.empty() ? ", from colour alone" : ", guided by " + used,
                            isOidn && !job.weights->prefilters.empty() ? ", which are filtered before" : "",
                            unused.empty() ? "" : ", without " + unused,
                            job.noisyGuides.empty()       ? ""
                            : job.noisyGuides.size() == 1 ? ", which is noisy"
                                                          : ", which are noisy",
                            taken.motion ? ", over time, mixed with svgf" : "",
                            job.strength > 1.0 ? ", smoothed by svgf" : "");
}

void warnOfViewLayers(const DenoiseJob& job) {
  const std::string taken = job.input.info.layerOf("output");
  std::vector<std::string> others = job.input.info.pictures;
  std::erase(others, taken);
  if (others.empty() || !job.input.layer.empty())
    return;
  const std::string choice = others.front();
  const auto shown = [](const std::string& layer) { return layer.empty() ? "R G B" : layer; };
  std::transform(others.begin(), others.end(), others.begin(), shown);
  printWarning(
      fmt::format("{}: denoises the view layer {}, not {}; -p \"i-file:in:output={}\" chooses another one, "
                  "{{layer}} in the name behind -o denoises each, into a file of its own",
                  job.input.file, shown(taken), fmt::join(others, ", "), choice));
}

// Layers of colour that stay noisy.
void sayOtherLayers(const DenoiseArguments& arguments, const DenoiseJob& job) {
  std::set<std::string> denoised = {job.input.info.layerOf("output")};
  for (const DenoiseInput& other : job.input.others)
    denoised.insert(other.info.layerOf("output"));
  std::vector<std::string> left = job.input.info.colours;
  std::erase_if(left, [&](const std::string& layer) {
    return denoised.contains(layer) || contains(job.input.info.pictures, layer);
  });
  if (left.empty())
    return;
  const std::string first = left.front(), own = job.input.info.layerOf("output");
  constexpr size_t shown = 8;
  const size_t count = left.size();
  if (count > shown) {
    left.resize(shown);
    left.push_back(fmt::format("and {} more", count - shown));
  }
  say(arguments, fmt::format("{}: layers that stay as they are: {}; --layers \"{},{}\" denoises several",
                             job.input.file, fmt::join(left, ", "), own.empty() ? "RGBA" : own, first));
}

}  // namespace

void say(const DenoiseArguments& arguments, const std::string& text) {
  if (!arguments.run.quiet && !arguments.run.json)
    printLine(text);
}

std::string shownName(const DenoiseInput& input) {
  return (input.file == standardStream ? "standard input" : input.file) +
         (input.layer.empty() ? "" : ", " + input.layer);
}

void sayMethods(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const DenoiseJob& job : jobs) {
    const std::string kind = describe(job);
    auto known =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.first == kind; });
    if (known == kinds.end())
      known = kinds.insert(kinds.end(), {kind, {}});
    known->second.push_back(shownName(job.input));
  }
  for (const auto& [kind, names] : kinds)
    say(arguments, fmt::format("{}{}: {}", names.front(),
                               names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "", kind));
}

void reportLayers(const DenoiseArguments& arguments, const DenoiseJob& job) {
  warnOfViewLayers(job);
  sayOtherLayers(arguments, job);
}

namespace {

// Says nothing if the channels' names are right.
void sayMotion(const DenoiseArguments& arguments, const DenoiseInput& input, const MotionGuess& motion) {
  const std::string chosen = asParameters(motion.convention, motion.scale),
                    second = asParameters(motion.second, motion.secondScale);
  const std::string figures = fmt::format("{:.0f}% of what moves doesn't fit, with {} {:.0f}%",
                                          100 * motion.mismatch, second, 100 * motion.mismatchOfSecond);
  if (!motion.asUsed)
    say(arguments,
        fmt::format("{}: {} {}, not {} as its channels' names suggest: {}, by the names {:.0f}%", input.file,
                    motion.isCertain ? "measured" : "takes", chosen, asParameters(motion.used, {1.0F, 1.0F}),
                    figures, 100 * motion.mismatchAsUsed));
  if (!motion.isCertain)
    say(arguments,
        fmt::format("{}: can't tell whether the motion is {} or {}, since both fit; takes the first{}",
                    input.file, chosen, second, motion.asUsed ? ", which its channels' names suggest" : ""));
}

FrameFiles filesOf(const DenoiseInput& input, int number) {
  FrameFiles files{input.fileOf(number)};
  for (const auto& [plane, guide] : input.guides)
    if (guide.codec == "exr")
      files.planes[plane] = framePath(guide.file, number);
  return files;
}

ReadOptions guideLayers(const DenoiseInput& input) {
  ReadOptions options;
  for (const auto& [plane, guide] : input.guides)
    options.layers.merge(guide.options().layers);
  return options;
}

}  // namespace

void findMotion(const DenoiseArguments& arguments, DenoiseJob& job) {
  const std::vector<int>& numbers = job.input.numbers;
  const bool takesMotion =
      job.method == Method::svgf || (job.method == Method::unet && takenPlanes(job).motion);
  const auto own = job.input.guides.find("motion");
  const bool hasConvention = own == job.input.guides.end() || own->second.codec == "exr";
  if (!takesMotion || !job.input.info.has("motion") || !hasConvention || numbers.size() < 2)
    return;
  // Later files of a sequence that is being written may exist or not.
  const size_t step =
      arguments.run.missing == Missing::wait ? numbers.size() : std::max<size_t>(1, numbers.size() / 4);
  for (size_t i = 1; i < numbers.size() && !job.motion; i += step)
    try {
      if (numbers[i] == numbers[i - 1] + 1 || arguments.run.missing == Missing::span)
        job.motion = guessMotion(filesOf(job.input, numbers[i - 1]), filesOf(job.input, numbers[i]),
                                 guideLayers(job.input));
    } catch (const FileError&) {
      // Damaged files are reported where they are denoised.
    }
  if (!job.motion)
    return;
  if (!job.motion->fits)
    printWarning(fmt::format("{}: the motion fits in no convention: frames are denoised almost as stills",
                             job.input.file));
  else
    sayMotion(arguments, job.input, *job.motion);
}

}  // namespace lacuna
