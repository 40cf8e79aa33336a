// lacuna graph: a graph as a picture.

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/plan/dot.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/shell/text_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string onPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string listed = path == nullptr ? "" : path;
  while (!listed.empty()) {
    const size_t end = std::min(listed.find(':'), listed.size());
    std::string file = (fs::path(listed.substr(0, end)) / program).string();
    if (end > 0 && access(file.c_str(), X_OK) == 0) {
      return file;
    }
    listed.erase(0, end + 1);
  }
  return {};
}

// Runs `dot -Tsvg`. Files lie beside the output, which appears by rename.
void writeSvg(const std::string& path, const std::string& text) {
  const std::string program = onPath("dot");
  if (program.empty()) {
    throw FileError(
        fmt::format("{}: SVG is drawn by graphviz' program dot, which is not on PATH; install "
                    "graphviz, or write a .dot file",
                    path));
  }
  PartFile picture(path);
  PartFile source(path + ".dot");
  writeTextFile(source.name(), text);
  std::string words[] = {program, "-Tsvg", "-o", picture.name(), source.name()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(),
                       words[3].data(), words[4].data(), nullptr};
  pid_t child = 0;
  int status = 0;
  const int failed = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ);
  if (failed != 0 || waitpid(child, &status, 0) != child || status != 0) {
    throw FileError(fmt::format("{}: {} -Tsvg failed{}", path, program,
                                failed != 0 ? std::string(": ") + std::strerror(failed) : ""));
  }
  picture.place();
}

}  // namespace

int runDraw(const DrawArguments& given) {
  DrawArguments arguments = given;
  if (standardOutputName(given.output) == standardStream) {
    arguments.output.clear();
  }
  const std::string ending = fs::path(arguments.output).extension().string();
  if (!arguments.output.empty() && ending != ".svg" && ending != ".dot" && ending != ".gv") {
    printError(fmt::format("-o {}: expected a file name that ends in .dot, .gv or .svg", arguments.output));
    return exitUsage;
  }
  if (const auto reason = arguments.output.empty() ? std::nullopt : unwritable(arguments.output)) {
    printError(fmt::format("-o {}", *reason));
    return exitUsage;
  }
  const LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  if (!loaded.ok()) {
    return exitUsage;
  }
  const std::string dot = arguments.nodes ? dotOfNodes(loaded.graph) : dotOfModules(loaded.graph.modules);
  if (arguments.output.empty()) {
    fmt::print("{}", dot);
  } else if (ending == ".svg") {
    writeSvg(arguments.output, dot);
  } else {
    writeTextFile(arguments.output, dot);
  }
  return exitOk;
}

}  // namespace lacuna
