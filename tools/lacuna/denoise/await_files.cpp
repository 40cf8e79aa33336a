#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/frame_list.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"
#include "tools/lacuna/denoise/find_files.h"
#include "tools/shell/messages.h"

namespace lacuna {
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

void awaitFiles(const DenoiseArguments& arguments, std::vector<std::string>& problems) {
  std::string mistake;  // which is reported when frames are chosen
  const auto asked = parseFrames(arguments.run.frames, mistake);
  for (const std::string& word : arguments.inputs) {
    const bool isSequence = isPattern(word) && namesFrames(word);
    if (isSequence && (!asked || asked->empty()))
      problems.push_back(
          fmt::format("--missing wait: {}: which frames will be written? Name them all: "
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
