#include "tools/lacuna/run/frame_option.h"

#include <fmt/format.h>

#include "tools/shell/messages.h"

namespace lacuna {
namespace {

template <class Parsed>
Parsed orPrinted(Parsed parsed, const std::string& text, const std::string& mistake) {
  if (!parsed) {
    printError(fmt::format("--frames {}: {}", text, mistake));
  }
  return parsed;
}

}  // namespace

std::optional<FrameSet> framesOption(const std::string& text) {
  std::string mistake;
  return orPrinted(parseFrames(text, mistake), text, mistake);
}

std::optional<FrameList> frameListOption(const std::string& text) {
  std::string mistake;
  return orPrinted(parseFrameList(text, mistake), text, mistake);
}

}  // namespace lacuna
