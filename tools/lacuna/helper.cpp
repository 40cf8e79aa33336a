#include "tools/lacuna/helper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "graph/files/own_place.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> placesOf(const std::string& name) {
  return {fs::path(programFile()).parent_path() / ("lacuna-" + name),
          fs::path(installPrefix()) / "libexec" / ("lacuna-" + name)};
}

// Empty if there is none.
std::string fileOf(const std::string& name) {
  for (const fs::path& file : placesOf(name)) {
    if (access(file.c_str(), X_OK) == 0) {
      return file.string();
    }
  }
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
  for (std::string& word : all) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  execv(file.c_str(), arguments.data());
  printError(fmt::format("{} can't be started: {}", file, std::strerror(errno)));
  return exitFailed;
}

std::vector<CommandWords> wordsOfHelper(const std::string& name) {
  const std::string file = fileOf(name);
  if (file.empty()) {
    return {};
  }
  FILE* pipe = popen(fmt::format("'{}' {}", replaceAll(file, "'", "'\\''"), wordsOption).c_str(), "r");
  if (pipe == nullptr) {
    return {};
  }
  std::string text;
  char block[4096];
  while (const size_t count = std::fread(block, 1, sizeof block, pipe)) {
    text.append(block, count);
  }
  pclose(pipe);
  return commandsOf(text);
}

}  // namespace lacuna
