// lacuna fmt: rewrites graph files in the standard format.

#include <fmt/format.h>

#include <cstdio>

#include "graph/config/format.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/messages.h"
#include "tools/shell/text_file.h"

namespace lacuna {
namespace {

int formatFile(const std::string& path, bool checkOnly) {
  const FileText read = readTextFileOrPipe(path);
  if (!read.error.empty()) {
    fmt::print(stderr, "{}: error: the file cannot be read: {}\n", printable(path), read.error);
    return exitUsage;
  }
  Diagnostics diagnostics;
  const auto formatted = formatConfig(read.text, path, diagnostics);
  if (!formatted) {
    fmt::print(stderr, "{}", diagnostics.render());
    return exitUsage;
  }
  if (*formatted == read.text) {
    return exitOk;
  }
  if (checkOnly) {
    fmt::print("{}\n", path);
    return exitFailed;
  }
  try {
    writeTextFile(path, *formatted);
  } catch (const FileError& error) {
    printError(error.what());
    return exitFiles;
  }
  return exitOk;
}

}  // namespace

int runFormat(const std::vector<std::string>& graphs, bool checkOnly) {
  int worst = exitOk;
  for (const std::string& graph : graphs) {
    worst = std::max(worst, formatFile(graph, checkOnly));
  }
  return worst;
}

}  // namespace lacuna
