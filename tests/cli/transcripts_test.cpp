// The transcripts of this folder, *.txt, whose form README.md states: each case is a test.
// LACUNA_UPDATE_EXPECTED=1 writes exit codes and output again: read the difference before keeping it.

#include <fmt/format.h>

#include <memory>
#include <ranges>
#include <sstream>

#include "graph/config/regex.h"
#include "tests/cli/own_commands.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

using Lines = std::vector<std::string>;

Lines linesOf(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// A command with what is expected of it, or another line of the file.
struct Item {
  std::string text;
  std::optional<int> code{};  // of commands
  Lines output{};
  int line = 0;
};

struct Transcript {
  std::string path;
  std::vector<Item> items;
};

std::optional<Item> commandOf(const std::string& line) {
  const auto found = Regex("^([0-9]*)\\$ (.*)$").find(line);
  if (!found)
    return std::nullopt;
  return Item{found->groups[2], found->groups[1].empty() ? 0 : std::stoi(found->groups[1])};
}

bool startsOne(const std::string& line, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return line.starts_with(word); });
}

std::shared_ptr<Transcript> readTranscript(const std::string& path) {
  auto transcript = std::make_shared<Transcript>(Transcript{path, {}});
  bool follows = false;  // output of the last command
  int number = 0;
  for (const std::string& line : linesOf(slurp(path))) {
    ++number;
    const std::optional<Item> command = commandOf(line);
    follows = follows && !command && !line.empty() && !startsOne(line, {"== ", "+ ", "# "});
    if (follows) {
      transcript->items.back().output.push_back(line);
    } else {
      transcript->items.push_back(command ? *command : Item{line});
      transcript->items.back().line = number;
      follows = command.has_value();
    }
  }
  return transcript;
}

void writeTranscript(const Transcript& transcript) {
  std::string text;
  for (const Item& item : transcript.items) {
    text += item.code ? fmt::format("{}$ {}\n", *item.code == 0 ? "" : std::to_string(*item.code), item.text)
                      : item.text + "\n";
    for (const std::string& line : item.output)
      text += line + "\n";
  }
  spill(transcript.path, text);
}

// <*> fits any text of a line.
bool fits(std::string_view pattern, std::string_view line) {
  const size_t at = pattern.find("<*>");
  if (at == std::string_view::npos)
    return pattern == line;
  if (line.substr(0, at) != pattern.substr(0, at))
    return false;
  for (size_t next = at; next <= line.size(); ++next)
    if (fits(pattern.substr(at + 3), line.substr(next)))
      return true;
  return false;
}

