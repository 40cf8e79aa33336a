// `lacuna check` of the open graphs and modules.

#include <filesystem>

#include "graph/config/text.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/lsp/query.h"

namespace lacuna::lsp {
namespace {

Json diagnosticOf(const Json& range, bool isWarning, const std::string& message) {
  return {{"range", range}, {"severity", isWarning ? 2 : 1}, {"source", "lacuna"}, {"message", message}};
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
  if (root.kind == FileKind::module)
    return checkModule(std::filesystem::path(root.path).parent_path().string(), modules, shaders);
  GraphOptions options;
  options.modules = modules;
  const auto state = door::loadGraph({root.path, &root.text}, options);
  LoadedGraph& loaded = state->loaded;
  if (shaders)
    door::reportShaders(loaded.graph, loaded.descriptions, state->modulePath, loaded.diagnostics);
  return std::move(loaded.diagnostics);
}

}  // namespace

Json mistakeAtBegin(const std::string& message) {
  return diagnosticOf(rangeOf({}, {}, {}), false, message);
}

Json checkAll(const Workspace& workspace, bool shaders) {
  Json found = Json::object();
  for (const auto& [uri, document] : workspace.documents) {
    if (document.kind == FileKind::body)
      continue;
    found.emplace(uri, Json::array());
    try {
      if (document.kind == FileKind::module || contains(workspace.graphsWith(document), &document))
        add(checked(document, shaders, workspace.modules), document, workspace, found);
    } catch (const std::exception& error) {
      found[uri].push_back(mistakeAtBegin(error.what()));
    }
  }
  return found;
}

}  // namespace lacuna::lsp
