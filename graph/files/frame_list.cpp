#include "graph/files/frame_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "graph/config/text.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

constexpr int64_t largestNumber = largestFrameNumber;
constexpr size_t mostRuns = 1'000'000;  // 8 MB

struct Span {
  int64_t first = 0, last = 0, step = 1;
};

// Takes a number from the front, as large as any type allows; what is larger is too large here.
std::optional<int64_t> takeNumber(std::string_view& text) {
  const bool isNegative = text.starts_with('-');
  const std::string_view digits = text.substr(isNegative ? 1 : 0);
  const size_t count = std::min(digits.find_first_not_of("0123456789"), digits.size());
  if (count == 0)
    return std::nullopt;
  text = digits.substr(count);
  const int64_t number = parseInteger(std::string(digits.substr(0, count))).value_or(largestNumber + 1);
  return isNegative ? -number : number;
}

bool take(std::string_view& text, std::string_view anyOf) {
  const bool isThere = !text.empty() && anyOf.find(text.front()) != std::string_view::npos;
  text.remove_prefix(isThere ? 1 : 0);
  return isThere;
}

// "A", "A-B", "A:B", "A-BxSTEP"; A and B may be negative.
std::optional<Span> spanOf(std::string_view text) {
  const std::optional<int64_t> first = takeNumber(text);
  const std::optional<int64_t> last = first && take(text, "-:") ? takeNumber(text) : first;
  const std::optional<int64_t> step = last && take(text, "x") ? takeNumber(text) : 1;
  if (!first || !last || !step || !text.empty())
    return std::nullopt;
  return Span{*first, *last, *step};
}

std::string mistakeIn(const Span& span) {
  const int64_t most = std::max({span.first, span.last, span.step});
  if (most > largestNumber)
    return fmt::format("the largest number of a frame is {}", largestNumber);
  if (std::min(span.first, span.last) < -largestNumber)
    return fmt::format("the smallest number of a frame is -{}", largestNumber);
  if (span.last < span.first)
    return fmt::format("{} comes before {}: expected the smaller number first", span.last, span.first);
  return span.step < 1 ? "the step must be 1 or more" : "";
}

}  // namespace

std::optional<FrameSet> parseFrames(const std::string& text, Diagnostics& diagnostics) {
  const auto wrong = [&](const std::string& what) {
    diagnostics.error({}, fmt::format("--frames {}: {}", text, what));
    return std::nullopt;
  };
  std::vector<FrameSet::Run> runs;
  if (text.empty())
    return FrameSet();
  for (const std::string_view part : splitCommas(text)) {
    const std::optional<Span> span = spanOf(part);
    if (!span) {
      return wrong(
          "expected A, A-B or A-BxSTEP, or several with commas, such as 7, 0-99, -2-2, 1-100x5 or 1,5,9");
    }
    if (const std::string what = mistakeIn(*span); !what.empty())
      return wrong(what);
    const int64_t more = span->step == 1 ? span->last - span->first : 0;  // in a run
    for (int64_t first = span->first; first <= span->last; first += more + span->step) {
      if (runs.size() == mostRuns) {
        return wrong(
            fmt::format("at most {} frames with gaps between them; A-B may be any number", mostRuns));
      }
      runs.push_back({static_cast<int>(first), static_cast<int>(first + more)});
    }
  }
  return FrameSet(std::move(runs));
}

std::optional<FrameList> parseFrameList(const std::string& text, Diagnostics& diagnostics) {
  if (text == "all" || text == "last")
    return FrameList{text == "all" ? FrameList::Kind::all : FrameList::Kind::last};
  std::optional<FrameSet> numbers = parseFrames(text, diagnostics);
  if (!numbers)
    return std::nullopt;
  return FrameList{numbers->empty() ? FrameList::Kind::asGraph : FrameList::Kind::numbers,
                   std::move(*numbers)};
}

}  // namespace lacuna
