// lacuna denoise: finds out what the input is, makes a graph for it, and runs that.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "graph/files/output_file.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/exr_channels.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/lacuna/denoise/steps.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

void checkLayers(const std::vector<DenoiseInput>& inputs, const std::map<std::string, std::string>& layers,
                 Diagnostics& problems) {
  for (const DenoiseInput& input : inputs)
    for (const auto& [plane, layer] : layers)
      if (input.info.codec == "exr" && !input.info.has(plane))
        problems.error(
            {},
            fmt::format("-p i-file:in:{}={}: {} has no {} in such a layer; `lacuna info` lists its channels",
                        io::exrLayerParameter(plane), layer, input.file, plane));
}

// Several layers of a file.
void checkOthers(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs,
                 Diagnostics& problems) {
  const auto hasOthers = [](const DenoiseJob& job) { return !job.input.others.empty(); };
  const auto found = std::find_if(jobs.begin(), jobs.end(), hasOthers);
  if (found == jobs.end())
    return;
  const std::string words = fmt::format("--layers {}", fmt::join(arguments.layers, ","));
  if (io::extensionOf(found->output) != ".exr")
    problems.error({}, fmt::format("{}: -o {} holds one layer; expected an OpenEXR file, or {{layer}} in the "
                                   "name for a file each",
                                   words, arguments.output));
  if (!arguments.saveGraph.empty())
    problems.error({}, fmt::format("{}: --save-graph writes the graph of one layer; name one", words));
}

void checkDevelopment(const Development& development, const std::vector<DenoiseJob>& jobs,
                      Diagnostics& problems) {
  const std::pair<const char*, std::optional<double>> options[] = {{"--exposure", development.exposure},
                                                                   {"--temperature", development.temperature},
                                                                   {"--tint", development.tint}};
  const auto isMosaic = [](const DenoiseJob& job) { return job.input.info.isMosaic; };
  for (const auto& [name, value] : options)
    if (value && !jobs.empty() && std::none_of(jobs.begin(), jobs.end(), isMosaic))
      problems.error(
          {},
          fmt::format(
              "{} {}: no input is a raw photograph with a sensor's mosaic; the modules exposure and colour "
              "change other pictures",
              name, *value));
}

// So many numbers with commas between them; none, and a problem, for other words, which `expected` describes.
template <class Number>
std::vector<Number> numbersIn(const char* option, const std::string& words, size_t count,
                              std::optional<Number> (*parse)(std::string_view), const std::string& expected,
                              Diagnostics& problems) {
  std::vector<Number> numbers;
  const std::vector<std::string_view> parts = splitCommas(words);
  for (const std::string_view part : parts)
    if (const std::optional<Number> number = parse(part))
      numbers.push_back(*number);
  if (words.empty() || (numbers.size() == count && parts.size() == count))
    return numbers;
  problems.error({}, fmt::format("{} {}: expected {} numbers with commas between them: {}", option, words,
                                 count, expected));
  return {};
}

// Of -p "eaw:01:noise=0.01" and the like: wiener needs them, too, unless eaw states them to it.
void takeNoise(const std::vector<std::string>& parameters, DenoiseJob& job) {
  if (job.input.info.isMosaic || contains(parameters, std::string("eaw:01:correlated=true")))
    return;
  for (const std::string& parameter : parameters)
    for (const char* name : noiseParameters)
      if (const std::string words = fmt::format("eaw:01:{}=", name); parameter.starts_with(words))
        job.noise.emplace_back(name, parameter.substr(words.size()));
}

void checkNoise(const std::vector<DenoiseJob>& jobs, const std::string& noise, Diagnostics& problems) {
  for (const DenoiseJob& job : jobs)
    if (!noise.empty() && !estimatesNoise(job))
      problems.error(
          {}, fmt::format("--noise: {} {}", job.input.file,
                          job.input.info.isMosaic ? "is a raw photograph, whose noise its camera states"
                          : job.strength > 0 ? fmt::format("is denoised by {}, which takes no such noise",
                                                           nameOf(job.method))
                                             : std::string("isn't denoised: --strength is 0")));
}

