#include "tests/support/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <span>
#include <sstream>

#include "graph/config/regex.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

// A command with what is expected of it, or another line of the file.
struct Item {
  std::string text;
  std::optional<int> code{};  // of commands
  Lines output{};
  int line = 0;
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

}  // namespace

struct Transcript {
  std::string path;
  std::vector<Item> items;
};

namespace {

std::shared_ptr<Transcript> readTranscript(const std::string& path) {
  auto transcript = std::make_shared<Transcript>(Transcript{path, {}});
  bool follows = false;  // output of the last command
  int number = 0;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
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
  std::ofstream file(transcript.path, std::ios::binary);
  for (const Item& item : transcript.items) {
    file << (item.code ? fmt::format("{}$ ", *item.code == 0 ? "" : std::to_string(*item.code)) : "")
         << item.text << "\n";
    for (const std::string& line : item.output)
      file << line << "\n";
  }
}

}  // namespace

Lines linesOf(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void TranscriptTest::TestBody() {
  const bool updates = std::getenv("LACUNA_UPDATE_EXPECTED") != nullptr;
  bool isOurs = true;
  std::vector<Item>& items = transcript_->items;
  for (size_t i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    if (item.text.starts_with("== "))
      isOurs = item.text == "== " + name_;
    if (!isOurs || item.text.empty() || (!item.code && startsOne(item.text, {"== ", "# ", "  "})))
      continue;
    const testing::ScopedTrace trace(transcript_->path.c_str(), item.line, item.text);
    if (item.code) {
      const Answer answer = run(item.text);
      if (updates)
        item = {item.text, answer.code, updated(item.output, answer.output), item.line};
      else if (answer.code != *item.code || !fits(std::span<const std::string>(item.output), answer.output))
        ADD_FAILURE() << fmt::format("exit code {}, expected {}; output:\n{}\nexpected:\n{}", answer.code,
                                     *item.code, fmt::join(answer.output, "\n"),
                                     fmt::join(item.output, "\n"));
    } else if (item.text.starts_with("+ ")) {
      std::string lines;
      for (size_t next = i + 1; next < items.size() && items[next].text.starts_with("  "); ++next)
        lines += items[next].text.substr(2) + "\n";
      writeFile(item.text.substr(2), lines);
    } else if (item.text.starts_with("needs ")) {
      if (!has(item.text.substr(6)))
        GTEST_SKIP() << "no " << item.text.substr(6);
    } else {
      ADD_FAILURE() << "this is no part of a transcript";
    }
  }
  if (updates)
    writeTranscript(*transcript_);
}

// Patterns that still fit stay.
Lines TranscriptTest::updated(Lines expected, const Lines& output) const {
  if (fits(std::span<const std::string>(expected), output))
    return expected;
  Lines lines;
  for (const std::string& line : output) {
    const auto kept = std::ranges::find_if(
        expected, [&](const std::string& pattern) { return pattern != "<**>" && fits(pattern, line); });
    lines.push_back(kept != expected.end() ? *kept : patternOf(line));
    if (kept != expected.end())
      expected.erase(kept);
    else if (lines.back().empty())
      lines.back() = "<*>";
  }
  return lines;
}

bool registerTranscripts(const std::string& folder, const std::function<TranscriptTest*()>& make) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
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
                              [=]() -> testing::Test* {
                                TranscriptTest* test = make();
                                test->transcript_ = transcript;
                                test->name_ = name;
                                return test;
                              });
      }
  }
  return true;
}

}  // namespace lacuna::test
