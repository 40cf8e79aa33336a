#include "tools/lacuna/denoise/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/file_format.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string filledIn(const std::string& output, const fs::path& input, std::vector<std::string>& problems) {
  const std::map<std::string, std::string> words = {
      {"stem", input.stem().string()},
      {"ext", input.has_extension() ? input.extension().string().substr(1) : ""},
      {"name", input.filename().string()}};
  std::string name;
  for (size_t at = 0; at < output.size(); ++at) {
    if (output[at] != '{') {
      name += output[at];
      continue;
    }
    const size_t end = std::min(output.find('}', at), output.size() - 1);
    const auto word = words.find(output.substr(at + 1, end - at - 1));
    if (word == words.end()) {
      problems.push_back(fmt::format("-o {}: '{}' means nothing; expected {{stem}}, {{ext}} or {{name}}",
                                     output, output.substr(at, end - at + 1)));
      return {};
    }
    name += word->second;
    at = end;
  }
  return name;
}

std::string extensionMistake(const std::string& output) {
  if (output == standardStream || io::formatOfExtension(io::extensionOf(output)) != nullptr)
    return {};
  const std::string extension = io::extensionOf(output);
  return fmt::format("-o {}: {}; expected {}", output,
                     extension.empty()
                         ? "the name has no extension"
                         : fmt::format("'{}' is no image format that can be written", extension),
                     io::knownExtensions());
}

std::string singleMistake(const std::string& output, const std::vector<DenoiseInput>& inputs) {
  const bool isNumbered = namesFrames(output);
  if (inputs.size() > 1)
    return fmt::format(
        "-o {}: one name for {} pictures; expected a folder ('{}/'), or {{stem}} in the name "
        "('out/{{stem}}.png')",
        output, inputs.size(), output);
  if (inputs.front().isSequence() && !inputs.front().isSummed && !isNumbered)
    return fmt::format("-o {}: one name for {} frames; expected a number in it ('out/%04d.exr') or a folder",
                       output, inputs.front().numbers.size());
  if (!inputs.front().isSequence() && isNumbered)
    return fmt::format("-o {}: a name for frames, but {} is a single picture", output, inputs.front().file);
  return {};
}

}  // namespace

std::vector<std::string> nameOutputs(const std::string& output, const std::vector<DenoiseInput>& inputs,
                                     std::vector<std::string>& problems) {
  if (inputs.empty())
    return {};
  std::error_code ignored;
  const bool isFolder = output.ends_with('/') || (!output.empty() && fs::is_directory(output, ignored));
  const bool isTemplate = output.find('{') != std::string::npos;
  if (output.empty()) {
    problems.emplace_back("-o '': expected the name of a file or folder");
    return {};
  }
  if (!isFolder && !isTemplate)
    if (const std::string mistake = singleMistake(output, inputs); !mistake.empty()) {
      problems.push_back(mistake);
      return {};
    }
  std::vector<std::string> names;
  std::map<std::string, std::string> writers;  // output -> input
  for (const DenoiseInput& input : inputs) {
    const fs::path file = input.isSequence() ? input.file : withPercentSigns(input.file);
    std::string name = isTemplate ? filledIn(output, file, problems) : output;
    if (name.empty())
      return {};
    if (isFolder)
      name = (fs::path(name) / file.filename()).string();
    const auto [writer, isNew] = writers.try_emplace(fs::weakly_canonical(name).string(), input.file);
    if (!isNew)
      problems.push_back(fmt::format("-o {}: {} and {} would both be written to {}", output, writer->second,
                                     input.file, name));
    if (const std::string mistake = extensionMistake(name); !mistake.empty())
      problems.push_back(mistake);
    names.push_back(name);
  }
  return names;
}

}  // namespace lacuna
