#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/files/file_name.h"
#include "graph/files/frame_list.h"

namespace lacuna {
namespace {

// "5-8,10": as --frames takes it.
std::string frameWords(const FrameSet& frames) {
  std::string text;
  for (const auto& [first, last] : frames.runs())
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : ",", first, last > first ? fmt::format("-{}", last) : "");
  return text;
}

FrameSet wantedFrames(const DenoiseInput& input, const FrameList& asked, const NumberedFiles& files) {
  if (asked.kind == FrameList::Kind::numbers)  // a sum needs all frames before, too
    return input.isSummed ? FrameSet::range(input.numbers.front(), asked.numbers.back()) : asked.numbers;
  return asked.kind == FrameList::Kind::last && !input.isSummed ? FrameSet{input.numbers.back()}
                                                                : input.frames(files);
}

void checkMissing(const DenoiseInput& input, const FrameSet& wanted, const NumberedFiles& files,
                  std::vector<std::string>& problems) {
  const FrameSet lacking = wanted.without(files.numbers.without(files.broken));
  if (!lacking.empty())
    problems.push_back(fmt::format(
        "{}; {}, --frames chooses others",
        lacksFiles(input.file, lacking, wanted.size(), [&](int number) { return input.fileOf(number); }),
        helpsMissing));
}

}  // namespace

void chooseFrames(std::vector<DenoiseJob>& jobs, const RunArguments& run,
                  std::vector<std::string>& problems) {
  std::string mistake;
  const std::optional<FrameList> asked = parseFrameList(run.frames, mistake);
  if (!asked) {
    problems.push_back(fmt::format("--frames {}: {}", run.frames, mistake));
    return;
  }
  const auto isSequence = [](const DenoiseJob& job) { return job.input.isSequence(); };
  if ((run.missing == Missing::skip || run.missing == Missing::hold) && !jobs.empty() &&
      std::ranges::none_of(jobs, isSequence))
    problems.push_back("--missing is for names with a frame's number, but no input has one");
  for (DenoiseJob& job : jobs) {
    DenoiseInput& input = job.input;
    job.frames = run.frames;
    if (input.isSequence()) {
      if (run.missing == Missing::wait && asked->kind == FrameList::Kind::numbers)
        input.numbers.assign(asked->numbers.begin(), asked->numbers.end());
      const NumberedFiles files = numberedFiles({}, input.file);
      const FrameSet wanted = wantedFrames(input, *asked, files);
      if (run.missing == Missing::error)
        checkMissing(input, wanted, files, problems);
      if (job.frames.empty() && !input.isSummed)
        job.frames = frameWords(wanted);
    } else if (asked->kind == FrameList::Kind::numbers) {
      problems.push_back(fmt::format("--frames {}: {} is a single picture", run.frames, input.file));
    }
  }
}

}  // namespace lacuna
