#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string filledIn(const std::string& output, const DenoiseInput& from, Diagnostics& problems) {
  const fs::path input = from.pattern();
  const std::string layer = from.layer.empty() ? from.info.layerOf("output") : from.layer;
  const bool hasLayers = from.info.codec == "exr";
  const std::map<std::string, std::string> words = {
      {"stem", namePartOf(input.stem().string())},
      {"ext", input.has_extension() ? input.extension().string().substr(1) : ""},
      {"name", input.filename().string()},
      {"layer", layer.empty() ? "RGBA" : patternOf(namePartOf(layer))},
      {"folder", from.below.empty() ? "." : patternOf(from.below)}};
  std::string name;
  for (size_t at = 0; at < output.size(); ++at) {
    if (output[at] != '{') {
      name += output[at];
      continue;
    }
    const size_t end = std::min(output.find('}', at), output.size() - 1);
    const auto word = words.find(output.substr(at + 1, end - at - 1));
    if (word != words.end() && word->first == "layer" && !hasLayers) {
      problems.error({},
                     fmt::format("-o {}: {{layer}} is for OpenEXR files, but {} is none", output, from.file));
      return {};
    }
    if (word == words.end()) {
      problems.error(
          {},
          fmt::format("-o {}: '{}' is unknown; expected {{stem}}, {{ext}}, {{name}}, {{layer}} or {{folder}}",
                      output, output.substr(at, end - at + 1)));
      return {};
    }
    name += word->second;
    at = end;
  }
  return name;
}

// In a folder, a photograph whose format nothing writes becomes a JPEG.
fs::path nameInFolder(const DenoiseInput& input) {
  fs::path name = fs::path(input.pattern()).filename();
  const bool isRaw = io::codecOfWord(input.info.codec)->holds == io::Holds::mosaic &&
                     io::codecOfExtension(io::extensionOf(name.string())) == nullptr;
  return isRaw ? name.replace_extension(".jpg") : name;
}

std::string extensionMistake(const std::string& output, const DenoiseInput& input) {
  const std::string extension = io::extensionOf(output);
  const io::Codec* codec = io::codecOfExtension(extension);
  const io::Codec* read = io::codecOfWord(input.info.codec);
  if (codec != nullptr && codec->holds == io::Holds::mosaic && read != nullptr && read != codec)
    return fmt::format("-o {}: a {} file is made from a {}, but {} is a {} file", output, extension,
                       codec->label, input.file, read->label);
  if (output == standardStream || codec != nullptr)
    return {};
  return fmt::format("-o {}: {}; expected {}", output,
                     extension.empty()
                         ? "the name has no extension"
                         : fmt::format("'{}' is not an image format that can be written", extension),
                     io::knownExtensions());
}

std::string nameForFrames(const std::string& output, const DenoiseInput& input) {
  return fmt::format(
      "-o {}: a name for frames, but {} is a single picture; %% stands for a percent sign, %# "
      "for a #",
      output, input.file == standardStream ? "standard input" : input.file);
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
  return {};
}

// The word behind -o as a pattern. If the name can't be a pattern, or is an existing folder, it is a plain
// name.
std::string asPattern(const std::string& output) {
  std::error_code ignored;
  return isPattern(output) && !fs::is_directory(output, ignored) ? output : patternOf(output);
}

// Reports files that two inputs would be written to.
class Writers {
 public:
  explicit Writers(Diagnostics& problems) : problems_(problems) {}

  void add(const std::string& pattern, const DenoiseInput& input) {
    const bool isMany = input.isSequence() && namesFrames(pattern);
    for (const int number : isMany ? input.numbers : std::vector<int>{0}) {
      const std::string file = fs::path(framePath(pattern, number)).lexically_normal().string();
      const auto [other, isNew] = inputs_.try_emplace(file, &input);
      if (isNew || other->second == &input)
        continue;
      problems_.error(
          {}, fmt::format("{} and {} would both be written to {}; names may contain {{folder}}, {{stem}} and "
                          "{{ext}} ('out/{}{}')",
                          other->second->file, input.file, file,
                          other->second->below == input.below ? "{stem}-{ext}" : "{folder}/{stem}",
                          fs::path(file).extension().string()));
      return;
    }
  }

 private:
  Diagnostics& problems_;
  std::map<std::string, const DenoiseInput*> inputs_;  // output -> input
};

}  // namespace

std::vector<std::string> nameOutputs(const std::string& output, const std::vector<DenoiseInput>& inputs,
                                     Diagnostics& problems) {
  if (inputs.empty())
    return {};
  std::error_code ignored;
  const bool isFolder = output.ends_with('/') || (!output.empty() && fs::is_directory(output, ignored));
  const bool isTemplate = output.find('{') != std::string::npos;
  if (output.empty()) {
    problems.error({}, "-o '': expected the name of a file or folder");
    return {};
  }
  const std::string pattern = asPattern(output);
  if (!isFolder && !isTemplate)
    if (const std::string mistake = singleMistake(pattern, inputs); !mistake.empty()) {
      problems.error({}, mistake);
      return {};
    }
  std::vector<std::string> names;
  Writers writers(problems);
  for (const DenoiseInput& input : inputs) {
    std::string name = isTemplate ? filledIn(pattern, input, problems) : pattern;
    if (name.empty())
      return {};
    if (isFolder && input.file == standardStream) {
      problems.error(
          {}, fmt::format("-o {}: standard input has no name in a folder; expected a file's name", output));
      return {};
    }
    if (isFolder)
      name = (fs::path(name) / patternOf(input.below) / nameInFolder(input)).string();
    if (!input.isSequence() && namesFrames(name))
      problems.error({}, nameForFrames(output, input));
    writers.add(name, input);
    if (const std::string mistake = extensionMistake(name, input); !mistake.empty())
      problems.error({}, mistake);
    names.push_back(name);
  }
  return names;
}

}  // namespace lacuna
