#include "tools/shell/command_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "graph/config/byte_size.h"
#include "graph/config/text.h"
#include "tools/shell/command_words.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

void addWarmUp(CLI::App& command, int& frames) {
  addValue(command, "--warm-up", frames, "COUNT",
           "frames to compute before --frames, without output (default: as many as modules with feedback "
           "need)",
           countFrom(0, 1'000'000'000));
}

void addMissing(CLI::App& command, Missing& missing) {
  static const std::map<std::string, Missing> words = {{"error", Missing::error},
                                                       {"skip", Missing::skip},
                                                       {"hold", Missing::hold},
                                                       {"wait", Missing::wait},
                                                       {"span", Missing::span}};
  oneOf(command.add_option_function<std::string>(
            "--missing", [&missing](const std::string& word) { missing = words.at(word); },
            "what to do about missing input files: report them, skip their frames, show the last one again, "
            "wait until they are written, or skip them while history goes on, as motion then has to"),
        {"error", "skip", "hold", "wait", "span"});
}

std::optional<uint32_t> parseSide(const std::string& text) {
  const bool isDigits =
      !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos;
  const auto number = isDigits ? parseInteger(text) : std::nullopt;
  return number && *number > 0 ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

CLI::Validator expecting(const std::string& expected,
                         const std::function<bool(const std::string&)>& isRight) {
  const auto check = [=](const std::string& word) {
    return isRight(word) ? std::string() : fmt::format("'{}' is not {}", word, expected);
  };
  return {check, ""};
}

}  // namespace

void oneOf(CLI::Option* option, const std::vector<std::string>& words) {
  option->type_name("{" + joined(words, ",") + "}");
  const auto check = [words](const std::string& word) {
    return std::find(words.begin(), words.end(), word) == words.end() ? unknown("word", word, words)
                                                                      : std::string();
  };
  option->check(CLI::Validator(check, ""));
}

CLI::Validator countFrom(int64_t least, int64_t most) {
  return expecting(fmt::format("a whole number from {} to {}", least, most), [=](const std::string& word) {
    const auto value = parseInteger(word);
    return value && *value >= least && *value <= most;
  });
}

CLI::Validator notEmpty(const std::string& expected) {
  return {[expected](const std::string& word) { return word.empty() ? "'': expected " + expected : ""; }, ""};
}

CLI::Validator anyNumber() {
  return expecting("a number", [](const std::string& word) { return parseNumber(word).has_value(); });
}

CLI::Validator numberFromZero() {
  return expecting("a number from 0 on",
                   [](const std::string& word) { return parseNumber(word).value_or(-1.0) >= 0.0; });
}

CLI::Validator numberIn(double least, double most) {
  return expecting(fmt::format("a number from {} to {}", least, most), [=](const std::string& word) {
    const auto value = parseNumber(word);
    return value && *value >= least && *value <= most;
  });
}

CLI::Validator byteSize() {
  const auto change = [](std::string& word) {
    const auto bytes = parseBytes(word);
    std::string mistake =
        bytes ? "" : fmt::format("'{}' is not a size: expected bytes, such as 500MB or 1.5GB", word);
    word = bytes ? std::to_string(*bytes) : word;
    return mistake;
  };
  return {change, ""};
}

std::optional<Extent> parseSize(const std::string& text) {
  const size_t at = text.find('x');
  if (at == std::string::npos)
    return std::nullopt;
  const auto width = parseSide(text.substr(0, at)), height = parseSide(text.substr(at + 1));
  return width && height ? std::optional(Extent{*width, *height}) : std::nullopt;
}

CLI::Option* addList(CLI::App& command, const char* name, std::vector<std::string>& values,
                     const char* help) {
  return command.add_option(name, values, help)->allow_extra_args(false);
}

void tuck(CLI::App& command, std::initializer_list<const char*> options) {
  for (const char* option : options)
    command.get_option(option)->group(moreOptions);
}

void addModules(CLI::App& command, std::vector<std::string>& modules) {
  addList(command, "--modules", modules, "folder with modules, searched first (may repeat)")
      ->type_name("DIR")
      ->check(CLI::Validator(mistakeInModules, ""));
}

void addDevice(CLI::App& command, std::string& device) {
  addValue(command, "--device", device, "DEVICE",
           "a device's number in `lacuna devices`, part of its name, its UUID, or cpu",
           notEmpty("a device's number, part of its name, its UUID, or cpu"));
}

void addJson(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "for scripts");
}

void addGraph(CLI::App& command, std::string& graph) {
  addFile(command, "graph", graph, "graph file; -: standard input", "GRAPH")->required();
}

void addGraphs(CLI::App& command, std::vector<std::string>& graphs) {
  addFile(command, "graphs", graphs, "graph files; -: from standard input to standard output", "GRAPH")
      ->required();
}

void addGraphSettings(CLI::App& command, GraphArguments& a) {
  addModules(command, a.modules);
  addList(command, "--include-root", a.includeRoots,
          "folder that graphs may include from, beside their own (may repeat)")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""));
  addList(command, "-p,--param", a.parameters, "set a parameter: module:instance:parameter=value")
      ->type_name("P=V");
  addList(command, "--schedule", a.pipeline.schedules,
          "schedule for all filters, or module:instance=NAME for one")
      ->type_name("SCHEDULE");
  addDevice(command, a.device);
}

