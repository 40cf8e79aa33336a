#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/files/frame_list.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/denoise/steps.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

std::string whyNoPage(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs) {
  const DenoiseInput& input = jobs.front().input;
  if (jobs.size() > 1)
    return fmt::format("one page for {} inputs; expected one input", jobs.size());
  if (input.file == standardStream || arguments.output == standardStream)
    return "standard input and output can't be read again; expected files";
  if (input.isSummed)
    return fmt::format("{}: its frames become one picture; none is the one before it", input.file);
  if (input.info.isMosaic)
    return fmt::format("{} is a raw photograph, which is no picture before it is developed", input.file);
  return input.info.codec == "npy"
             ? fmt::format("{} holds numbers, whose colours it doesn't state", input.file)
             : "";
}

}  // namespace

void checkPage(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs,
               Diagnostics& problems) {
  if (!arguments.page || jobs.empty())
    return;
  if (const std::string reason = whyNoPage(arguments, jobs); !reason.empty())
    problems.error({}, fmt::format("--html {}: {}", *arguments.page, reason));
  try {
    checkNamedOutput(pageOutput, *arguments.page, {jobs.front().input.file});
  } catch (const FileError& error) {
    problems.error({}, error.what());
  }
}

int writePage(const DenoiseArguments& arguments, const DenoiseJob& job, nlohmann::ordered_json& out) {
  const DenoiseInput& input = job.input;
  PicturePage page;
  PagePicture before{"before", {}, input.layer, {}}, after{"after", {}, {}, {}};
  if (!job.crop.empty()) {
    const auto at = [&](size_t i) { return static_cast<uint32_t>(job.crop[i]); };
    before.crop = PixelArea{at(0), at(1), at(0) + at(2), at(1) + at(3)};
  }
  Diagnostics ignored;  // frames have been chosen
  const FrameSet asked = parseFrames(job.frames, ignored).value_or(FrameSet());
  for (const int number : input.numbers)
    if (asked.empty() || asked.contains(number))
      page.frames.push_back(number);
  if (!input.isSequence()) {
    before.files = {input.file};
    after.files = {framePath(job.output, 0)};
  }
  for (const int number : page.frames) {
    before.files.push_back(input.fileOf(number));
    after.files.push_back(framePath(job.output, number));
  }
  page.pictures = {before, after};
  try {
    warnOfLargePage(*arguments.page, writePicturePage(*arguments.page, page, nlohmann::ordered_json::array()),
                    input.isSequence());
  } catch (const FileError& error) {
    printError(error.what());
    return exitFiles;
  }
  out["page"] = *arguments.page;
  say(arguments, fmt::format("{} shows it before and after", *arguments.page));
  return exitOk;
}

}  // namespace lacuna
