#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

struct InputFile {
  std::string name;
  size_t job = 0;
};

std::map<FileId, InputFile> inputFiles(const std::vector<DenoiseJob>& jobs) {
  std::map<FileId, InputFile> files;
  for (size_t i = 0; i < jobs.size(); ++i) {
    const DenoiseInput& input = jobs[i].input;
    for (const int number : input.isSequence() ? input.numbers : std::vector<int>{0}) {
      const std::string file = input.fileOf(number);
      if (const auto key = fileIdOf(file))
        files.try_emplace(*key, InputFile{file, i});
    }
  }
  return files;
}

}  // namespace

void checkFiles(const std::vector<DenoiseJob>& jobs, bool mayOverwrite, std::vector<std::string>& problems) {
  const std::map<FileId, InputFile> inputs = inputFiles(jobs);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const DenoiseJob& job = jobs[i];
    for (const int number : job.input.isSequence() ? job.input.numbers : std::vector<int>{0}) {
      const std::string output = framePath(job.output, number);
      const auto key = fileIdOf(output);
      const auto found = key ? inputs.find(*key) : inputs.end();
      if (found == inputs.end() || (mayOverwrite && found->second.job == i))
        continue;
      problems.push_back(fmt::format(
          "{}: would be written over the input {}; {}", output, found->second.name,
          found->second.job == i ? "--overwrite-input allows it" : "choose another name or folder"));
      break;
    }
  }
}

}  // namespace lacuna
