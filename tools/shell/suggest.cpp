
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "graph/config/diagnostics.h"
#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/module/registry.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/image_file.h"
#include "tools/shell/arguments.h"
#include "tools/shell/command_words.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

// For a word where a command is expected.
std::string unknownCommand(const CLI::App& app, const std::string& word) {
  const std::string extension = io::extensionOf(word);
  if (isImageFile(word) || io::readerOfExtension(extension) != nullptr)
    return fmt::format("'{0}' is a picture, not a command: `lacuna denoise {0} -o OUT` denoises it", word);
  if (extension == ".cfg")
    return fmt::format("'{0}' is a graph, not a command: `lacuna run {0}` runs it", word);
  std::vector<std::string> known = commandNames(app);
  if (word == "version")
    known.emplace_back("--version");
  return unknown("command", word, known);
}

// "--albedo" -> "albedo", "-j8" -> "j"
std::string bareName(const std::string& option) {
  const bool isLong = option.starts_with("--");
  return lowerCase(isLong ? option.substr(2) : option.substr(1, 1));
}

// The nearest of the long options. The dashes don't count, or each short word would be near to several.
std::string nearOption(const std::string& word, const std::vector<std::string>& options) {
  std::vector<std::string> names;
  for (const std::string& option : options)
    if (option.starts_with("--"))
      names.push_back(option.substr(2));
  const std::string near = word.starts_with("--") ? didYouMean(word.substr(2), names) : "";
  const size_t from = near.find('\'');
  return near.empty() ? "" : near.substr(0, from + 1) + "--" + near.substr(from + 1);
}

// What other programs call an option, and its name here, or a text if there is none. `command`: alone for it.
struct OtherName {
  std::vector<std::string_view> words;
  const char* option;
  const char* text = "";
  const char* command = "";
};

OtherName said(const char* text, std::vector<std::string_view> words, const char* command = "") {
  return {std::move(words), "", text, command};
}

