#include "tools/lacuna/denoise/join_sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "graph/config/text.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr size_t mostDigits = 9;  // that a pattern may ask for

// A name's last number, and the text around it.
struct NumberedName {
  std::string before, digits, after;

  bool isPadded() const { return digits.size() > 1 && digits[0] == '0'; }
};

NumberedName splitName(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  const size_t extension = std::min(name.rfind('.'), name.size());
  const size_t last = name.find_last_of("0123456789", extension);
  if (last == std::string::npos)
    return {file, "", ""};
  const size_t digit = name.find_last_not_of("0123456789", last);
  const size_t first = digit == std::string::npos ? 0 : digit + 1;
  const size_t folder = file.size() - name.size();
  return {file.substr(0, folder + first), name.substr(first, last + 1 - first), name.substr(last + 1)};
}

// Numbers of names that differ in them alone, padded to `width` digits; 0: not padded.
std::string sequencePattern(const NumberedName& name, size_t width) {
  return fmt::format("{}%{}d{}", patternOf(name.before), width > 0 ? fmt::format("0{}", width) : "",
                     patternOf(name.after));
}

// The number of digits to which each kind of name pads its numbers, judged by leading zeros.
using Widths = std::map<std::pair<std::string, std::string>, std::set<size_t>>;

// A number without leading zeros may have outgrown its padding: 10000 after 9999.
size_t widthOf(const NumberedName& name, const std::set<size_t>& widths) {
  if (name.isPadded())
    return name.digits.size();
  const auto above = widths.upper_bound(name.digits.size());
  return above == widths.begin() ? 0 : *std::prev(above);
}

class Joiner {
 public:
  Joiner(const std::vector<DenoiseInput>& inputs, bool sums) : sums_(sums) {
    for (const DenoiseInput& input : inputs) {
      const NumberedName name = splitName(input.file);
      if (canJoin(input, name) && name.isPadded())
        widths_[{name.before, name.after}].insert(name.digits.size());
    }
  }

  void add(DenoiseInput input) {
    const NumberedName name = splitName(input.file);
    if (!canJoin(input, name)) {
      joined_.push_back({std::move(input)});
      return;
    }
    const std::set<size_t>& widths = widths_[{name.before, name.after}];
    const size_t width = widthOf(name, widths);
    if (width == 0 && !widths.empty())
      tooShort_.try_emplace(input.file, sequencePattern(name, *widths.begin()));
    const auto [found, isNew] = sequences_.try_emplace(sequencePattern(name, width), joined_.size());
    const std::string file = input.file;
    const std::map<std::string, std::string> guides = guidePatterns(input);
    if (isNew)
      joined_.push_back({std::move(input), found->first, {}, guides});
    Sequence& sequence = joined_[found->second];
    if (guides != sequence.guides && sequence.withOtherGuides.empty())
      sequence.withOtherGuides = file;
    const int64_t number = parseInteger(name.digits).value_or(int64_t{largestFrameNumber} + 1);
    if (number > largestFrameNumber || width > mostDigits)
      sequence.tooLarge = file;
    sequence.input.numbers.push_back(static_cast<int>(std::min(number, int64_t{largestFrameNumber})));
  }

  std::vector<DenoiseInput> end(InputMessages& messages) {
    for (const auto& [file, pattern] : tooShort_)
      messages.skipped.push_back(fmt::format(
          "{}: its number has fewer digits than those of {}, so it is no frame of them", file, pattern));
    std::vector<DenoiseInput> inputs;
    for (Sequence& sequence : joined_) {
      DenoiseInput& input = sequence.input;
      if (!sequence.pattern.empty() && input.numbers.size() == 1) {
        input.numbers.clear();  // a still whose name has a number
      } else if (!sequence.tooLarge.empty()) {
        messages.problems.push_back(tooLargeMistake(sequence.tooLarge));
        input.numbers.clear();
      } else if (!sequence.withOtherGuides.empty()) {
        messages.problems.push_back(fmt::format(
            "{}: albedo, normals, depth or motion have no files like those of {}; move it, or its "
            "planes, elsewhere",
            sequence.withOtherGuides, input.file));
      } else if (!sequence.pattern.empty()) {
        input.file = sequence.pattern;
        for (auto& [plane, guide] : input.guides)
          guide.file = sequence.guides.at(plane);
        std::sort(input.numbers.begin(), input.numbers.end());
      }
      if (!input.isSequence())
        for (auto& [plane, guide] : input.guides)
          guide.file = patternOf(guide.file);
      input.isSummed = sums_ && input.isSequence() && isSample(input);
      inputs.push_back(std::move(input));
    }
    return inputs;
  }

 private:
  struct Sequence {
    DenoiseInput input;
    std::string pattern = {};                        // empty if it takes no other files
    std::string tooLarge = {};                       // the last file whose number can't be that of a frame
    std::map<std::string, std::string> guides = {};  // patterns, by plane
    std::string withOtherGuides = {};                // the first file that has others
  };

  // Of frames: each plane's file has the frame's number, as its picture has it.
  static std::map<std::string, std::string> guidePatterns(const DenoiseInput& input) {
    std::map<std::string, std::string> patterns;
    for (const auto& [plane, guide] : input.guides) {
      const NumberedName name = splitName(guide.file);
      patterns[plane] = sequencePattern(name, name.isPadded() ? name.digits.size() : 0);
    }
    return patterns;
  }

  static bool isSample(const DenoiseInput& input) { return !input.info.has("histogram"); }

  bool canJoin(const DenoiseInput& input, const NumberedName& name) const {
    const bool isFrame = sums_ ? isSample(input) : input.info.has("motion");
    return !input.isSequence() && isFrame && !name.digits.empty();
  }

  bool sums_;
  Widths widths_;
  std::map<std::string, size_t> sequences_;      // pattern -> index
  std::map<std::string, std::string> tooShort_;  // file -> pattern of others, whose numbers are padded
  std::vector<Sequence> joined_;
};

}  // namespace

std::vector<DenoiseInput> joinSequences(std::vector<DenoiseInput> inputs, bool sums,
                                        InputMessages& messages) {
  Joiner joiner(inputs, sums);
  for (DenoiseInput& input : inputs)
    joiner.add(std::move(input));
  return joiner.end(messages);
}

}  // namespace lacuna