void checkFast(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs,
               Diagnostics& problems) {
  const auto isFilteredByWiener = [](const DenoiseJob& job) {
    return job.method == Method::wiener && job.strength > 0;
  };
  if (!arguments.fast || jobs.empty() || std::ranges::any_of(jobs, isFilteredByWiener))
    return;
  const DenoiseJob& job = jobs.front();
  problems.error(
      {}, fmt::format("--{}: {} {}", *arguments.fast ? "fast" : "no-fast", job.input.file,
                      job.strength > 0
                          ? fmt::format("is denoised by {}; only wiener has this choice", nameOf(job.method))
                          : std::string("isn't denoised: --strength is 0")));
}

void checkMosaics(const std::vector<DenoiseJob>& jobs, Diagnostics& problems) {
  for (const DenoiseJob& job : jobs)
    if (job.isMosaicAgain && (!writesDng(job) || bayerPattern(job.input).empty()))
      problems.error({}, writesDng(job)
                             ? fmt::format("--mosaic: {} has no Bayer mosaic", job.input.file)
                             : fmt::format("--mosaic: -o {} holds none; expected a DNG file", job.output));
}

void checkNumbers(const std::vector<DenoiseJob>& jobs, Diagnostics& problems) {
  for (const DenoiseJob& job : jobs)
    if (job.input.info.codec == "npy" && job.strength > 0 && !job.input.info.pixels.ends_with("float"))
      problems.error(
          {}, fmt::format("{}: its numbers have {} bits; expected floats, as of (a / {}).astype(\"<f4\")",
                          job.input.file, job.input.info.bits, (uint64_t{1} << job.input.info.bits) - 1));
}

void checkCrop(const std::vector<DenoiseJob>& jobs, Diagnostics& problems) {
  for (const DenoiseJob& job : jobs) {
    const Extent whole = job.input.info.extent;
    const auto isWithin = [](int64_t first, int64_t count, int64_t side) {
      return first >= 0 && count > 0 && first < side && count <= side - first;
    };
    const std::vector<int64_t>& crop = job.crop;
    if (!crop.empty() &&
        (!isWithin(crop[0], crop[2], whole.width) || !isWithin(crop[1], crop[3], whole.height)))
      problems.error(
          {}, fmt::format("--crop {}: {} has {} x {} pixels; expected a part of it: {}", fmt::join(crop, ","),
                          job.input.file, whole.width, whole.height, cropWords));
  }
}

