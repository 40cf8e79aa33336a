// The transcripts of this folder, *.txt, whose form README.md states.

#include <fmt/format.h>

#include <ranges>
#include <sstream>

#include "graph/config/regex.h"
#include "tests/cli/own_commands.h"
#include "tests/support/graph_text.h"
#include "tests/support/places.h"
#include "tests/support/program.h"
#include "tests/support/transcript.h"

namespace lacuna::test {
namespace {

std::string sourceFolder() {
  return fs::path(testFolder()).parent_path().string();
}

class ShellTranscript : public TranscriptTest {
  bool has(const std::string& program) const override {
    return runShell("command -v " + program, folder_.path()).code == 0;
  }

  void writeFile(const std::string& head, const std::string& lines) override {
    const size_t chain = head.find(" = ");
    std::string content =
        chain == std::string::npos ? lines : graphText(head.substr(chain + 3) + "\n" + lines);
    replaceAll(content, "$SOURCE", sourceFolder());
    const std::string name = folder_.file(head.substr(0, chain));
    fs::create_directories(fs::path(name).parent_path());
    spill(name, content);
  }

  Answer run(const std::string& command) override {
    const std::string before = listing(folder_.path());
    const std::optional<Outcome> own = ownCommand(command, folder_.path());
    const Outcome outcome = own ? *own : runShell(command, folder_.path());
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
  setenv("MODULES", (fs::path(place("LACUNA_PROGRAM", LACUNA_PROGRAM)).parent_path() / "modules").c_str(), 1);
  setenv("TEST_LAYERS", LACUNA_TEST_LAYERS, 1);
  return registerTranscripts(testFolder() + "/cli", [] { return new ShellTranscript; });
}();

}  // namespace
}  // namespace lacuna::test