const std::vector<OtherName>& otherNames() {
  static const std::vector<OtherName> all = {
      {{"v"}, "--version", "", "lacuna"},
      said("all measures are printed; --min-psnr, --max-relmse and the like are limits",
           {"metric", "metrics", "psnr", "ssim", "relmse", "mse", "rmse", "flip"}, "compare"),
      said("limits are --max-relmse, --min-psnr, --min-ssim, --max-flip, --max-error",
           {"threshold", "tolerance", "epsilon", "tol", "eps"}, "compare"),
      said("pictures are words alone: `lacuna compare PICTURE REFERENCE`",
           {"i", "input", "r", "ref", "reference", "a", "b"}, "compare"),
      {{"diff", "heatmap", "errormap", "error-map", "visualize", "visualise"}, "--difference"},
      said("the ending of -o chooses: .svg, .dot or .gv", {"format", "type", "svg", "dot"}, "graph"),
      {{"type", "template", "t", "k"}, "--kind"},
      said("the folder is a word alone: `lacuna new FOLDER --kind stencil`",
           {"o", "out", "output", "dir", "path", "name"}, "new"),
      {{"update", "bless", "regenerate", "record", "rebase"}, "--accept"},
      {{"threshold", "epsilon", "tol", "eps"}, "--tolerance"},
      said("`lacuna fmt` rewrites graphs in the standard format", {"fix", "format", "write"}, "check"),
      {{"diff", "dry-run", "n", "list"}, "--check", "", "fmt"},
      {{"reset", "clear", "delete"}, "--forget"},
      {{"n", "iterations", "repeat", "count", "samples"}, "--runs"},
      {{"clean", "purge", "wipe", "prune", "delete", "reset"}, "--clear"},
      said("LACUNA_CACHE_SIZE and LACUNA_CACHE set size and folder",
           {"size", "max-size", "limit", "dir", "path"}, "cache"),
      {{"alb"}, "--albedo"},
      {{"nrm", "nor", "normals"}, "--normal"},
      {{"z"}, "--depth"},
      {{"mv", "flow", "vec", "vectors", "velocity", "motion-vectors"}, "--motion"},
      {{"hist", "bins"}, "--histogram"},
      said("`lacuna compare CLEAN REFERENCE` prints errors", {"ref", "reference", "compare"}, "denoise"),
      said("the module resize of a graph does this: `lacuna describe resize`", {"resize", "scale"},
           "denoise"),
      said("`lacuna plan GRAPH --all` lists the schedules", {"list-schedules", "show-schedules"}, "run"),
      {{"bench", "benchmark", "timing", "stats"}, "--time"},
      {{"roi", "region"}, "--crop"},
      {{"wb", "white-balance", "kelvin"}, "--temperature"},
      {{"ev"}, "--exposure"},
      {{"srgb", "is-srgb", "hdr", "ldr", "linear", "colorspace", "colourspace", "color-space", "colour-space",
        "gamma"},
       "--param",
       "files say their colours' space and curve; `lacuna describe i-file` lists what overrides them"},
      said("archives of Open Image Denoise for clean guides are those with calb in their name: --weights "
           "rt_hdr_calb_cnrm.tza --prefilter FOLDER",
           {"clean-aux", "clean_aux"}, "denoise"),
      {{"j", "t", "jobs", "threads", "parallel", "workers", "cores", "nproc"}, "--in-flight"},
      {{"g", "gpu", "gpus", "cuda", "cpu", "backend", "vulkan"}, "--device"},
      {{"out", "outfile", "outdir", "output-dir", "output-file", "dest", "destination", "save", "to"},
       "--output"},
      {{"in", "infile", "input-dir", "input-file", "source", "src", "from"}, "--input"},
      {{"d", "set", "define", "parameter", "params", "option"}, "--param"},
      {{"denoiser", "filter", "algorithm", "algo", "engine", "model", "mode", "preset", "oidn", "optix",
        "nlm", "bm3d", "ai"},
       "--method"},
      {{"amount", "intensity", "blend", "mix", "sigma"}, "--strength"},
      {{"s", "e", "f", "start", "begin", "end", "range", "frame", "start-frame", "end-frame", "first-frame",
        "last-frame"},
       "--frames"},
      {{"n", "skip-existing", "no-overwrite", "keep-existing"}, "--no-clobber"},
      {{"continue", "restart"}, "--resume"},
      {{"y", "yes", "force", "overwrite", "in-place", "inplace"}, "--overwrite-input"},
      {{"silent"}, "--quiet"},
      {{"m", "mem", "ram", "vram", "max-memory", "memory-limit", "maxmem", "tile", "tiles", "tile-size"},
       "--memory"},
      {{"view", "views", "aov", "aovs", "channels"}, "--layers"},
      {{"network", "checkpoint", "weight"}, "--weights"},
      {{"prefilter-aux", "prefilter_aux"}, "--prefilter"},
      {{"weights", "weight", "checkpoint", "model"}, "--network"},
      {{"simulate", "no-write"}, "--dry-run"},
      said("LACUNA_GPU_SECONDS bounds a frame, LACUNA_SHADER_SECONDS its shaders, the command `timeout` a "
           "whole run",
           {"timeout", "time-limit", "max-time"}),
      said("`lacuna plan --verbose` explains a graph, `lacuna run --time` prints times",
           {"v", "verbose", "debug", "log", "log-level", "trace"}),
      said("a pattern takes folders and all below: 'photos/**' in quotes", {"r", "recursive"}),
      said("a graph is a word alone: `lacuna run GRAPH`", {"c", "config", "graph", "pipeline"}),
      said("pictures are words alone: `lacuna denoise photo.jpg -o clean.jpg`",
           {"i", "input", "in", "infile", "input-file", "source", "src", "color", "colour", "image"},
           "denoise"),
      {{"albedo", "normal", "normals", "depth", "motion", "mv", "flow", "aux", "guide", "guides"},
       "--input",
       "SOURCE:INSTANCE=FILE for a source that reads them, such as i-exr or i-file"},
      {{"bits", "bit-depth", "format", "compression", "half"},
       "--param",
       "of the module that writes the file: `lacuna describe o-file` lists them"},
      {{"format", "output-format"}, "--json"},
  };
  return all;
}