// <**> fits any number of lines.
bool fits(std::span<const std::string> patterns, std::span<const std::string> lines) {
  if (patterns.empty())
    return lines.empty();
  if (patterns[0] != "<**>")
    return !lines.empty() && fits(patterns[0], lines[0]) && fits(patterns.subspan(1), lines.subspan(1));
  for (size_t skipped = 0; skipped <= lines.size(); ++skipped)
    if (fits(patterns.subspan(1), lines.subspan(skipped)))
      return true;
  return false;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string sourceFolder() {
  return fs::path(testFolder()).parent_path().string();
}

class TranscriptTest : public testing::Test {
 public:
  TranscriptTest(std::shared_ptr<Transcript> transcript, std::string name)
      : transcript_(std::move(transcript)), name_(std::move(name)) {}

  // What comes before the first case, then the case.
  void TestBody() override {
    bool isOurs = true;
    std::vector<Item>& items = transcript_->items;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].text.starts_with("== "))
        isOurs = items[i].text == "== " + name_;
      else if (isOurs && items[i].text.starts_with("needs ")) {
        if (runShell("command -v " + items[i].text.substr(6), folder_.path()).code != 0)
          GTEST_SKIP() << "no " << items[i].text.substr(6);
      } else if (isOurs && items[i].code)
        run(items[i]);
      else if (isOurs && items[i].text.starts_with("+ "))
        writeFile(i);
      else if (!items[i].text.empty() && !startsOne(items[i].text, {"# ", "+ ", "  ", "needs "}) &&
               !items[i].code)
        ADD_FAILURE_AT(transcript_->path.c_str(), items[i].line)
            << "'" << items[i].text << "' is no part of a transcript";
    }
    if (updates())
      writeTranscript(*transcript_);
  }

 private:
  static bool updates() { return std::getenv("LACUNA_UPDATE_EXPECTED") != nullptr; }

  void writeFile(size_t i) const {
    const std::string head = transcript_->items[i].text.substr(2);
    const size_t chain = head.find(" = ");
    std::string content = chain == std::string::npos ? "" : head.substr(chain + 3) + "\n";
    while (++i < transcript_->items.size() && transcript_->items[i].text.starts_with("  "))
      content += transcript_->items[i].text.substr(2) + "\n";
    if (chain != std::string::npos)
      content = graphText(content);
    replaceAll(content, "$SOURCE", sourceFolder());
    const std::string name = folder_.file(head.substr(0, chain));
    fs::create_directories(fs::path(name).parent_path());
    spill(name, content);
  }

  void run(Item& item) const {
    const std::string before = listing(folder_.path());
    const std::optional<Outcome> own = ownCommand(item.text, folder_.path());
    const Outcome outcome = own ? *own : runShell(item.text, folder_.path());
    const Lines output = printed(item.text, outcome);
    // Whatever is refused leaves all files as they were.
    if (outcome.code == 2 && listing(folder_.path()) != before)
      ADD_FAILURE_AT(transcript_->path.c_str(), item.line) << "files were changed";
    if (updates())
      item.output = fits(item.output, output) ? item.output : updated(item.output, output);
    else if (outcome.code != *item.code || !fits(std::span<const std::string>(item.output), output))
      ADD_FAILURE_AT(transcript_->path.c_str(), item.line)
          << fmt::format("$ {}\nexit code {}, expected {}; output:\n{}\nexpected:\n{}", item.text,
                         outcome.code, *item.code, fmt::join(output, "\n"), fmt::join(item.output, "\n"));
    if (updates())
      item.code = outcome.code;
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

  // Patterns that still fit stay; seconds become patterns.
  static Lines updated(Lines expected, const Lines& output) {
    Lines lines;
    for (const std::string& line : output) {
      const auto kept = std::ranges::find_if(
          expected, [&](const std::string& pattern) { return pattern != "<**>" && fits(pattern, line); });
      if (kept != expected.end()) {
        lines.push_back(*kept);
        expected.erase(kept);
        continue;
      }
      lines.push_back(line);
      const Regex number(" [0-9][0-9.]*( (ms|s|a second)([^a-z]|$))");
      for (const RegexMatch& time : number.findAll(line) | std::views::reverse)
        lines.back().replace(time.begin + 1, time.end - time.begin - 1 - time.groups[1].size(), "<*>");
      if (lines.back().empty())
        lines.back() = "<*>";
    }
    return lines;
  }

  const std::shared_ptr<Transcript> transcript_;
  const std::string name_;
  const Folder folder_;
};

// wrong-files.txt holds the tests WrongFiles.*.
const bool areRegistered = [] {
  setenv("TEST_MODULES", LACUNA_TEST_MODULES, 1);
  setenv("MODULES", (fs::path(place("LACUNA_PROGRAM", LACUNA_PROGRAM)).parent_path() / "modules").c_str(), 1);
  setenv("TEST_LAYERS", LACUNA_TEST_LAYERS, 1);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(testFolder() + "/cli"))
    if (entry.path().extension() == ".txt")
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::string suite;
    for (const char letter : "-" + file.stem().string())
      suite += !suite.empty() && suite.back() == '-' ? static_cast<char>(std::toupper(letter)) : letter;
    std::erase(suite, '-');
    const auto transcript = readTranscript(file.string());
    for (const Item& item : transcript->items)
      if (item.text.starts_with("== ")) {
        const std::string name = item.text.substr(3);
        testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, file.c_str(), item.line,
                              [=]() -> testing::Test* { return new TranscriptTest(transcript, name); });
      }
  }
  return true;
}();

}  // namespace
}  // namespace lacuna::test
