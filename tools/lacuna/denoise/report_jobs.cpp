#include "tools/lacuna/denoise/report_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/files/standard_streams.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// "photograph, by edge-avoiding wavelets (eaw)"
std::string describe(const DenoiseJob& job) {
  const Planes planes = planesOf(job.input), taken = takenPlanes(job);
  const bool isRender = planes.sceneLinear || !guidesOf(planes).empty();
  const std::string frames =
      job.input.isSequence() ? fmt::format(", {} frames", job.input.numbers.size()) : "";
  std::string text = fmt::format("{}{}, by {} ({})", isRender ? "render" : "photograph", frames,
                                 wordsOf(job.method), nameOf(job.method));
  if (job.method != Method::unet)
    return text;
  const std::string used = guidesBeside(taken, {}), unused = guidesBeside(planes, taken);
  return text + fmt::format("{}{}{}", used.empty() ? ", from colour alone" : ", guided by " + used,
                            unused.empty() ? "" : ", without " + unused,
                            job.strength > 1.0 ? ", smoothed by svgf" : "");
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

void warnOfLayers(const DenoiseJob& job) {
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

void findMotion(const DenoiseArguments& arguments, DenoiseJob& job) {
  const std::vector<int>& numbers = job.input.numbers;
  if (job.method != Method::svgf || !job.input.info.has("motion") || numbers.size() < 2)
    return;
  for (size_t i = 1; i < numbers.size() && !job.motion; i += std::max<size_t>(1, numbers.size() / 4))
    try {
      if (numbers[i] == numbers[i - 1] + 1)
        job.motion = guessMotion(job.input.fileOf(numbers[i - 1]), job.input.fileOf(numbers[i]));
    } catch (const FileError&) {
      // Damaged files are reported where they are denoised.
    }
  if (!job.motion)
    return;
  if (!job.motion->fits)
    printWarning(fmt::format("{}: the motion fits in no convention: frames are denoised almost as stills",
                             job.input.file));
  else if (!job.motion->asUsed)
    say(arguments, fmt::format("{}: measured {}, not {} as its channels' names suggest", job.input.file,
                               asParameters(job.motion->convention, job.motion->scale),
                               asParameters(*job.input.info.motion, {1.0F, 1.0F})));
}

}  // namespace lacuna