std::string calledHere(const CLI::App& command, const std::string& name) {
  const std::vector<std::string> own = optionNames(command);
  for (const OtherName& each : otherNames()) {
    const bool isFor = *each.command == '\0' || command.get_name() == each.command;
    if (!isFor || std::ranges::find(each.words, name) == each.words.end())
      continue;
    const std::string option = each.option, text = each.text;
    if (option.empty())
      return text;
    if (contains(own, option)) {
      const CLI::Option& known = *command.get_option(option);
      const std::string choices = choicesOf(known).empty() ? "" : " " + known.get_type_name();
      return fmt::format("here it is {}{}: {}", option, choices,
                         text.empty() ? known.get_description() : text);
    }
  }
  return {};
}

// "a parameter of rawprep has this name: -p rawprep:INSTANCE:hot_pixels=VALUE"
std::string asParameter(const std::string& name) {
  const std::string parameter = replaceAll(name, "-", "_");
  Registry registry(moduleSearchPath({}));
  std::vector<std::string> modules;
  for (const std::string& each : registry.names()) {
    Diagnostics ignored;
    const auto module = registry.find(each, ignored);
    if (module != nullptr && (each == name || module->parameter(parameter) != nullptr))
      modules.push_back(each);
  }
  if (contains(modules, name))
    return fmt::format("the module {0} of a graph does this: `lacuna describe {0}`", name);
  return modules.empty() ? ""
                         : fmt::format("a parameter of {} has this name: -p {}:INSTANCE:{}=VALUE",
                                       joinNames(modules), modules.front(), parameter);
}

// Its name here; else a near option of the command; else the command that has it.
std::string unknownOption(const CLI::App& app, const CLI::App& command, const std::string& word) {
  const std::vector<std::string> own = optionNames(command);
  const std::string called = &app == &command ? "" : " " + command.get_name();
  const auto unknownOf = [&](const std::string& hint) {
    return fmt::format("unknown option '{}' of `{}{}`{}{}", word, app.get_name(), called,
                       hint.empty() ? "" : "; ", hint);
  };
  if (const std::string here = calledHere(command, bareName(word)); !here.empty())
    return unknownOf(here);
  if (const std::string near = nearOption(word, own); !near.empty())
    return fmt::format("unknown option '{}'; {}", word, near);
  std::string elsewhere;
  // Those of other commands must be equal, or long and equal in their first half.
  const std::string half = "'" + word.substr(0, 3 + word.size() / 2);
  constexpr size_t shortest = std::string_view("--level").size();
  for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<std::string> names = optionNames(*other);
    if (contains(names, word)) {
      elsewhere = fmt::format("`{} {}` has it", app.get_name(), other->get_name());
      break;
    }
    const std::string like =
        elsewhere.empty() && word.size() >= shortest ? nearOption(word, names) : std::string();
    if (like.find(half) != std::string::npos)
      elsewhere = fmt::format("for `{} {}`: {}", app.get_name(), other->get_name(), like);
  }
  const bool takesParameters = contains(own, std::string("--param")) && word.starts_with("--");
  const std::string here = takesParameters ? asParameter(bareName(word)) : "";
  return unknownOf(elsewhere + (elsewhere.empty() || here.empty() ? "" : "; ") + here);
}

// Files behind -i are those that the shell found for a pattern.
std::string wayFor(const std::string& word, const CLI::App& command) {
  if (contains(optionNames(command), "--" + word))
    return fmt::format("; did you mean '--{}'?", word);
  const CLI::Option* input = command.get_option_no_throw("--input");
  std::error_code ignored;
  if (input != nullptr && input->count() > 0 && std::filesystem::exists(word, ignored))
    return "; many inputs are `-i FOLDER`, or `-i '*.jpg'` in quotes";
  return command.get_option_no_throw("--output") != nullptr ? fmt::format("; an output is `-o {}`", word)
                                                            : "";
}

