#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

#include "graph/files/file_name.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/lacuna/denoise/steps.h"
#include "tools/lacuna/run/run_pictures.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The names of the graph's only source, and only sink, with a file; reports others.
std::optional<std::pair<std::string, std::string>> endsOf(const RunArguments& arguments) {
  const LoadedGraph loaded = loadState(arguments.graph, arguments.graph.graph)->loaded;
  std::vector<std::string> sources, sinks;
  for (const ModuleInstance& module : loaded.graph.modules.modules)
    if (module.description->parameter("filename") != nullptr)
      (module.description->isSink() ? sinks : sources).push_back(module.name());
  if (!loaded.ok() || sources.size() != 1 || sinks.size() != 1) {
    printDiagnostics(loaded.diagnostics);
    if (loaded.ok()) {
      printError(fmt::format(
          "{}: pictures of a folder need a graph of one source and one sink for files, but it has "
          "{} and {}",
          arguments.graph.graph, sources.size(), sinks.size()));
    }
    return std::nullopt;
  }
  return std::pair(sources.front(), sinks.front());
}

std::vector<DenoiseJob> planPictures(const RunArguments& arguments, InputMessages& messages) {
  Diagnostics& problems = messages.problems;
  const std::vector<std::string>& words = arguments.graph.inputs;
  std::vector<DenoiseInput> inputs = findInputs(words, false, {}, false, {}, nullptr, messages);
  for (const DenoiseInput& input : inputs) {
    if (input.isSequence()) {
      problems.error({},
                     fmt::format("-i {}: has frames of a sequence; run them by -i {}", words[0], input.file));
    }
  }
  if (arguments.graph.outputs.size() != 1) {
    problems.error({}, fmt::format("-i {}: expected -o FOLDER/, or a name with {{stem}}", words[0]));
    return {};
  }
  const std::vector<std::string> outputs = nameOutputs(arguments.graph.outputs[0], inputs, problems);
  std::vector<DenoiseJob> jobs;
  for (size_t i = 0; i < outputs.size(); ++i)
    jobs.push_back({std::move(inputs[i]), outputs[i]});
  if (!arguments.keepOutputs)
    checkFiles(jobs, arguments.overwriteInput, problems);
  return jobs;
}

int runBatches(const RunArguments& arguments, const std::vector<DenoiseJob>& jobs, int code, Json& out) {
  RunArguments first = arguments;
  first.graph.inputs = {jobs.front().input.file};
  first.graph.outputs = {jobs.front().output};
  const auto ends = endsOf(first);
  if (!ends)
    return exitUsage;
  std::vector<Device> devices;
  PictureCount count(arguments, jobs.size());
  const auto work = [&](const std::vector<size_t>& batch) {
    PictureRun pictures{arguments, ends->first, ends->second};
    pictures.run.graph.inputs.clear();  // its files are those of the pictures
    pictures.run.graph.outputs.clear();
    for (const size_t i : batch)
      pictures.add(jobs[i].input.file, framePath(jobs[i].output, 0), out["inputs"][i]);
    const int result = runPictures(pictures, devices, count);
    for (size_t i = 0; result == exitUsage && i < batch.size(); ++i)
      count.end(true);
    return result;
  };
  const auto graphOf = [&](const DenoiseJob& job) {
    GraphArguments graph = arguments.graph;
    graph.inputs = {job.input.file};
    graph.outputs = {job.output};
    return loadState(graph, graph.graph)->loaded;
  };
  const int result = runSideBySide(batchesOf(jobs, graphOf), jobs, arguments, devices, work);
  if (result >= exitSignal)
    return result;
  code = code == exitOk ? result : code;
  out["seconds"] = commandSeconds();
  count.report();
  return code;
}

}  // namespace

bool namesPictures(const RunArguments& arguments) {
  if (arguments.graph.inputs.size() != 1)
    return false;
  const std::string& word = arguments.graph.inputs.front();
  std::error_code ignored;
  return fs::is_directory(word, ignored) || (!fs::exists(word, ignored) && isGlob(word));
}

int runFolder(const RunArguments& arguments, Json& out) {
  InputMessages messages;
  const std::vector<DenoiseJob> jobs = planPictures(arguments, messages);
  printDiagnostics(messages.problems);
  printDiagnostics(messages.damaged);
  const bool isDamaged = messages.damaged.hasErrors();
  if (messages.problems.hasErrors() || (isDamaged && !arguments.skipDamaged) || jobs.empty())
    return exitUsage;
  for (const DenoiseJob& job : jobs)
    out["inputs"].push_back({{"input", job.input.file}});
  return runBatches(arguments, jobs, isDamaged ? exitFiles : exitOk, out);
}

}  // namespace lacuna
