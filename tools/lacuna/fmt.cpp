// lacuna fmt: rewrites graph files in the standard format.

#include <fmt/format.h>

#include <cstdio>

#include "graph/config/config.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

int formatFile(const std::string& path, bool checkOnly) {
  const bool isStream = standardInputName(path) == standardStream;
  const std::string name = isStream ? "standard input" : path;
  const FileText read = isStream ? readStandardInput() : readTextFileOrPipe(path);
  if (!read.error.empty()) {
    printError(fmt::format("{}: can't be read: {}", name, read.error));
    return exitUsage;
  }
  Diagnostics diagnostics;
  const auto formatted = formatConfig(read.text, name, diagnostics);
  if (!formatted) {
    printDiagnostics(diagnostics);
    return exitUsage;
  }
  const bool isSame = *formatted == read.text;
  if (checkOnly) {
    fmt::print("{}", isSame ? "" : name + "\n");
    return isSame ? exitOk : exitFailed;
  }
  if (isStream) {
    fmt::print("{}", *formatted);
    return exitOk;
  }
  if (isSame)
    return exitOk;
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
  for (const std::string& graph : graphs)
    worst = std::max(worst, formatFile(graph, checkOnly));
  return worst;
}

}  // namespace lacuna
