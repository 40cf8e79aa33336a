// The transcripts of this folder, *.txt, whose form README.md states.

#include <fmt/format.h>

#include <ranges>
#include <sstream>

#include "graph/config/regex.h"
#include "tests/cli/denoise.h"
#include "tests/io/exr_parts.h"
#include "tests/support/places.h"
#include "tests/support/program.h"
#include "tests/support/transcript.h"

namespace lacuna::test {
namespace {

std::string sourceFolder() {
  return fs::path(testFolder()).parent_path().string();
}

// By its ending: 8 bits, or floats from 0 to 1.
void writeRandomPicture(const std::string& path, Extent extent) {
  const std::string ending = fs::path(path).extension().string().substr(1);
  const bool isFloat = ending == "exr" || ending == "pfm" || ending == "npy";
  if (ending == "png")
    return writeRandomPng(path, extent);
  const ValueType type{Channels::rgba, isFloat ? Format::f32 : Format::u8, ColourTag::rec709, extent};
  std::mt19937_64 random = namedRandom(fs::path(path).filename());
  std::vector<std::byte> pixels = randomBytes(byteSize(type), random);
  for (size_t i = 0; isFloat && i < pixels.size(); i += 4) {
    const float value = i % 16 == 12 ? 1.0F : std::uniform_real_distribution<float>(0.0F, 1.0F)(random);
    std::memcpy(&pixels[i], &value, sizeof value);
  }
  writeImage(ending, path, {{"output", type, pixels}});
}

class ShellTranscript : public TranscriptTest {
  void writeFile(const std::string& head, const std::string& lines) override {
    const size_t chain = head.find(" = ");
    std::string content = (chain == std::string::npos ? "" : chainGraph(head.substr(chain + 3))) + lines;
    replaceAll(content, "$SOURCE", sourceFolder());
    const std::string name = folder_.file(head.substr(0, chain));
    fs::create_directories(fs::path(name).parent_path());
    spill(name, content);
  }

  // The commands that no shell has: `picture NAME... WxH` and `pictures PATTERN FIRST COUNT WxH`, of values
  // that their names decide; `moving PATTERN FIRST COUNT X Y`, frames of a render; `layers FILE CHANNEL...`,
  // an OpenEXR file (~ is a space); `same A B [PLANE]`, 1 if pixels differ.
  std::optional<int> own(const std::string& command) const {
    std::istringstream stream(command);
    const Lines words(std::istream_iterator<std::string>(stream), {});
    if (words[0] == "same") {
      const auto pixels = [&](const std::string& name) {
        return readPlane(codecOfFile(folder_.file(name)), folder_.file(name),
                         words.size() > 3 ? words[3] : "output");
      };
      return pixels(words.at(1)) == pixels(words.at(2)) ? 0 : 1;
    }
    if (words[0] == "layers") {
      Lines channels(words.begin() + 2, words.end());
      for (std::string& channel : channels)
        std::ranges::replace(channel, '~', ' ');
      writeParts(folder_.file(words.at(1)), {{"", channels}});
      return 0;
    }
    Lines names;
    if (words[0] == "picture")
      names.assign(words.begin() + 1, words.end() - 1);
    else if (words[0] == "pictures" || words[0] == "moving")
      for (int i = 0; i < std::stoi(words.at(3)); ++i)
        names.push_back(framePath(words[1], std::stoi(words[2]) + i));
    else
      return std::nullopt;
    Extent extent;
    std::sscanf(words.back().c_str(), "%ux%u", &extent.width, &extent.height);
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string path = folder_.file(names[i]);
      fs::create_directories(fs::path(path).parent_path());
      if (words[0] == "moving")
        writeMovingFrame(path, static_cast<int>(i), std::stof(words.at(4)), std::stof(words.at(5)),
                         words.size() > 6 ? std::stoi(words[6]) : -2);
      else
        writeRandomPicture(path, extent);
    }
    return 0;
  }

  Answer run(const std::string& command) override {
    const std::string before = listing(folder_.path());
    Outcome outcome;
    if (const auto code = own(command))
      outcome.code = *code;
    else
      outcome = runShell(command, folder_.path());
    // Whatever is refused leaves all files as they were.
    if (outcome.code == 2)
      EXPECT_EQ(listing(folder_.path()), before) << "files were changed";
    return {outcome.code, printed(command, outcome)};
  }

  // Lines of standard output behind bars, then those of standard error; names of folders as variables. Lines
  // of files that messages quote, which tests/error has, and hints that are those of every mistake in words
  // are left out, and so is what a build that counts lines reports.
  Lines printed(const std::string& command, const Outcome& outcome) const {
    Lines lines = linesOf(outcome.out);
    for (std::string& line : lines)
      line.insert(0, line.empty() ? "|" : "| ");
    const std::string hint =
        "  hint: `" + command.substr(0, command.find(' ', 7)) + " --help` lists its options";
    for (const std::string& line : linesOf(outcome.err))
      if (!lines.empty() && Regex("^ +\\^~*$").find(line))
        lines.pop_back();
      else if (line != hint && !line.starts_with("libgcov "))
        lines.push_back(line);
    for (std::string& line : lines) {
      replaceAll(line, folder_.path(), "$PWD");
      replaceAll(line, sourceFolder(), "$SOURCE");
    }
    return lines;
  }

  std::string patternOf(const std::string& line) const override {
    std::string pattern = line;
    const Regex seconds(" [0-9][0-9.]*( (ms|s|a second)([^a-z]|$))");
    for (const RegexMatch& time : seconds.findAll(line) | std::views::reverse)
      pattern.replace(time.begin + 1, time.end - time.begin - 1 - time.groups[1].size(), "<*>");
    return pattern;
  }

  const Folder folder_;
};

const bool areRegistered = [] {
  setenv("TEST_MODULES", LACUNA_TEST_MODULES, 1);
  setenv("TEST_LAYERS", LACUNA_TEST_LAYERS, 1);
  return registerTranscripts(testFolder() + "/cli", [] { return new ShellTranscript; });
}();

}  // namespace
}  // namespace lacuna::test
