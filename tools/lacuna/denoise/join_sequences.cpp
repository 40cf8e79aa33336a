#include "tools/lacuna/denoise/inputs.h"

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
  bool isNegative = false;

  bool isPadded() const { return digits.size() > 1 && digits[0] == '0'; }
  // Its digits, if it is padded to `width` or has outgrown that: 10000 after 9999.
  bool fits(size_t width) const { return isPadded() ? digits.size() == width : digits.size() >= width; }
  void takeSign() {
    isNegative = true;
    before.pop_back();
  }
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

// Of names that differ in their numbers alone.
struct Padding {
  size_t width = 0;      // digits; 0: none
  bool isPlain = false;  // without the minus sign, as %.4d has it

  bool fits(const NumberedName& name) const {
    return name.fits(width - (name.isNegative && !isPlain && width > 0 ? 1 : 0));
  }
};

std::string sequencePattern(const NumberedName& name, const Padding& padding) {
  const char* const kind = padding.isPlain ? "." : "0";
  return fmt::format("{}%{}d{}", patternOf(name.before),
                     padding.width > 0 ? fmt::format("{}{}", kind, padding.width) : "",
                     patternOf(name.after));
}

// The digits to which each kind of name pads its numbers, judged by leading zeros.
struct Widths {
  std::set<size_t> positive, negative;

  // The widest first.
  std::vector<Padding> paddings() const {
    std::vector<Padding> all;
    for (const size_t width : positive)
      all.push_back({width, negative.contains(width) && !negative.contains(width - 1)});
    for (const size_t width : negative)
      if (!positive.contains(width) && !positive.contains(width + 1))
        all.push_back({width, true});
    std::ranges::sort(all, std::greater(), &Padding::width);
    return all;
  }
};

class Joiner {
 public:
  Joiner(const std::vector<DenoiseInput>& inputs, bool sums) : sums_(sums) {
    for (const DenoiseInput& input : inputs) {
      const NumberedName name = splitName(input.file);
      if (canJoin(input, name) && parseInteger(name.digits) == 0)
        zeros_.insert({name.before, name.after});
    }
    for (const DenoiseInput& input : inputs) {
      const NumberedName name = signedName(input.file);
      if (canJoin(input, name) && name.isPadded()) {
        Widths& widths = widths_[{name.before, name.after}];
        (name.isNegative ? widths.negative : widths.positive).insert(name.digits.size());
      }
    }
  }

  void add(DenoiseInput input) {
    const NumberedName name = signedName(input.file);
    if (!canJoin(input, name)) {
      joined_.push_back({std::move(input)});
      return;
    }
    const std::vector<Padding> paddings = widths_[{name.before, name.after}].paddings();
    const auto fitting = std::ranges::find_if(paddings, [&](const Padding& each) { return each.fits(name); });
    const bool isShort = fitting == paddings.end() && !name.isPadded();
    const Padding padding = fitting != paddings.end() ? *fitting : ownPadding(name);
    if (isShort && !paddings.empty())
      tooShort_.try_emplace(input.file, sequencePattern(name, paddings.back()));
    const auto [found, isNew] = sequences_.try_emplace(sequencePattern(name, padding), joined_.size());
    const std::string file = input.file;
    const std::map<std::string, std::string> guides = guidePatterns(input, name, padding);
    if (isNew)
      joined_.push_back({std::move(input), found->first, {}, guides});
    Sequence& sequence = joined_[found->second];
    if (guides != sequence.guides && sequence.withOtherGuides.empty())
      sequence.withOtherGuides = file;
    const int64_t number = parseInteger(name.digits).value_or(int64_t{largestFrameNumber} + 1);
    if (number > largestFrameNumber || padding.width > mostDigits)
      sequence.tooLarge = file;
    const auto kept = static_cast<int>(std::min(number, int64_t{largestFrameNumber}));
    sequence.input.numbers.push_back(name.isNegative ? -kept : kept);
  }

  std::vector<DenoiseInput> end(InputMessages& messages) {
    for (const auto& [file, pattern] : tooShort_)
      messages.problems.warn(
          {}, fmt::format("{}: its number has fewer digits than those of {}, so it is no frame of them", file,
                          pattern));
    std::vector<DenoiseInput> inputs;
    for (Sequence& sequence : joined_) {
      DenoiseInput& input = sequence.input;
      if (!sequence.pattern.empty() && input.numbers.size() == 1) {
        input.numbers.clear();  // a still whose name has a number
      } else if (!sequence.tooLarge.empty()) {
        messages.problems.error({}, tooLargeMistake(sequence.tooLarge));
        input.numbers.clear();
      } else if (!sequence.withOtherGuides.empty()) {
        messages.problems.error(
            {}, fmt::format(
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

  // Behind a letter or digit a minus sign is one if there is a frame 0: as numberedFiles() has it.
  NumberedName signedName(const std::string& file) const {
    NumberedName name = splitName(file);
    if (name.before.ends_with('-') && parseInteger(name.digits) != 0) {
      const std::string before = name.before.substr(0, name.before.size() - 1);
      if (mayPrecedeSign(before) || zeros_.contains({before, name.after}))
        name.takeSign();
    }
    return name;
  }

  static Padding ownPadding(const NumberedName& name) {
    return {name.isPadded() ? name.digits.size() : 0, name.isNegative};
  }

  // Of frames: each plane's file has the frame's number, as its picture has it.
  static std::map<std::string, std::string> guidePatterns(const DenoiseInput& input,
                                                          const NumberedName& picture,
                                                          const Padding& padding) {
    std::map<std::string, std::string> patterns;
    for (const auto& [plane, guide] : input.guides) {
      NumberedName name = splitName(guide.file);
      if (picture.isNegative && name.before.ends_with('-'))
        name.takeSign();
      const bool isSame = name.digits == picture.digits && name.isNegative == picture.isNegative;
      patterns[plane] = sequencePattern(name, isSame ? padding : ownPadding(name));
    }
    return patterns;
  }

  static bool isSample(const DenoiseInput& input) { return !input.info.has("histogram"); }

  bool canJoin(const DenoiseInput& input, const NumberedName& name) const {
    const bool isFrame = sums_ ? isSample(input) : input.info.has("motion");
    return !input.isSequence() && isFrame && !name.digits.empty();
  }

  bool sums_;
  std::set<std::pair<std::string, std::string>> zeros_;  // names, without their digits, that have number 0
  std::map<std::pair<std::string, std::string>, Widths> widths_;
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
