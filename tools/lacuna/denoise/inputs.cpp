#include "tools/lacuna/denoise/inputs.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "graph/config/text.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/file_format.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

bool hasImageExtension(const fs::path& file) {
  const io::FileFormat* format = io::formatOfExtension(io::extensionOf(file.string()));
  return format != nullptr && format->codec != &io::npyCodec;  // numbers, mostly
}

std::vector<std::string> imagesIn(const std::string& folder, std::vector<std::string>& problems) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->is_regular_file(failed) && hasImageExtension(entry->path()))
      files.push_back(entry->path().string());
  std::sort(files.begin(), files.end());
  if (failed)
    problems.push_back(fmt::format("{}: the folder can't be read: {}", folder, failed.message()));
  else if (files.empty())
    problems.push_back(fmt::format("{}: the folder has no images (.png, .jpg, .jpeg, .exr, .pfm)", folder));
  return files;
}

std::vector<std::string> matches(const std::string& pattern, std::vector<std::string>& problems) {
  glob_t found{};
  std::vector<std::string> files;
  if (glob(pattern.c_str(), GLOB_TILDE, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::erase_if(files, [](const std::string& file) { return fs::is_directory(file); });
  if (files.empty())
    problems.push_back(fmt::format("{}: no file has such a name", pattern));
  return files;
}

void addPattern(const std::string& pattern, std::vector<DenoiseInput>& inputs,
                std::vector<std::string>& problems) {
  const fs::path path = pattern;
  const FrameSet numbers = numbersThere(path.parent_path().string(), path.filename().string());
  if (numbers.empty())
    problems.push_back(
        fmt::format("{}: no file has such a name; the first could be {}", pattern, framePath(pattern, 1)));
  else
    inputs.push_back({pattern, {numbers.begin(), numbers.end()}});
}

// A name's last number, and what stands around it.
struct NumberedName {
  std::string before, digits, after;
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

// The names with a number that a file could be one of: with and without leading zeros.
std::string patternOf(const NumberedName& name) {
  const bool padded = name.digits.size() > 1 && name.digits.size() <= 9 && name.digits[0] == '0';
  return fmt::format("{}%{}d{}", withPercentSigns(name.before),
                     padded ? fmt::format("0{}", name.digits.size()) : "", withPercentSigns(name.after));
}

bool isSample(const DenoiseInput& input) {
  return !input.info.has("histogram");
}

// Joins numbered EXR files with motion, or with `sums` those without histograms. 0099 and 0100 have one
// pattern only because of their equal length.
std::vector<DenoiseInput> joinSequences(std::vector<DenoiseInput> inputs, bool sums) {
  std::map<std::string, size_t> sequences;  // their names around the number, and its digits -> index
  std::vector<DenoiseInput> joined;
  for (DenoiseInput& input : inputs) {
    const NumberedName name = splitName(input.file);
    const auto number = parseInteger(name.digits);
    const bool isFrame = sums ? isSample(input) : input.info.has("motion");
    const bool canJoin = !input.isSequence() && isFrame && number && *number <= 999'999'999 &&
                         name.before.find('#') == std::string::npos;
    if (!canJoin) {
      joined.push_back(std::move(input));
      continue;
    }
    const std::string key = fmt::format("{}/{}/{}", name.before, name.digits.size(), name.after);
    const auto [found, isNew] = sequences.try_emplace(key, joined.size());
    if (isNew) {
      joined.push_back(std::move(input));
      joined.back().numbers = {static_cast<int>(*number)};
    } else {
      joined[found->second].numbers.push_back(static_cast<int>(*number));
    }
  }
  for (DenoiseInput& input : joined) {
    std::sort(input.numbers.begin(), input.numbers.end());
    if (input.numbers.size() == 1)
      input.numbers.clear();
    else if (!input.numbers.empty() && !namesFrames(input.file))
      input.file = patternOf(splitName(input.file));
    input.isSummed = sums && input.isSequence() && isSample(input);
  }
  return joined;
}

// Of the first file that can be read.
bool readInfo(DenoiseInput& input, const std::map<std::string, std::string>& layers,
              std::vector<std::string>& damaged) {
  std::string mistake;
  const std::vector<int> numbers = input.isSequence() ? input.numbers : std::vector<int>{0};
  for (const int number : numbers)
    try {
      input.info =
          imageInfo(input.file == standardStream ? standardInputFile() : input.fileOf(number), layers);
      return true;
    } catch (const FileError& error) {
      mistake = mistake.empty() ? error.what() : mistake;
    }
  damaged.push_back(mistake);
  return false;
}

}  // namespace

std::string withPercentSigns(const std::string& name) {
  std::string pattern;
  for (const char c : name)
    pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern;
}

std::string DenoiseInput::fileOf(int number) const {
  return isSequence() ? framePath(file, number) : file;
}

std::vector<DenoiseInput> namedInputs(const std::vector<std::string>& words,
                                      std::vector<std::string>& problems) {
  std::vector<DenoiseInput> inputs;
  std::set<std::string> seen;
  const auto add = [&](const std::vector<std::string>& files) {
    for (const std::string& file : files)
      if (seen.insert(fs::weakly_canonical(file).string()).second)
        inputs.push_back({file, {}});
  };
  for (const std::string& word : words) {
    std::error_code ignored;
    if (word == standardStream)
      inputs.push_back({word, {}});
    else if (word.empty())
      problems.emplace_back("'': expected the name of a file or folder");
    else if (fs::is_directory(word, ignored))
      add(imagesIn(word, problems));
    else if (fs::exists(word, ignored))
      add({word});
    else if (word.find_first_of("%#") != std::string::npos && namesFrames(word))
      addPattern(word, inputs, problems);
    else if (word.find_first_of("*?[") != std::string::npos)
      add(matches(word, problems));
    else
      problems.push_back(fmt::format("{}: no such file", word));
  }
  return inputs;
}

std::vector<DenoiseInput> findInputs(const std::vector<std::string>& words, bool sums,
                                     const std::map<std::string, std::string>& layers,
                                     std::vector<std::string>& problems, std::vector<std::string>& damaged) {
  std::vector<DenoiseInput> inputs = namedInputs(words, problems);
  std::erase_if(inputs, [&](DenoiseInput& input) { return !readInfo(input, layers, damaged); });
  return joinSequences(std::move(inputs), sums);
}

}  // namespace lacuna
