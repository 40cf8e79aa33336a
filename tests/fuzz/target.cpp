#include "tests/fuzz/target.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "graph/config/text.h"

namespace lacuna::fuzz {
namespace {

std::array<std::span<const Target>, 4> allTargets() {
  return {textTargets, imageTargets, shaderTargets, dataTargets};
}

}  // namespace

const Target* targetNamed(std::string_view name) {
  for (const auto& targets : allTargets())
    for (const Target& target : targets)
      if (name == target.name)
        return &target;
  return nullptr;
}

std::string targetNames() {
  std::string names;
  for (const auto& targets : allTargets())
    for (const Target& target : targets)
      names += (names.empty() ? "" : " ") + std::string(target.name);
  return names;
}

void expectSound(const Diagnostics& diagnostics, const std::string& text) {
  const std::string rendered = diagnostics.render();
  expect(!firstByteNotText(rendered), "messages are text");
  expect(printable(rendered).size() == rendered.size(), "messages are shown byte by byte");
  expect(!diagnostics.hasErrors() || !rendered.empty(), "errors have messages");
  const auto lines = splitLines(text);
  for (const Diagnostic& each : diagnostics.sorted()) {
    expect(!each.message.empty(), "messages say something");
    if (each.where.file != 0 || each.where.line == 0)
      continue;
    // An error at the end of a text may be on the empty line after it.
    const auto line = static_cast<size_t>(each.where.line);
    expect(line <= lines.size() + 1, "lines of messages exist: " + each.message);
    const size_t length = line <= lines.size() ? lines[line - 1].size() : 0;
    expect(each.where.column >= 1 && static_cast<size_t>(each.where.column) <= length + 2,
           "columns of messages exist: " + each.message);
  }
}

namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
  std::string path;

  ScratchFolder() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    path = (parent / "lacuna-fuzz-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr)
      throw std::runtime_error("no folder in " + parent.string());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

}  // namespace

const std::string& scratchFolder() {
  static const ScratchFolder folder;
  return folder.path;
}

std::string scratchFile(const std::string& name, std::string_view content) {
  std::string path = scratchFolder() + "/" + name;
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 && errno == ENOENT) {
    fs::create_directories(fs::path(path).parent_path());
    file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
  const bool written = file >= 0 && write(file, content.data(), content.size()) == ssize_t(content.size());
  if (file >= 0)
    close(file);
  if (!written)
    throw std::runtime_error(path + " can't be written: " + std::strerror(errno));
  return path;
}

}  // namespace lacuna::fuzz
