#include "tools/lacuna/lsp/checks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/lacuna/commands.h"

namespace lacuna::lsp {
namespace {

Json diagnosticOf(const Json& range, bool isWarning, const std::string& message) {
  return {{"range", range}, {"severity", isWarning ? 2 : 1}, {"source", "lacuna"}, {"message", message}};
}

Json atBegin(const std::string& message) {
  return diagnosticOf(linesFrom(0, 0), false, message);
}

// Adds them to the diagnostics of their files, by URI; those of no file to the root's.
void add(const Diagnostics& diagnostics, const Document& root, const Workspace& workspace, Json& found) {
  std::map<int, Lines> lines;
  for (const Diagnostic& each : diagnostics.sorted()) {
    const int file = each.where.file;
    if (file >= 0 && lines[file].empty())
      lines[file] = splitLines(diagnostics.fileText(file));
    const Json made = diagnosticOf(rangeOf(lines[file], each.where, workspace.encoding), each.isWarning,
                                   each.message + (each.hint.empty() ? "" : "\nhint: " + each.hint));
    Json& all = found[file < 0 ? root.uri : workspace.uri(diagnostics.fileName(file))];
    if (!contains(all, made))  // several graphs may include a file
      all.push_back(made);
  }
}

Diagnostics checked(const Document& root, bool shaders, const std::vector<std::string>& modules) {
  if (root.kind == FileKind::graph) {
    GraphOptions options;
    options.modules = modules;
    const auto state = door::loadGraph({root.path, &root.text}, options);
    LoadedGraph& loaded = state->loaded;
    if (shaders)
      door::reportShaders(loaded.graph, loaded.descriptions, state->modulePath, loaded.diagnostics);
    return std::move(loaded.diagnostics);
  }
  return checkModule(std::filesystem::path(root.path).parent_path().string(), modules, shaders);
}

std::string checkAll(const Workspace& workspace, bool shaders) {
  Json found = Json::object();
  for (const auto& [uri, document] : workspace.documents) {
    if (document.kind == FileKind::body)
      continue;
    found.emplace(uri, Json::array());
    try {
      const auto graphs = workspace.graphsWith(document);
      if (document.kind == FileKind::module || contains(graphs, &document))
        add(checked(document, shaders, workspace.modules), document, workspace, found);
    } catch (const std::exception& error) {
      found[uri].push_back(atBegin(error.what()));
    }
  }
  return jsonText(found) + "\n";
}

[[noreturn]] void checkInChild(const Workspace& workspace, bool shaders, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const bool withShaders : {false, true}) {
    if (withShaders && !shaders)
      break;
    const std::string line = checkAll(workspace, withShaders);
    for (size_t at = 0; at < line.size();) {
      const ssize_t put = write(pipe, line.data() + at, line.size() - at);
      at += static_cast<size_t>(std::max<ssize_t>(put, 0));
    }
  }
  _exit(0);
}

}  // namespace

void Checks::start(const std::string& changed, bool shaders) {
  stop();
  changed_ = changed;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw FileError(fmt::format("a pipe can't be made: {}", std::strerror(errno)));
  pipe_ = ends[0];
  process_ = fork();
  if (process_ == 0)
    checkInChild(workspace_, shaders, ends[1]);
  close(ends[1]);
}

void Checks::stop() {
  if (pipe_ >= 0)
    close(pipe_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = pipe_ = -1;
  come_.clear();
}

void Checks::read() {
  char block[1 << 16];
  const ssize_t got = ::read(pipe_, block, sizeof block);
  if (got > 0) {
    come_.append(block, static_cast<size_t>(got));
    for (size_t end = come_.find('\n'); end != std::string::npos; end = come_.find('\n')) {
      publish(readOrderedJson(come_.substr(0, end)));
      come_.erase(0, end + 1);
    }
  } else if (got == 0 || errno != EINTR) {
    int status = 0;
    const bool ended = process_ > 0 && waitpid(process_, &status, 0) == process_;
    process_ = -1;
    stop();
    if (ended && WIFSIGNALED(status)) {
      publish({{changed_, Json::array({atBegin(fmt::format(
                              "`lacuna check` crashed ({}), perhaps in the native code of a module",
                              strsignal(WTERMSIG(status))))})}});
    }
  }
}

void Checks::publish(Json found) {
  for (const std::string& uri : std::exchange(published_, {}))
    found.emplace(uri, Json::array());  // it has none any more
  // Those of open files last: they are complete when an editor has these.
  for (const bool isOpen : {false, true}) {
    for (const auto& [uri, diagnostics] : found.items()) {
      const auto open = workspace_.documents.find(uri);
      if ((open != workspace_.documents.end()) != isOpen)
        continue;
      if (!diagnostics.empty())
        published_.insert(uri);
      Json parameters = {{"uri", uri}, {"diagnostics", diagnostics}};
      if (isOpen)
        parameters["version"] = open->second.version;
      publish_(std::move(parameters));
    }
  }
}

}  // namespace lacuna::lsp
