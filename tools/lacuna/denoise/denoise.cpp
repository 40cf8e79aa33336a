// lacuna denoise: finds out what the input is, makes a graph for it, and runs that.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/files/file_id.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/exr_channels.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/check_files.h"
#include "tools/lacuna/denoise/check_histograms.h"
#include "tools/lacuna/denoise/check_weights.h"
#include "tools/lacuna/denoise/check_words.h"
#include "tools/lacuna/denoise/choose_frames.h"
#include "tools/lacuna/denoise/graph.h"
#include "tools/lacuna/denoise/layers.h"
#include "tools/lacuna/denoise/outputs.h"
#include "tools/shell/interrupt.h"
#include "tools/shell/messages.h"
#include "tools/shell/progress.h"
#include "tools/shell/report.h"
#include "tools/shell/text_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

void say(const DenoiseArguments& arguments, const std::string& text) {
  if (!arguments.run.quiet && !arguments.run.json)
    printLine(text);
}

void checkLayers(const std::vector<DenoiseInput>& inputs, const std::map<std::string, std::string>& layers,
                 std::vector<std::string>& problems) {
  for (const DenoiseInput& input : inputs)
    for (const auto& [plane, layer] : layers)
      if (input.info.codec == "exr" && !input.info.has(plane))
        problems.push_back(
            fmt::format("-p i-file:in:{}={}: {} has no {} in such a layer; `lacuna info` lists its channels",
                        io::exrLayerParameter(plane), layer, input.file, plane));
}

std::vector<DenoiseJob> planJobs(const DenoiseArguments& arguments, InputMessages& messages) {
  std::vector<std::string>& problems = messages.problems;
  const bool sums = arguments.method == nameOf(Method::rhf) && arguments.histogram.empty();
  const auto layers = namedLayers(arguments.run.graph.parameters);
  std::vector<DenoiseInput> inputs = findInputs(
      arguments.inputs, sums, arguments.output.find("{layer}") != std::string::npos, layers, messages);
  checkLayers(inputs, layers, problems);
  const std::vector<std::string> outputs = nameOutputs(arguments.output, inputs, problems);
  std::vector<DenoiseJob> jobs;
  for (size_t i = 0; i < inputs.size() && i < outputs.size(); ++i) {
    const Planes planes = planesOf(inputs[i], arguments.histogram);
    DenoiseJob job{std::move(inputs[i]), outputs[i],         chooseMethod(planes), {},
                   arguments.strength,   arguments.histogram};
    job.quality = arguments.quality;
    if (const auto method = methodFromName(arguments.method))
      job.method = *method;
    if (const std::string lacking = whatLacks(job.method, planes); !lacking.empty())
      problems.push_back(fmt::format("--method {}: {} has no {}", arguments.method, job.input.file, lacking));
    jobs.push_back(std::move(job));
  }
  if (!arguments.saveGraph.empty() && jobs.size() > 1)
    problems.push_back(
        fmt::format("--save-graph {}: one file for the graphs of {} inputs; expected one input",
                    arguments.saveGraph, jobs.size()));
  if (arguments.quality > 0 && !jobs.empty() && std::none_of(jobs.begin(), jobs.end(), isJpeg))
    problems.push_back(fmt::format("--quality {}: no output is a JPEG file", arguments.quality));
  chooseFrames(jobs, arguments.run, problems);
  takeWeights(jobs, arguments.weights, problems);
  checkHistograms(jobs, arguments.histogram, problems);
  checkNames(jobs, problems);
  if (!arguments.run.keepOutputs)
    checkFiles(jobs, arguments.run.overwriteInput, problems);
  return jobs;
}

