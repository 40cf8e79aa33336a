#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "graph/config/text.h"
#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr size_t mostShown = 4;

bool areSiblings(const std::string& one, const std::string& other) {
  const auto folderOf = [](const std::string& file) {
    return fs::path(file).lexically_normal().parent_path();
  };
  return folderOf(one) == folderOf(other) && io::extensionOf(one) == io::extensionOf(other);
}

bool fitsInGraph(const std::string& name) {
  return !firstByteNotText(name) && name.find_first_of("\n\r") == std::string::npos;
}

// With all its folders, as graphs name it.
std::string nameInGraph(const std::string& input) {
  const bool isInFolder = input != standardStream && fitsInGraph(input);
  return isInFolder && !fitsInGraph(fs::current_path().string()) ? fs::absolute(input).string() : input;
}

// "a\nb\xff.png"
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r')
      text += c == '\n' ? "\\n" : "\\r";
    else
      text += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text;
}

}  // namespace

std::string expandedOutput(const DenoiseArguments& arguments) {
  const std::string& output = arguments.output;
  std::error_code ignored;
  if (arguments.run.keepOutputs || !fs::is_regular_file(output, ignored) ||
      io::codecOfExtension(io::extensionOf(output)) == nullptr)
    return {};
  const auto behind = arguments.inputs.begin() + static_cast<long>(arguments.inputsBeforeOutput);
  std::vector<std::string> siblings;
  std::copy_if(behind, arguments.inputs.end(), std::back_inserter(siblings),
               [&](const std::string& input) { return areSiblings(input, output); });
  const bool isRepeated = std::any_of(siblings.begin(), siblings.end(), [&](const std::string& input) {
    return std::find(arguments.inputs.begin(), behind, input) != behind;
  });
  if (siblings.size() < 2 && !isRepeated)
    return {};
  const bool isLong = siblings.size() > mostShown;
  siblings.resize(std::min(siblings.size(), mostShown));
  return fmt::format(
      "-o {0} {1}{2}: {0} already exists, and would be replaced: did the shell put these files in the "
      "place of a pattern? Behind -o one name is expected, such as 'clean/' or 'clean/{{stem}}{3}', in "
      "quotes if it has *, ? or [ in it; if {0} is meant, write each input once, and -o behind them",
      output, fmt::join(siblings, " "), isLong ? " ..." : "", io::extensionOf(output));
}

void checkNames(const std::vector<DenoiseJob>& jobs, Diagnostics& problems) {
  for (const DenoiseJob& job : jobs)
    for (const std::string& name : {nameInGraph(job.input.file), job.output})
      if (!fitsInGraph(name)) {
        problems.error({}, fmt::format("{}: the name has line breaks or bytes that are not UTF-8 (written "
                                       "\\n, \\r, \\xNN here), which "
                                       "graphs can't hold; rename the file or folder, or link to it",
                                       escaped(name)));
        break;
      }
}

namespace {

struct InputFile {
  std::string name;
  size_t job = 0;  // that reads it; the number of jobs where several do, such as one for each of its layers
};

std::map<FileId, InputFile> inputFiles(const std::vector<DenoiseJob>& jobs) {
  std::map<FileId, InputFile> files;
  for (size_t i = 0; i < jobs.size(); ++i) {
    const DenoiseInput& input = jobs[i].input;
    for (const int number : input.isSequence() ? input.numbers : std::vector<int>{0}) {
      const std::string file = input.fileOf(number);
      const auto key = fileIdOf(file);
      if (!key)
        continue;
      const auto [found, isNew] = files.try_emplace(*key, InputFile{file, i});
      if (!isNew && found->second.job != i)
        found->second.job = jobs.size();
    }
  }
  return files;
}

}  // namespace

void checkFiles(const std::vector<DenoiseJob>& jobs, bool mayOverwrite, Diagnostics& problems) {
  const std::map<FileId, InputFile> inputs = inputFiles(jobs);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const DenoiseJob& job = jobs[i];
    for (const int number : job.input.isSequence() ? job.input.numbers : std::vector<int>{0}) {
      const std::string output = framePath(job.output, number);
      const auto key = fileIdOf(output);
      const auto found = key ? inputs.find(*key) : inputs.end();
      if (found == inputs.end() || (mayOverwrite && found->second.job == i))
        continue;
      problems.error({}, fmt::format("{}: would be written over the input {}; {}", output, found->second.name,
                                     found->second.job == i ? "--overwrite-input allows it"
                                                            : "choose another name or folder"));
      break;
    }
  }
}

}  // namespace lacuna
