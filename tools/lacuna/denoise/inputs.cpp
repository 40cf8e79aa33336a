#include "tools/lacuna/denoise/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <set>

#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr size_t mostNames = 8;  // in a message

// "a.heic, b.tif and 3 more"
std::string listed(const std::vector<std::string>& names) {
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + static_cast<long>(std::min(names.size(), mostNames)));
  const size_t more = names.size() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string counted(const std::vector<std::string>& names, const char* what) {
  return fmt::format("{} {}{}", names.size(), what, names.size() == 1 ? "" : "s");
}

// Turns words into files, and into names with a number.
class Words {
 public:
  explicit Words(InputMessages& messages) : messages_(messages) {}

  void add(const std::string& word) {
    std::error_code failed;
    const fs::file_status status = fs::status(word, failed);
    if (word == standardStream)
      inputs_.push_back({word, {}});
    else if (word.empty())
      problem("'': expected the name of a file or folder");
    else if (fs::is_directory(status))
      addFolder(word);
    else if (fs::exists(status))
      addNamed(word);
    else if (status.type() == fs::file_type::none)
      problem(fmt::format("{}: can't be read: {}", word, failed.message()));
    else if (word.find_first_of("%#") != std::string::npos && isPattern(word))
      addPattern(word);
    else if (isGlob(word))
      addGlob(word);
    else
      problem(fmt::format("{}: no such file{}", word, numberedLike({}, word)));
  }

  std::vector<DenoiseInput> end() {
    if (!repeated_.empty())
      messages_.problems.warn({}, fmt::format("named more than once, and taken once: {}", listed(repeated_)));
    return std::move(inputs_);
  }

 private:
  void problem(const std::string& text) { messages_.problems.error({}, text); }

  void addFile(const FoundFile& found) {
    std::error_code failed;
    fs::path file = fs::weakly_canonical(found.file, failed);
    if (seen_.insert(failed ? found.file : file.string()).second)
      inputs_.push_back({.file = found.file, .below = found.below});
    else
      repeated_.push_back(found.file);
  }

  // A file is there. If its name also stands for numbered files, the user must choose.
  void addNamed(const std::string& file) {
    const bool isBoth = isPattern(file) && namesFrames(file) && !numberedFiles({}, file).numbers.empty();
    if (isBoth)
      problem(
          fmt::format("{0}: is the name of a file, and stands for numbered files, too, such as {1}: "
                      "write {2} for the file, or rename it",
                      file, framePath(file, numberedFiles({}, file).numbers.front()), patternOf(file)));
    else
      addFile({file});
  }

  void addPattern(const std::string& pattern) {
    std::error_code ignored;
    const std::string first = framePath(pattern, 0);
    if (!namesFrames(pattern)) {
      if (fs::exists(first, ignored))
        addFile({first});
      else
        problem(fmt::format("{}: no such file{}", first, numberedLike({}, pattern)));
      return;
    }
    const NumberedFiles files = numberedFiles({}, pattern);
    if (!files.tooLarge.empty())
      problem(tooLargeMistake(files.tooLarge));
    else if (files.numbers.empty())
      problem(unlisted({}, pattern)
                  .value_or(fmt::format("{}: no file has this name; the first could be {}{}", pattern,
                                        framePath(pattern, 1), numberedLike({}, pattern))));
    else
      inputs_.push_back({files.pattern, {files.numbers.begin(), files.numbers.end()}});
  }

  void addFolder(const std::string& folder) {
    const FoundFiles found = imagesIn(folder);
    const std::string below = (fs::path(folder) / "**").string();
    if (found.files.empty() && found.unread.empty()) {
      std::string text = fmt::format("{}: the folder has no images ({})", folder, io::knownExtensions(true));
      if (!found.others.empty())
        text += fmt::format("; it has {}: {}", counted(found.others, "other file"), listed(found.others));
      if (!found.folders.empty())
        text += fmt::format("; '{}' takes those of its {}: {}", below, counted(found.folders, "folder"),
                            listed(found.folders));
      problem(text);
      return;
    }
    addFound(found, folder, below);
  }

  void addGlob(const std::string& pattern) {
    const FoundFiles found = imagesMatching(pattern);
    if (found.files.empty() && found.unread.empty()) {
      problem(fmt::format("{}: no file has this name{}", pattern,
                          found.folders.empty() ? numberedLike({}, pattern)
                                                : ", but folders have: " + listed(found.folders)));
      return;
    }
    addFound(found, pattern, (fs::path(pattern).parent_path() / "**").string());
  }

