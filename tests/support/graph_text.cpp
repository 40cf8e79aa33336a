#include "tests/support/graph_text.h"

#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

namespace lacuna::test {
namespace {

// Of a line that is none, but a chain, the first word has no such beginning.
bool isLine(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || line[begin] == '#')
    return true;
  for (const char* keyword : {"lacuna:", "frames:", "fps:", "write:", "warmup:", "module:", "connect:",
                              "feedback:", "param:", "keyframe:", "include:"})
    if (line.substr(begin).starts_with(keyword))
      return true;
  return false;
}

struct Word {
  std::string module, instance = "01", output = "output", input = "input", file{};
  bool isFeedback = false;

  std::string place() const { return module + ":" + instance; }
};

Word wordOf(std::string text, bool isFirst) {
  Word word;
  if (const size_t at = text.find_first_of("=~"); at != std::string::npos) {
    word.isFeedback = text[at] == '~';
    word.input = text.substr(0, at);
    text.erase(0, at + 1);
  }
  if (const std::string ending = std::filesystem::path(text).extension(); !ending.empty()) {
    word.module = (isFirst ? "i-" : "o-") + ending.substr(1);
    word.file = text;
    return word;
  }
  std::istringstream parts(text);
  std::getline(parts, word.module, ':');
  std::getline(parts, word.instance, ':') && std::getline(parts, word.output);
  return word;
}

}  // namespace

std::string graphText(const std::string& text) {
  std::set<std::string> known;
  std::string result = text.find("lacuna:") == std::string::npos ? "lacuna:1\n" : "";
  const auto forLines = [&](const auto& work) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      work(line);
  };
  forLines([&](const std::string& line) {
    if (line.starts_with("module:"))
      known.insert(line.substr(7, line.find_first_of(": ", line.find(':', 7) + 1) - 7));
  });
  forLines([&](const std::string& line) {
    if (isLine(line)) {
      result += line + "\n";
      return;
    }
    std::string modules, connections, files;
    std::istringstream words(line);
    Word last;
    for (std::string each; words >> each;) {
      const bool isFirst = last.module.empty();
      const Word word = wordOf(each, isFirst);
      if (known.insert(word.place()).second)
        modules += "module:" + word.place() + "\n";
      if (!word.file.empty())
        files += "param:" + word.place() + ":filename:\"" + word.file + "\"\n";
      if (!isFirst)
        connections += (word.isFeedback ? "feedback:" : "connect:") + last.place() + ":" + last.output + ":" +
                       word.place() + ":" + word.input + "\n";
      last = word;
    }
    result += modules + connections + files;
  });
  return result;
}

}  // namespace lacuna::test