// For the first word that a failed parse left over; "" if there is none.
std::string unknownWord(const CLI::App& app, const CLI::App& command) {
  bool areOptions = true;
  for (const std::string& word : app.remaining(true)) {
    if (word == "--") {
      areOptions = false;
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    if (areOptions && word.size() > 1 && word.front() == '-') {
      return &app != &command && contains(optionNames(command), name)
                 ? fmt::format("'{0}' is an option of `{1} {2}`: write `{1} {2} {0}`, in this order", name,
                               app.get_name(), command.get_name())
                 : unknownOption(app, command, name);
    }
    if (&app == &command)
      return unknownCommand(app, word);
    return fmt::format("unexpected argument '{}': `{} {}` takes no more{}", word, app.get_name(),
                       command.get_name(),
                       areOptions ? wayFor(word, command) : ", and behind -- no word is an option");
  }
  return {};
}

// The last of several words alone, if no file has this name, as of outputs that follow their inputs.
std::string leftName(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    std::error_code ignored;
    if (option->get_positional() && option->count() > 1 &&
        !std::filesystem::exists(option->results().back(), ignored))
      return option->results().back();
  }
  return {};
}

// All required arguments that are missing.
std::vector<std::string> missingWords(const CLI::App& command, const std::string& called) {
  std::vector<std::string> missing;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0) {
      const std::string type = choicesOf(*option).empty() ? option->get_type_name() : option->get_name();
      const std::string last = leftName(command);
      missing.push_back(fmt::format(
          "`{}` needs {}: {}{}", called,
          option->get_positional() ? type : option->get_name(false, true) + " " + option->get_type_name(),
          option->get_description(),
          option->check_lname("output") && !last.empty() ? fmt::format("; did you mean '-o {}'?", last)
                                                         : ""));
    }
  }
  return missing;
}

// CLI11's messages for an option without a value, with several, or with one that it can't take, in our words.
std::string plainMessage(const std::string& text) {
  const std::string unconverted = "Could not convert: ", is = " = ";
  if (const size_t value = text.find(is); value != std::string::npos && text.starts_with(unconverted)) {
    return fmt::format("{} can't take the value '{}'",
                       text.substr(unconverted.size(), value - unconverted.size()),
                       text.substr(value + is.size()));
  }
  if (const size_t many = text.find(": At Most 1 required but received"); many != std::string::npos)
    return fmt::format("{} is given more than once; it takes one value", text.substr(0, many));
  const std::string value = ": 1 required ", valueEnd = " missing";
  const size_t at = text.find(value);
  if (at != std::string::npos && text.ends_with(valueEnd)) {
    const size_t from = at + value.size();
    return fmt::format("{} needs a value: {}", text.substr(0, at),
                       text.substr(from, text.size() - from - valueEnd.size()));
  }
  return text;
}

}  // namespace

std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string near = didYouMean(word, known);
  return fmt::format("unknown {} '{}'; {}", what, word,
                     near.empty() ? "known are " + joinNames(known) : near);
}

int complainOfWords(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  // A wrong value ends the parse before further words are read.
  const bool wrongValue = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr ||
                          dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  const std::string left = wrongValue ? "" : unknownWord(app, command);
  const std::string called = parsed.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
  const bool isMissing = left.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const std::vector<std::string> missing =
      isMissing ? missingWords(command, called) : std::vector<std::string>();
  for (const std::string& each : missing)
    printError(each);
  if (missing.empty())
    printError(left.empty() ? plainMessage(error.what()) : left);
  fmt::print(stderr, "  hint: `{} --help` lists {}\n", called,
             parsed.empty() ? "the commands" : "its options");
  return exitUsage;
}

}  // namespace lacuna
