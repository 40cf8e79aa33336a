#include "tools/lacuna/companions.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/files/own_place.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

struct Guide {
  const char* topic;
  const char* file;
  const char* chapter = "";  // its heading; if empty, the whole file
};

constexpr std::array guides = {
    Guide{"graph-files", "pipelines/README.md"},
    Guide{"frames", "tools/lacuna/README.md", "## Sequences"},
    Guide{"colour", "modules/i-png/README.md", "## Colours"},
    Guide{"motion-vectors", "modules/i-exr/README.md"},
    Guide{"scenes", "modules/pathtrace/scene/README.md"},
    Guide{"schedules", "graph/schedule/README.md"},
    Guide{"writing-modules", "modules/README.md"},
    Guide{"glossary", "graph/GLOSSARY.md"},
};

std::string chapterOf(const std::string& text, std::string_view heading) {
  std::string chapter;
  bool inside = false;
  for (const std::string_view line : splitLines(text)) {
    inside = line.starts_with("## ") ? line == heading : inside;
    if (inside)
      chapter += fmt::format("{}\n", line);
  }
  return chapter;
}

}  // namespace

std::vector<std::string> guideTopics() {
  std::vector<std::string> topics;
  for (const Guide& each : guides)
    topics.emplace_back(each.topic);
  return topics;
}

std::string guideText(const std::string& topic) {
  for (const Guide& each : guides) {
    if (topic == each.topic) {
      const std::string path = installedFolder(each.file, each.file);
      const FileText read = readTextFile(path);
      if (!read.error.empty())
        throw FileError(fmt::format("{}: {}", path, read.error));
      return *each.chapter == '\0' ? read.text : chapterOf(read.text, each.chapter);
    }
  }
  return {};
}

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> placesOf(const std::string& name) {
  return {fs::path(programFile()).parent_path() / ("lacuna-" + name),
          fs::path(installPrefix()) / "libexec" / ("lacuna-" + name)};
}

// Empty if there is none.
std::string fileOf(const std::string& name) {
  for (const fs::path& file : placesOf(name))
    if (access(file.c_str(), X_OK) == 0)
      return file.string();
  return {};
}

}  // namespace

int startHelper(const std::string& name, const std::vector<std::string>& words) {
  const std::string file = fileOf(name);
  if (file.empty()) {
    const std::vector<fs::path> places = placesOf(name);
    printError(
        fmt::format("`lacuna {}` is a program of its own, which is not installed: it is neither {} nor {}",
                    name, places[0].string(), places[1].string()));
    return exitUsage;
  }
  std::vector<std::string> all = words;
  all.insert(all.begin(), file);
  std::vector<char*> arguments;
  for (std::string& word : all)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(file.c_str(), arguments.data());
  printError(fmt::format("{} can't be started: {}", file, std::strerror(errno)));
  return exitFailed;
}

std::vector<CommandWords> wordsOfHelper(const std::string& name) {
  const std::string file = fileOf(name);
  if (file.empty())
    return {};
  FILE* pipe = popen(fmt::format("'{}' {}", replaceAll(file, "'", "'\\''"), wordsOption).c_str(), "r");
  if (pipe == nullptr)
    return {};
  std::string text;
  char block[4096];
  while (const size_t count = std::fread(block, 1, sizeof block, pipe))
    text.append(block, count);
  pclose(pipe);
  return commandsOf(text);
}

}  // namespace lacuna