// The effect of a wrong convention is easily missed, so it is measured before.
void findMotion(const DenoiseArguments& arguments, DenoiseJob& job) {
  const std::vector<int>& numbers = job.input.numbers;
  const bool takesMotion =
      job.method == Method::svgf || (job.method == Method::unet && takenPlanes(job).motion);
  if (!takesMotion || !job.input.info.has("motion") || numbers.size() < 2)
    return;
  for (size_t i = 1; i < numbers.size() && !job.motion; i += std::max<size_t>(1, numbers.size() / 4))
    try {
      if (numbers[i] == numbers[i - 1] + 1)
        job.motion = guessMotion(job.input.fileOf(numbers[i - 1]), job.input.fileOf(numbers[i]));
    } catch (const FileError&) {
      // Damaged files are reported where they are denoised.
    }
  if (!job.motion)
    return;
  if (!job.motion->fits)
    printWarning(fmt::format("{}: the motion fits in no convention: frames are denoised almost as stills",
                             job.input.file));
  else if (!job.motion->asUsed)
    say(arguments, fmt::format("{}: measured {}, not {} as its channels' names suggest", job.input.file,
                               asParameters(job.motion->convention, job.motion->scale),
                               asParameters(*job.input.info.motion, {1.0F, 1.0F})));
}

// "photograph, by edge-avoiding wavelets (eaw)"
std::string describe(const DenoiseJob& job) {
  const Planes planes = planesOf(job.input), taken = takenPlanes(job);
  const bool isRender = planes.sceneLinear || !guidesOf(planes).empty();
  const std::string frames =
      job.input.isSequence() ? fmt::format(", {} frames", job.input.numbers.size()) : "";
  std::string text = fmt::format("{}{}, by {} ({})", isRender ? "render" : "photograph", frames,
                                 wordsOf(job.method), nameOf(job.method));
  if (job.method != Method::unet)
    return text;
  const std::string used = guidesBeside(taken, {}), unused = guidesBeside(planes, taken);
  return text + fmt::format("{}{}{}{}", used.empty() ? ", from colour alone" : ", guided by " + used,
                            unused.empty() ? "" : ", without " + unused,
                            taken.motion ? ", over time, mixed with svgf" : "",
                            job.strength > 1.0 ? ", smoothed by svgf" : "");
}

std::string shownName(const DenoiseInput& input) {
  return (input.file == standardStream ? "standard input" : input.file) +
         (input.layer.empty() ? "" : ", " + input.layer);
}

// A line for all that are alike: "a.png and 479 more: photograph, by edge-avoiding wavelets (eaw)".
void sayMethods(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const DenoiseJob& job : jobs) {
    const std::string kind = describe(job);
    auto known =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.first == kind; });
    if (known == kinds.end())
      known = kinds.insert(kinds.end(), {kind, {}});
    known->second.push_back(shownName(job.input));
  }
  for (const auto& [kind, names] : kinds)
    say(arguments, fmt::format("{}{}: {}", names.front(),
                               names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "", kind));
}

void saveGraph(const std::string& file, const DenoiseJob& job) {
  if (file == standardStream)
    fmt::print("{}", graphText(job, fs::current_path().string()));
  else
    writeTextFile(file, graphText(job, fs::absolute(file).parent_path().string()));
}

// The pictures of other view layers, which are unchanged.
void reportPictures(const DenoiseJob& job) {
  const std::string taken = job.input.info.layerOf("output");
  std::vector<std::string> others = job.input.info.pictures;
  std::erase(others, taken);
  if (others.empty() || !job.input.layer.empty())
    return;
  const std::string choice = others.front();
  const auto shown = [](const std::string& layer) { return layer.empty() ? "R G B" : layer; };
  std::transform(others.begin(), others.end(), others.begin(), shown);
  printWarning(
      fmt::format("{}: denoises the view layer {}, not {}; -p \"i-file:in:output={}\" chooses another one, "
                  "{{layer}} in the name behind -o denoises each, into a file of its own",
                  job.input.file, shown(taken), fmt::join(others, ", "), choice));
}

int runJob(const DenoiseArguments& arguments, DenoiseJob& job, nlohmann::ordered_json& out) {
  const std::string shown = job.input.file == standardStream ? "standard input" : job.input.file;
  findMotion(arguments, job);
  reportPictures(job);
  out.update({{"input", job.input.file}, {"method", nameOf(job.method)}});
  RunArguments run = arguments.run;
  run.graph.graph = fmt::format("graph of {}", shown);
  run.graph.text = graphText(job);
  run.frames = job.frames;
  const std::string& saved = arguments.saveGraph;
  const bool isSaved = !saved.empty() && !(arguments.run.keepOutputs && fileIdOf(saved));
  if (arguments.dryRun) {
    if (isSaved)
      saveGraph(saved, job);
    return exitOk;
  }
  if (isSaved && saved != standardStream)
    run.others.push_back(
        {"--save-graph " + saved, "the saved graph", saved, FileKind::graph, arguments.run.overwriteInput});
  const int code = runGraph(run, out);
  if (code == exitOk && isSaved)
    saveGraph(saved, job);
  else if (!saved.empty() && !isSaved)
    say(arguments, fmt::format("lacuna: {} already exists, and is kept", saved));
  return code;
}

