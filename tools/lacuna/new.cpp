// lacuna new: makes a module to start from, by the template of its kind. Templates are files: @NAME@ in their
// texts and names becomes the module's name.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/command_words.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

fs::path templateFolder(const std::string& kind) {
  const fs::path folder = fs::path(installedFolder("tools/templates", "templates")) / kind;
  if (!fs::exists(folder))
    throw FileError(fmt::format("{}: the template of new modules is missing", folder.string()));
  return folder;
}

std::string mistakeIn(const NewArguments& arguments, const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!isName(name))
    return fmt::format("'{}' is not a name of a module; names have letters, digits, '-' and '_'", name);
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder, failed)))
    return fmt::format("{}: already exists; nothing was changed", arguments.folder);
  if (const auto reason = unusableFolder(fs::path(arguments.folder).parent_path().string()))
    return fmt::format("{}: {}", arguments.folder, *reason);
  const auto installed = moduleNames();
  if (std::find(installed.begin(), installed.end(), name) != installed.end())
    return fmt::format("a module '{}' is already installed; choose another name", name);
  return {};
}

// Images and other data are unchanged.
void copyFile(const fs::path& from, const fs::path& to, const std::string& name) {
  const FileText read = readTextFile(from.string());
  if (!read.error.empty())
    throw FileError(fmt::format("{}: {}", from.string(), read.error));
  std::ofstream file(to, std::ios::binary);
  file << (firstByteNotText(read.text) ? read.text : replaceAll(read.text, "@NAME@", name));
  file.close();
  if (!file)
    throw FileError(fmt::format("{}: can't be written", to.string()));
}

std::vector<std::string> copyTemplate(const fs::path& source, const fs::path& folder,
                                      const std::string& name) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string place = replaceAll(fs::relative(entry.path(), source).string(), "@NAME@", name);
    if (entry.is_directory()) {
      fs::create_directories(folder / place);
    } else {
      fs::create_directories((folder / place).parent_path());
      copyFile(entry.path(), folder / place, name);
      files.push_back(place);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int runNew(const NewArguments& arguments) {
  const fs::path folder = (fs::absolute(arguments.folder).lexically_normal() / "").parent_path();
  if (const std::string mistake = mistakeIn(arguments, folder); !mistake.empty()) {
    printError(mistake);
    return exitUsage;
  }
  const fs::path part = folder.string() + fmt::format(".part-{}", getpid());
  std::vector<std::string> files;
  std::error_code failed;
  if (fs::create_directories(part, failed); failed) {
    printError(fmt::format("{}: can't be made: {}", arguments.folder, failed.message()));
    return exitUsage;
  }
  try {
    files = copyTemplate(templateFolder(arguments.kind), part, folder.filename().string());
    fs::rename(part, folder);
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove_all(part, ignored);
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    throw FileError(fmt::format("{}: can't be made: {}", arguments.folder,
                                system == nullptr ? error.what() : system->code().message()));
  }
  for (const std::string& file : files)
    fmt::print("{}\n", (fs::path(arguments.folder) / file).lexically_normal().string());
  fmt::print(stderr, "{} describes the next steps\n",
             (fs::path(arguments.folder) / "README.md").lexically_normal().string());
  return exitOk;
}

}  // namespace lacuna