void addSettings(CLI::App& command, GraphArguments& a) {
  addList(command, "-i,--input", a.inputs,
          "set the source's file; with several sources, source:instance=FILE")
      ->type_name("FILE");
  addList(command, "-o,--output", a.outputs, "set the sink's file; with several sinks, sink:instance=FILE")
      ->type_name("FILE");
  addGraphSettings(command, a);
}

void addPasses(CLI::App& command, GraphArguments& a) {
  command.add_flag_callback(
      "--no-fuse", [&a] { a.pipeline.fuses = false; }, "run every node as its own pass, for comparison");
}

void addMemory(CLI::App& command, GraphArguments& a) {
  addValue(command, "--memory", a.pipeline.memoryBytes, "SIZE",
           "most of the device's memory to take; pictures that need more run in tiles: 500MB, 2GB")
      ->transform(byteSize());
}

void addFrames(CLI::App& command, GraphOptions& a) {
  addValue(
      command, "--frames", a.frames.text, "FRAMES",
      "frames to write, by the numbers of the sources' files: A, A-B, A-BxSTEP (also -2-2), several with "
      "commas, all or last (default: from the graph, else all)",
      notEmpty("A, A-B or A-BxSTEP, several with commas, all or last"));
  addWarmUp(command, a.warmUp);
  addMissing(command, a.missing);
  command.add_flag("--skip-damaged", a.skipDamaged,
                   "skip frames whose input files can't be read, and run the others; exit code 4");
}

void addRunOptions(CLI::App& command, RunArguments& a) {
  command.get_option("--device")
      ->description(
          "a device's number in `lacuna devices`, part of its name, its UUID, or cpu; several with commas, "
          "or all (GPUs), share the frames");
  addPasses(command, a.graph);
  addMemory(command, a.graph);
  command.add_flag("--validate", a.graph.validate,
                   "run with Vulkan's validation layers; a message is a failure");
  command.add_flag("--debug-shaders", a.graph.pipeline.debugShaders,
                   "for debuggers: keep sources and lines in shaders, and write them to debug-shaders in the "
                   "cache's folder");
  addFrames(command, a);
  CLI::Option* resume = command.add_flag("--resume", a.resume,
                                         "skip frames whose outputs are complete and made from the same "
                                         "inputs, by the same program, modules and parameters");
  command
      .add_flag("--overwrite-input", a.overwriteInput,
                "allow outputs to replace files that the run reads, after they were read")
      ->excludes(resume)
      ->excludes(command
                     .add_flag("--no-clobber", a.keepOutputs,
                               "keep every existing output file, and run frames without one")
                     ->excludes(resume));
  addValue(command, "--in-flight", a.inFlight, "COUNT",
           "frames in flight (default: 3 to 32, by cores and memory)", countFrom(1, 64));
  command.add_flag_callback(
      "--no-tune", [&a] { a.tune = false; },
      "don't measure schedules, as long runs on GPUs do before their first frame");
  CLI::Option* shows = command.add_flag_callback(
      "--progress", [&a] { a.progress = ShowProgress::always; }, "also show the progress of a single frame");
  command
      .add_flag_callback(
          "--no-progress", [&a] { a.progress = ShowProgress::never; }, "show no progress")
      ->excludes(shows);
  command.add_flag("-q,--quiet", a.quiet, "print only errors and warnings");
  tuck(command, {"--include-root", "--no-fuse", "--validate", "--debug-shaders", "--warm-up", "--missing",
                 "--skip-damaged", "--overwrite-input", "--no-clobber", "--in-flight", "--no-tune",
                 "--progress", "--no-progress"});
}

}  // namespace lacuna