// One after another. `code`: of what went wrong before.
int runJobs(const DenoiseArguments& given, std::vector<DenoiseJob>& jobs, int code,
            nlohmann::ordered_json& out) {
  DenoiseArguments arguments = given;
  Progress progress(arguments.run.quiet ? ShowProgress::never : arguments.run.progress, jobs.size());
  const double start = commandSeconds();
  size_t failed = 0;
  sayMethods(arguments, jobs);
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (Interrupts::signal() != 0) {  // while the picture before was written
      printNote(fmt::format("interrupted: {} of {} inputs are done", i, jobs.size()));
      return exitSignal + Interrupts::signal();
    }
    progress.update(fmt::format("{}: {} of {} done", shownName(jobs[i].input), i, jobs.size()),
                    static_cast<int>(i), static_cast<int>(jobs.size() - i), commandSeconds() - start);
    arguments.run.begun = i == 0 ? 0.0 : commandSeconds();
    const int result = runJob(arguments, jobs[i], out["inputs"].emplace_back());
    if (result >= exitSignal)
      return result;
    failed += result == exitOk ? 0 : 1;
    code = code == exitOk ? result : code;
  }
  out["seconds"] = commandSeconds();
  if (jobs.size() > 1)
    say(arguments, fmt::format("{} of {} inputs in {}, {:.1f} a second", jobs.size() - failed, jobs.size(),
                               duration(commandSeconds()),
                               static_cast<double>(jobs.size()) / (commandSeconds() - start)));
  if (failed > 0 && jobs.size() > 1)
    printNote(fmt::format("{} of {} inputs failed", failed, jobs.size()));
  return code;
}

int denoise(const DenoiseArguments& given, nlohmann::ordered_json& out) {
  DenoiseArguments arguments = given;
  std::transform(given.inputs.begin(), given.inputs.end(), arguments.inputs.begin(), standardInputName);
  arguments.output = standardOutputName(given.output);
  arguments.saveGraph = standardOutputName(given.saveGraph);
  const std::pair<const char*, bool> printed[] = {{"--json", arguments.run.json},
                                                  {"--save-graph -", arguments.saveGraph == standardStream},
                                                  {"-o -", arguments.output == standardStream}};
  for (const auto& [first, isFirst] : printed)
    for (const auto& [second, isSecond] : printed)
      if (first != second && isFirst && isSecond) {
        printError(fmt::format("{} and {} would both write standard output: name a file", first, second));
        return exitUsage;
      }
  if (const std::string mistake = expandedOutput(arguments); !mistake.empty()) {
    printError(mistake);
    return exitUsage;
  }
  InputMessages messages;
  std::vector<DenoiseJob> jobs = planJobs(arguments, messages);
  for (const std::string& text : messages.skipped)
    printWarning(text);
  for (const std::vector<std::string>* texts : {&messages.problems, &messages.damaged})
    for (const std::string& text : *texts)
      printError(text);
  arguments.run.runs = static_cast<int>(jobs.size());
  const bool isDamaged = !messages.damaged.empty();
  const bool leavesOut = arguments.run.skipDamaged && !jobs.empty();
  if (isDamaged && !leavesOut && !jobs.empty())
    printNote("--skip-damaged skips files that can't be read");
  if (!messages.problems.empty() || (isDamaged && !leavesOut))
    return exitUsage;
  return runJobs(arguments, jobs, isDamaged ? exitFiles : exitOk, out);
}

}  // namespace

int runDenoise(const DenoiseArguments& arguments) {
  return reported(arguments.run.json, [&](nlohmann::ordered_json& out) { return denoise(arguments, out); });
}

}  // namespace lacuna