  void addFound(const FoundFiles& found, const std::string& word, const std::string& below) {
    for (const std::string& text : found.unread)
      problem(text);
    for (const FoundFile& file : found.files)
      addFile(file);
    if (!found.others.empty())
      messages_.problems.warn(
          {}, fmt::format("{}: skipped {} whose names don't end in {}: {}", word,
                          counted(found.others, "file"), io::knownExtensions(true), listed(found.others)));
    if (!found.folders.empty())
      messages_.problems.warn({},
                              fmt::format("{}: skipped {}: {}; '{}' takes what is in folders, too", word,
                                          counted(found.folders, "folder"), listed(found.folders), below));
    if (!found.links.empty())
      messages_.problems.warn({}, fmt::format("{}: skipped {}: {}; ** follows no links to folders", word,
                                              counted(found.links, "link"), listed(found.links)));
  }

  InputMessages& messages_;
  std::vector<DenoiseInput> inputs_;
  std::set<std::string> seen_;
  std::vector<std::string> repeated_;
};

// For the first file that can be read.
bool readInfo(DenoiseInput& input, const ReadOptions& read, Diagnostics& damaged) {
  std::string mistake;
  const std::vector<int> numbers = input.isSequence() ? input.numbers : std::vector<int>{0};
  for (const int number : numbers)
    try {
      input.info = imageInfo(input.file == standardStream ? standardInputFile() : input.fileOf(number), read);
      for (const auto& [plane, guide] : input.guides)
        input.info.planes.push_back(guide.plane);
      return true;
    } catch (const FileError& error) {
      mistake = mistake.empty() ? error.what() : mistake;
    }
  damaged.error({}, mistake);
  return false;
}

// The same files, read for another layer. Reports if they lack it.
std::optional<DenoiseInput> withLayer(const DenoiseInput& input, const std::string& layer, ReadOptions read,
                                      InputMessages& messages) {
  DenoiseInput one = input;
  one.layer = read.layers["output"] = layer;
  if (!readInfo(one, read, messages.damaged))
    return std::nullopt;
  if (!one.info.has("output")) {
    messages.problems.error(
        {}, fmt::format("--layers {}: {} has no such layer with R G B; `lacuna info` lists its layers", layer,
                        input.file));
    return std::nullopt;
  }
  return one;
}

std::vector<DenoiseInput> layersOf(const DenoiseInput& input, const std::vector<std::string>& names,
                                   const ReadOptions& read, InputMessages& messages) {
  const std::vector<std::string> all = names == std::vector<std::string>{"all"} ? input.info.pictures : names;
  std::vector<DenoiseInput> inputs;
  std::set<std::string> taken;
  for (const std::string& layer : all) {
    auto one = all.size() == 1 && all.front().empty() ? input : withLayer(input, layer, read, messages);
    if (one && !taken.insert(one->info.layerOf("output")).second)
      messages.problems.error({}, fmt::format("--layers: {} is named more than once", layer));
    else if (one)
      inputs.push_back(*std::move(one));
  }
  return all.empty() ? std::vector<DenoiseInput>{input} : inputs;
}

}  // namespace

std::string DenoiseInput::fileOf(int number) const {
  return isSequence() ? framePath(file, number) : file;
}

std::string DenoiseInput::pattern() const {
  return isSequence() ? file : patternOf(file);
}

FrameSet DenoiseInput::frames(const NumberedFiles& files) const {
  const FrameSet named(numbers);
  const FrameSet others = files.numbers.without(named);
  return FrameSet::range(named.front(), named.back()).without(others);
}

std::vector<DenoiseInput> namedInputs(const std::vector<std::string>& words, InputMessages& messages) {
  Words found(messages);
  for (const std::string& word : words)
    found.add(word);
  return found.end();
}

std::vector<DenoiseInput> findInputs(const std::vector<std::string>& words, bool sums,
                                     const std::vector<std::string>& names, bool eachLayer,
                                     const ReadOptions& read,
                                     const std::map<std::string, std::string>* guides,
                                     InputMessages& messages) {
  std::vector<DenoiseInput> inputs = namedInputs(words, messages);
  std::erase_if(inputs, [&](DenoiseInput& input) { return !readInfo(input, read, messages.damaged); });
  if (guides != nullptr)
    takeGuideFiles(inputs, messages);
  inputs = joinSequences(std::move(inputs), sums, messages);
  if (guides != nullptr)
    addGuideFiles(inputs, *guides, messages.problems);
  if (names.empty())
    return inputs;
  std::vector<DenoiseInput> all;
  for (const DenoiseInput& input : inputs) {
    std::vector<DenoiseInput> found = layersOf(input, names, read, messages);
    if (!eachLayer && !found.empty()) {
      found.front().others.assign(found.begin() + 1, found.end());
      found.resize(1);
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

}  // namespace lacuna
