// lacuna test: runs the graphs in a module's folder test/; the files that their sinks write must equal those
// of the same names in test/expected. A plain `lacuna run` of such a graph writes into the current folder.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/load/file_numbers.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_file.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {

namespace fs = std::filesystem;

std::string moduleFolder(const std::string& word, const std::vector<std::string>& folders) {
  const fs::path path = word;
  std::error_code failed;
  if (fs::is_directory(path, failed))
    return (path / "").parent_path().string();
  if (path.filename() == "module.toml")
    return path.has_parent_path() ? path.parent_path().string() : ".";
  if (isName(word) && !fs::exists(path, failed)) {
    for (const std::string& folder : folders)
      if (fs::exists(fs::path(folder) / word / "module.toml", failed))
        return (fs::path(folder) / word).string();
  }
  return {};
}

std::vector<std::string> testGraphs(const std::string& folder) {
  std::vector<std::string> graphs;
  std::error_code failed;
  for (fs::directory_iterator entry(fs::path(folder) / "test", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    // Reading a pipe would wait for its writer.
    if (entry->path().extension() == ".cfg" && entry->is_regular_file(failed))
      graphs.push_back(entry->path().lexically_normal().string());
  }
  std::sort(graphs.begin(), graphs.end());
  return graphs;
}

namespace {

namespace fs = std::filesystem;

// One schedule of each family, with its default storage.
const std::vector<std::string> stencilSchedules = {"baseline", "rows4", "tiled", "lattice"};

// "" if equal within the tolerance, NaN being equal to NaN.
std::string difference(const ColourImage& image, const ColourImage& expected, double tolerance) {
  if (!(image.extent == expected.extent)) {
    return fmt::format("has {} x {} pixels, expected {} x {}", image.extent.width, image.extent.height,
                       expected.extent.width, expected.extent.height);
  }
  double worst = tolerance;
  std::string text;
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    const double a = image.rgb[i];
    const double b = expected.rgb[i];
    const bool same = a == b || (std::isnan(a) && std::isnan(b));
    const double relative = same ? 0.0 : std::abs(a - b) / std::max(std::abs(b), 0.01);
    if (!(relative <= worst)) {  // a NaN is worse than any number
      worst = std::isnan(relative) ? INFINITY : relative;
      text = fmt::format("differs most at pixel {},{}, channel {}: {:.6g}, expected {:.6g} (tolerance {:g})",
                         i / 3 % image.extent.width, i / 3 / image.extent.width, i % 3, a, b, tolerance);
    }
  }
  return text;
}

// The difference of a file from the expected one; "" if there is none. Files that are no pictures are
// compared by bytes.
std::string mistakeIn(const std::string& written, const std::string& expected, double tolerance) {
  if (!isImageFile(written) || !isImageFile(expected))
    return "has other bytes than the module wrote";
  return difference(loadColour(written), loadColour(expected), tolerance);
}

bool sameBytes(const std::string& a, const std::string& b) {
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

struct Output {
  std::string written, expected;
  std::string compared;  // the required file: `expected`, or with --accept the first schedule's output
};

// Complete or not at all.
void replaceFile(const std::string& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  const fs::path part = to.string() + ".part";
  fs::copy_file(from, part, fs::copy_options::overwrite_existing);
  fs::rename(part, to);
}

class GraphTest {
 public:
  GraphTest(const TestArguments& arguments, const std::string& folder, const std::string& graph)
      : arguments_(arguments), graph_(graph) {
    run_.graph.graph = graph;
    run_.graph.modules = arguments.modules;
    run_.graph.modules.push_back(fs::path(folder).parent_path().string());
    run_.graph.device = arguments.device;
    run_.quiet = true;
  }

  int run() {
    LoadedGraph loaded = loadFor(run_.graph, graph_);
    if (!loaded.ok())
      return exitUsage;
    if (const int code = findOutputs(loaded.graph.modules); code != exitOk)
      return code;
    const bool filters = std::any_of(loaded.graph.nodes.begin(), loaded.graph.nodes.end(),
                                     [](const Node& node) { return node.kind == NodeKind::stencil; });
    schedules_ = {"auto"};
    if (filters)
      schedules_.insert(schedules_.end(), stencilSchedules.begin(), stencilSchedules.end());
    for (const std::string& schedule : schedules_)
      if (const int code = runUnder(schedule, filters); code != exitOk)
        return code;
    accept();
    if (!arguments_.json)
      fmt::print("{}: passed{}\n", graph_, filters ? " under " + joinNames(schedules_) : "");
    return exitOk;
  }

  // For a case that was run, for --json.
  nlohmann::ordered_json result(int code) const {
    return {{"graph", graph_},
            {"result", code == exitOk ? "passed" : "failed"},
            {"schedules", schedules_},
            {"accepted", accepted_}};
  }

 private:
  int findOutputs(const ModuleGraph& graph) {
    for (const ModuleInstance& module : graph.modules) {
      const auto& nodes = module.description->nodes;
      if (std::none_of(nodes.begin(), nodes.end(),
                       [](const NodeDescription& node) { return node.kind == NodeKind::sink; }))
        continue;
      for (const int frame : framesToWrite(graph)) {
        const fs::path name = fs::path(fileOf(module, graph.folder, frame)).filename();
        const fs::path expected = fs::path(graph.folder) / "expected" / name;
        if (!arguments_.accepts && !fs::is_regular_file(expected)) {
          printError(fmt::format("{}: {}, the expected file, is missing; `lacuna test --accept` makes it",
                                 graph_, expected.string()));
          return exitUsage;
        }
        const fs::path folder = fs::path(folder_.path()) / module.instance;
        fs::create_directories(folder);
        const fs::path written = folder / expected.filename();
        outputs_.push_back({written.string(), expected.string(),
                            arguments_.accepts ? written.string() + ".first" : expected.string()});
      }
      const fs::path pattern = std::get<std::string>(module.parameter("filename").values.at(0));
      run_.graph.outputs.push_back(
          module.name() + "=" + (fs::path(folder_.path()) / module.instance / pattern.filename()).string());
    }
    return exitOk;
  }

  int runUnder(const std::string& schedule, bool filters) {
    run_.graph.pipeline.schedules = filters ? std::vector<std::string>{schedule} : std::vector<std::string>();
    if (const int code = runGraph(run_); code != exitOk) {
      printError(fmt::format("{}: failed{}", graph_, filters ? " under --schedule " + schedule : ""));
      return code;
    }
    int code = exitOk;
    for (const Output& output : outputs_) {
      if (arguments_.accepts && !fs::exists(output.compared))
        fs::copy_file(output.written, output.compared);
      if (sameBytes(output.written, output.compared))
        continue;
      const std::string wrong = mistakeIn(output.written, output.compared, arguments_.tolerance);
      if (!wrong.empty()) {
        printError(fmt::format("{}: {}{} {}", graph_, filters ? "--schedule " + schedule + ": " : "",
                               output.expected, wrong));
        code = exitFailed;
      }
    }
    return code;
  }

  void accept() {
    for (const Output& output : outputs_) {
      const bool passes = sameBytes(output.compared, output.expected) ||
                          (fs::is_regular_file(output.expected) &&
                           mistakeIn(output.compared, output.expected, arguments_.tolerance).empty());
      if (arguments_.accepts && !passes) {
        replaceFile(output.compared, output.expected);
        accepted_.push_back(output.expected);
        if (!arguments_.json)
          fmt::print("{}: accepted\n", output.expected);
      }
    }
  }

  const TestArguments& arguments_;
  const std::string graph_;
  const TemporaryFolder folder_;
  RunArguments run_;
  std::vector<Output> outputs_;
  std::vector<std::string> schedules_;
  std::vector<std::string> accepted_;
};

}  // namespace

int runTest(const TestArguments& arguments) {
  return reported(arguments.json, [&](nlohmann::ordered_json& out) {
    warnOfModuleFolders();
    int worst = exitOk;
    out["tests"] = nlohmann::ordered_json::array();
    for (const std::string& target : arguments.targets) {
      const std::string folder = moduleFolder(target, moduleSearchPath(arguments.modules));
      const std::vector<std::string> graphs =
          folder.empty() ? std::vector<std::string>() : testGraphs(folder);
      if (graphs.empty() || !fs::exists(fs::path(folder) / "module.toml")) {
        printError(fmt::format(
            "{}: expected a module's folder, or its name, with module.toml and graphs in test/{}", target,
            folder.empty() || folder == target ? "" : fmt::format("; {} has none", folder)));
        worst = std::max(worst, exitUsage);
        continue;
      }
      for (const std::string& graph : graphs) {
        GraphTest test(arguments, fs::canonical(folder).string(), graph);
        const int code = test.run();
        out["tests"].push_back(test.result(code));
        worst = std::max(worst, code);
      }
    }
    return worst;
  });
}

}  // namespace lacuna
