#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/frame_list.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/shell/messages.h"

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
                  Diagnostics& problems) {
  const FrameSet lacking = wanted.without(files.numbers.without(files.broken));
  if (!lacking.empty())
    problems.error({}, fmt::format("{}; {}, --frames chooses others",
                                   lacksFiles(input.file, lacking, wanted.size(),
                                              [&](int number) { return input.fileOf(number); }),
                                   helpsMissing));
}

}  // namespace

void chooseFrames(std::vector<DenoiseJob>& jobs, const RunArguments& run, Diagnostics& problems) {
  const std::optional<FrameList> asked = parseFrameList(run.frames.text, problems);
  if (!asked)
    return;
  const auto isSequence = [](const DenoiseJob& job) { return job.input.isSequence(); };
  if ((skipsFrames(run.missing) || run.missing == Missing::hold) && !jobs.empty() &&
      std::ranges::none_of(jobs, isSequence))
    problems.error({}, "--missing is for names with a frame's number, but no input has one");
  for (DenoiseJob& job : jobs) {
    DenoiseInput& input = job.input;
    job.frames = run.frames.text;
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
      problems.error({}, fmt::format("--frames {}: {} is a single picture", run.frames.text, input.file));
    }
  }
}

namespace {

bool isWhole(const std::string& file) {
  try {
    io::checkWhole(file);
    return true;
  } catch (const std::exception&) {  // also OpenEXR's
    return false;
  }
}

void awaitFile(const std::string& file, bool isQuiet) {
  constexpr std::chrono::milliseconds interval{50};
  Awaited awaited;
  for (bool isNew = true; awaited.contains(file) && !isWhole(file); isNew = false) {
    if (isNew && !isQuiet)
      printNote(fmt::format("waiting for {}", file));
    std::this_thread::sleep_for(interval);
  }
}

}  // namespace

void awaitFiles(const DenoiseArguments& arguments, Diagnostics& problems) {
  Diagnostics ignored;  // they are reported when frames are chosen
  const auto asked = parseFrames(arguments.run.frames.text, ignored);
  for (const std::string& word : arguments.inputs) {
    const bool isSequence = isPattern(word) && namesFrames(word);
    if (isSequence && (!asked || asked->empty()))
      problems.error({}, fmt::format("--missing wait: {}: which frames will be written? Name them all: "
                                     "--frames 1-250",
                                     word));
    else if (isSequence)
      for (const int number : asked->first(2))
        awaitFile(framePath(word, number), arguments.run.quiet);
    else if (word != standardStream && !std::filesystem::is_directory(word) && !isGlob(word))
      awaitFile(word, arguments.run.quiet);
  }
}

}  // namespace lacuna