std::vector<DenoiseJob> planJobs(const DenoiseArguments& arguments, InputMessages& messages) {
  Diagnostics& problems = messages.problems;
  const bool sums = arguments.method == nameOf(Method::rhf) && arguments.histogram.empty();
  const auto layers = namedLayers(arguments.run.graph.parameters);
  const bool eachLayer = arguments.output.find("{layer}") != std::string::npos;
  const std::vector<std::string> names =
      arguments.layers.empty() && eachLayer ? std::vector<std::string>{"all"} : arguments.layers;
  std::map<std::string, std::string> guides = arguments.guides;
  std::erase_if(guides, [](const auto& each) { return each.second.empty(); });
  std::vector<DenoiseInput> inputs =
      findInputs(arguments.inputs, sums, names, eachLayer, {.page = arguments.filePage, .layers = layers},
                 &guides, messages);
  checkLayers(inputs, layers, problems);
  const std::vector<std::string> outputs = nameOutputs(arguments.output, inputs, problems);
  const std::vector<double> noise = numbersIn("--noise", arguments.noise, noiseParameters.size(), parseNumber,
                                              "those that a run of the whole picture has printed", problems);
  const std::vector<int64_t> crop = numbersIn("--crop", arguments.crop, 4, parseInteger, cropWords, problems);
  std::vector<DenoiseJob> jobs;
  for (size_t i = 0; i < inputs.size() && i < outputs.size(); ++i) {
    const Planes planes = planesOf(inputs[i], arguments.histogram);
    DenoiseJob job{std::move(inputs[i]), outputs[i],         chooseMethod(planes), {},
                   arguments.strength,   arguments.histogram};
    job.quality = arguments.quality;
    job.filePage = arguments.filePage;
    job.development = arguments.development;
    job.isMosaicAgain = arguments.mosaic;
    for (size_t k = 0; k < noise.size(); ++k)
      job.noise.emplace_back(noiseParameters.at(k), fmt::format("{}", noise[k]));
    takeNoise(arguments.run.graph.parameters, job);
    job.printsNoise = inputs.size() == 1 && !job.input.isSequence();
    job.crop = crop;
    job.modules = arguments.run.graph.modules;
    job.keepsColours =
        std::any_of(arguments.run.graph.parameters.begin(), arguments.run.graph.parameters.end(),
                    [](const std::string& parameter) { return parameter.starts_with("i-file:in:profile="); });
    if (const auto method = methodFromName(arguments.method))
      job.method = *method;
    else if (arguments.fast && planes.raw)
      job.method = Method::wiener;
    job.isOfOtherPattern = job.method == Method::unet && planes.raw && !planes.bayer;
    if (job.isOfOtherPattern)
      job.method = Method::wiener;
    const bool hasWeights = job.method == Method::unet && !arguments.weights.empty();
    if (const std::string lacking = whatLacks(job.method, planes); !lacking.empty() && !hasWeights)
      problems.error({}, fmt::format("--method {}: {} has no {}", arguments.method, job.input.file, lacking));
    jobs.push_back(std::move(job));
  }
  checkOthers(arguments, jobs, problems);
  const auto hasLayers = [](const DenoiseJob& job) { return job.input.info.codec == "exr"; };
  if (!arguments.layers.empty() && !jobs.empty() && std::none_of(jobs.begin(), jobs.end(), hasLayers))
    problems.error({},
                   fmt::format("--layers {}: no input is an OpenEXR file", fmt::join(arguments.layers, ",")));
  if (!arguments.saveGraph.empty() && jobs.size() > 1)
    problems.error({},
                   fmt::format("--save-graph {}: one file for the graphs of {} inputs; expected one input",
                               arguments.saveGraph, jobs.size()));
  if (arguments.quality > 0 && !jobs.empty() && std::none_of(jobs.begin(), jobs.end(), takesQuality))
    problems.error({}, fmt::format("--quality {}: no output has lossy compression", arguments.quality));
  checkDevelopment(arguments.development, jobs, problems);
  checkMosaics(jobs, problems);
  checkNumbers(jobs, problems);
  checkFast(arguments, jobs, problems);
  checkCrop(jobs, problems);
  checkPage(arguments, jobs, problems);
  chooseFrames(jobs, arguments.run, problems);
  takeWeights(jobs, arguments, problems);
  checkNoise(jobs, arguments.noise, problems);
  checkHistograms(jobs, arguments.histogram, problems);
  checkNames(jobs, problems);
  if (!arguments.run.keepOutputs)
    checkFiles(jobs, arguments.run.overwriteInput, problems);
  return jobs;
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
  if (arguments.run.missing == Missing::wait) {
    const std::string folder = fs::path(arguments.output).parent_path().string();
    const auto reason = arguments.output == standardStream ? std::nullopt : unusableFolder(folder);
    if (reason) {  // reported before the wait
      printError(fmt::format("-o {}: {}", given.output, *reason));
      return exitUsage;
    }
    awaitFiles(arguments, messages.problems);
  }
  std::vector<DenoiseJob> jobs = planJobs(arguments, messages);
  printDiagnostics(messages.problems);
  printDiagnostics(messages.damaged);
  arguments.run.runs = static_cast<int>(jobs.size());
  const bool isDamaged = messages.damaged.hasErrors();
  const bool leavesOut = arguments.run.skipDamaged && !jobs.empty();
  if (isDamaged && !leavesOut && !jobs.empty())
    printNote("--skip-damaged skips files that can't be read");
  if (messages.problems.hasErrors() || (isDamaged && !leavesOut))
    return exitUsage;
  for (const DenoiseJob& job : jobs)
    if (!job.input.guides.empty())
      say(arguments, fmt::format("{}: {}", job.input.file, guidesText(job.input)));
  const int code = runJobs(arguments, jobs, isDamaged ? exitFiles : exitOk, out);
  return code == exitOk && arguments.page && !arguments.dryRun ? writePage(arguments, jobs.front(), out)
                                                               : code;
}

}  // namespace

int runDenoise(const DenoiseArguments& arguments) {
  return reported(arguments.run.json, [&](nlohmann::ordered_json& out) { return denoise(arguments, out); });
}

}  // namespace lacuna
