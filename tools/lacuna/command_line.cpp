#include "tools/lacuna/command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graph/config/diagnostics.h"
#include "graph/config/text.h"
#include "lacuna/lacuna.h"
#include "lacuna/vulkan.h"
#include "tools/lacuna/companions.h"
#include "tools/lacuna/plan/plan.h"
#include "tools/shell/command_options.h"

namespace lacuna {
namespace {

struct Command {
  const char* name;
  const char* does;
  void (*describe)(CLI::App& command, Arguments& arguments);
  int (*run)(const CLI::App& app, const Arguments& arguments);
  std::vector<std::string> examples = {};
};

void describeRun(CLI::App& command, Arguments& a) {
  addGraph(command, a.run.graph.graph);
  addSettings(command, a.run.graph);
  addRunOptions(command, a.run);
  command.add_flag("--time", a.run.time, "print milliseconds and bytes a pass; frames run one at a time");
  addFile(command, "--profile", a.run.profile,
          "write a Chrome trace of the run's stages and passes; -: to stdout");
  addFile(command, "--report", a.run.report,
          "write a page for browsers: the graph, its schedules, the time of each pass beside its floor, "
          "memory, what connectors hold; frames run one at a time");
  addJson(command, a.run.json);
}

void describeWatch(CLI::App& command, Arguments& a) {
  addGraph(command, a.watch.run.graph.graph);
  addSettings(command, a.watch.run.graph);
  addRunOptions(command, a.watch.run);
  command
      .add_option(
          "--serve", a.watch.port,
          "show the graph on a page at 127.0.0.1, whose address is printed: pictures, and sliders for all "
          "parameters; 0, the default: any free port")
      ->expected(0, 1)
      ->default_str("0")
      ->check(CLI::Range(0, 65535))
      ->type_name("PORT");
}

void describeInfo(CLI::App& command, Arguments& a) {
  addValue(command, "files", a.info.files, "IMAGE",
           "images; also names with %04d or ####, folders, glob patterns, - for standard input")
      ->required();
  addValue(command, "--page", a.info.page, "NUMBER", "page of a file with several, from 1",
           countFrom(1, 65535));
  addJson(command, a.info.json);
}

void describeShow(CLI::App& command, Arguments& a) {
  addValue(command, "files", a.show.files, "IMAGE",
           "images; also names with %04d or ####, whose first one is shown, folders, glob patterns, -")
      ->required();
  oneOf(command.add_option("--as", a.show.as,
                           "kitty's, iTerm's or sixel graphics, or two pixels a character in 24-bit colour "
                           "(default: the first of these that the terminal has)"),
        showWays());
}

void describeCheck(CLI::App& command, Arguments& a) {
  addValue(command, "targets", a.check.targets, "GRAPH", "graph files, or folders of modules",
           notEmpty("a graph file, or the folder of a module"))
      ->required();
  addSettings(command, a.check.graph);
  command.add_flag_callback(
      "--no-shaders", [&a] { a.check.shaders = false; }, "don't compile modules' shaders");
  addJson(command, a.check.json);
}

void describeCache(CLI::App& command, Arguments& a) {
  command.add_flag("--clear", a.cache.clear,
                   "remove all but measured schedules; those `lacuna tune` forgets");
  addJson(command, a.cache.json);
}

void describeLsp(CLI::App& command, Arguments& a) {
  addModules(command, a.lsp.modules);
  command.add_flag_callback(
      "--no-shaders", [&a] { a.lsp.shaders = false; },
      "don't compile modules' shaders when files are opened or saved");
}

void describePlan(CLI::App& command, Arguments& a) {
  addGraph(command, a.plan.graph.graph);
  addSettings(command, a.plan.graph);
  addPasses(command, a.plan.graph);
  addMemory(command, a.plan.graph);
  oneOf(command.add_option("--stage", a.plan.stage,
                           "print one stage, or all up to the shaders and what they changed; code "
                           "compiles those of a first run"),
        planStages());
  oneOf(command.add_option("--model", a.plan.model, "plan for a device that isn't here"), deviceModels());
  command.add_flag("-v,--verbose", a.plan.verbose,
                   "the best schedules of each filter, places in memory, accesses and barriers of each pass");
  command.add_flag("--all", a.plan.all, "all schedules of each filter");
  addValue(command, "--chunks", a.plan.chunks, "COUNT",
           "print ranges of frames for this many machines; the longest, with its warm-up, is as short as "
           "possible",
           countFrom(1, 100'000));
  addFrames(command, a.plan.frames);
  addJson(command, a.plan.json);
  tuck(command, {"--include-root", "--no-fuse", "--frames", "--warm-up", "--missing", "--skip-damaged"});
}

void describeTune(CLI::App& command, Arguments& a) {
  addValue(command, "graph", a.tune.graph.graph, "GRAPH", "graph file");
  addModules(command, a.tune.graph.modules);
  addList(command, "-p,--param", a.tune.graph.parameters, "set a parameter: module:instance:parameter=value")
      ->type_name("P=V");
  addList(command, "--schedule", a.tune.graph.pipeline.schedules,
          "time these alone, or prefixes of them; module:instance=NAME for one filter (may repeat)")
      ->type_name("SCHEDULE");
  addDevice(command, a.tune.graph.device);
  command
      .add_option("--runs", a.tune.runs,
                  "timed runs of each of the fastest schedules; fewer if they take seconds")
      ->capture_default_str()
      ->check(countFrom(1, 10000));
  command
      .add_option("--seconds", a.tune.seconds,
                  "start no schedule after this many seconds for a filter; 0: try all")
      ->capture_default_str()
      ->check(numberFromZero());
  CLI::Option* forget = command.add_flag(
      "--forget", a.tune.forget, "drop the measurements of the graph's filters; without a graph, all");
  for (const char* ofMeasuring : {"--schedule", "--device", "--runs", "--seconds"})
    forget->excludes(command.get_option(ofMeasuring));
  addFile(
      command, "--export", a.tune.exported,
      "write all that was measured here on the device, as JSON; without a graph, what earlier runs measured; "
      "-: to stdout")
      ->excludes(forget);
  CLI::Option* imported = addFile(command, "--import", a.tune.imported,
                                  "keep another machine's measurements of such a device, by --export");
  for (const char* other : {"graph", "--schedule", "--runs", "--seconds", "--forget", "--export"})
    imported->excludes(command.get_option(other));
  addJson(command, a.tune.json);
}

void describeGraph(CLI::App& command, Arguments& a) {
  addGraph(command, a.draw.graph.graph);
  addModules(command, a.draw.graph.modules);
  command.add_flag("--nodes", a.draw.nodes,
                   "the nodes that modules consist of, with the types of their images");
  addFile(command, "-o,--output", a.draw.output,
          "file to write: .dot or .gv, or .svg by graphviz' program dot (default: DOT to stdout)");
}

void describeFmt(CLI::App& command, Arguments& a) {
  addGraphs(command, a.formatted);
  command.add_flag("--check", a.checkOnly, "write nothing; exit 1 and name the files that would change");
}

void describeModules(CLI::App& command, Arguments& a) {
  addModules(command, a.modulePath);
  addJson(command, a.json);
}

void describeDescribe(CLI::App& command, Arguments& a) {
  addValue(command, "module", a.name, "MODULE", "its name")->required();
  addModules(command, a.modulePath);
  addJson(command, a.json);
}

void describeNew(CLI::App& command, Arguments& a) {
  addValue(command, "folder", a.create.folder, "DIR", "folder to make; its last part is the module's name",
           notEmpty("the name of a folder"))
      ->required();
  oneOf(command.add_option("--kind", a.create.kind, "what its node is")->required(),
        {"pointwise", "stencil", "reduce", "kernel", "source", "sink", "native"});
}

void describeTest(CLI::App& command, Arguments& a) {
  addValue(command, "targets", a.test.targets, "MODULE", "modules: folders or names",
           notEmpty("a module's folder, or its name"))
      ->required();
  command.add_flag("--accept", a.test.accepts,
                   "replace the expected files by what the graphs write, if all schedules agree");
  addModules(command, a.test.modules);
  command.add_option("--tolerance", a.test.tolerance, "largest relative error that passes")
      ->capture_default_str()
      ->check(numberFromZero());
  addDevice(command, a.test.device);
  addJson(command, a.test.json);
}

void describeDevices(CLI::App& command, Arguments& a) {
  addJson(command, a.json);
}

void describeCompletion(CLI::App& command, Arguments& a) {
  oneOf(command.add_option("shell", a.shell, "the shell to print a script for")->required(),
        {"bash", "zsh", "fish"});
}

void describeHelp(CLI::App& command, Arguments& a);

void describeNothing(CLI::App&, Arguments&) {}

// The number of words before an option that belong to no other option.
size_t wordsBefore(const std::string& option, const CLI::App& command) {
  size_t count = 0;
  for (const CLI::Option* each : command.parse_order()) {
    if (each->check_name(option))
      break;
    count += each->nonpositional() ? 0 : 1;
  }
  return count;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"denoise",
       "denoise photographs, renders and sequences",
       describeDenoise,
       [](const CLI::App& app, const Arguments& a) {
         DenoiseArguments denoise = a.denoise;
         denoise.inputsBeforeOutput = wordsBefore("-o", *app.get_subcommand("denoise"));
         return runDenoise(denoise);
       },
       {"lacuna denoise photo.jpg -o clean.jpg", "lacuna denoise photos/*.jpg -o 'clean/{stem}.jpg'",
        "lacuna denoise shot_%04d.exr -o clean_%04d.exr",
        "lacuna denoise render.exr -o clean.exr --strength 2",
        "lacuna denoise noisy_%04d.exr -o clean.exr --method rhf"}},
      {"run",
       "run a graph",
       describeRun,
       [](const CLI::App&, const Arguments& a) { return runGraph(a.run); },
       {"lacuna run pipelines/photo.cfg", "lacuna run photo.cfg -i in.png -o out.png -p eaw:01:levels=4",
        "lacuna run photo.cfg --schedule rows4/buffer --time"}},
      {"watch",
       "run a graph again when it, inputs, modules or shaders are saved; show it on a page",
       describeWatch,
       [](const CLI::App&, const Arguments& a) { return runWatch(a.watch); },
       {"lacuna watch photo.cfg", "lacuna watch photo.cfg -i in.png -o out.png --serve"}},
      {"info",
       "print size, channels, colour, metadata of images, and what i-exr uses channels for",
       describeInfo,
       [](const CLI::App&, const Arguments& a) { return runInfo(a.info); },
       {"lacuna info render.exr", "lacuna info photo.jpg --json", "lacuna info shot_%04d.exr"}},
      {"show",
       "show pictures in the terminal",
       describeShow,
       [](const CLI::App&, const Arguments& a) { return runShow(a.show); },
       {"lacuna show photo.jpg", "lacuna show render.exr clean.exr", "lacuna show photos | less -R"}},
      {"check",
       "report all mistakes of graphs or modules, without running them",
       describeCheck,
       [](const CLI::App&, const Arguments& a) { return runCheck(a.check); },
       {"lacuna check photo.cfg", "lacuna check mine/soft", "lacuna check *.cfg --json"}},
      {"plan",
       "explain how a graph would run: schedules, passes, memory, barriers",
       describePlan,
       [](const CLI::App&, const Arguments& a) { return runPlan(a.plan); },
       {"lacuna plan photo.cfg", "lacuna plan photo.cfg --model nvidia --verbose",
        "lacuna plan shot.cfg --frames 1-240 --chunks 8"}},
      {"tune",
       "measure schedules of a graph's filters on the device; `auto` then takes the fastest",
       describeTune,
       [](const CLI::App&, const Arguments& a) { return runTune(a.tune); },
       {"lacuna tune photo.cfg", "lacuna tune photo.cfg --schedule rows --schedule tiled --seconds 20",
        "lacuna tune --export mine.json", "lacuna tune --import theirs.json", "lacuna tune --forget"}},
      {"export",
       "write a graph as one file, which a renderer records without a compiler",
       describeExport,
       [](const CLI::App&, const Arguments& a) { return runExport(a.exported); },
       {"lacuna export photo.cfg --size 1920x1080 -o photo.lacuna",
        "lacuna export fog.cfg --size 640x360 --source i-memory:z=depth:f32 -o fog.lacuna"}},
      {"graph",
       "draw a graph: modules or nodes, as DOT or SVG",
       describeGraph,
       [](const CLI::App&, const Arguments& a) { return runDraw(a.draw); },
       {"lacuna graph photo.cfg -o photo.svg", "lacuna graph photo.cfg --nodes | dot -Tpdf > photo.pdf"}},
      {"fmt",
       "format graph files: spaces, quotes and line ends, nothing else",
       describeFmt,
       [](const CLI::App&, const Arguments& a) { return runFormat(a.formatted, a.checkOnly); },
       {"lacuna fmt photo.cfg", "lacuna fmt --check pipelines/*.cfg"}},
      {"modules",
       "list the installed modules",
       describeModules,
       [](const CLI::App&, const Arguments& a) { return runModules(a.modulePath, a.json); },
       {"lacuna modules", "lacuna modules --modules mine"}},
      {"describe",
       "print a module's connectors and parameters, with ranges and units",
       describeDescribe,
       [](const CLI::App&, const Arguments& a) { return runDescribe(a.modulePath, a.name, a.json); },
       {"lacuna describe eaw", "lacuna describe eaw --json"}},
      {"new",
       "make a module: description, body, README and a test that passes",
       describeNew,
       [](const CLI::App&, const Arguments& a) { return runNew(a.create); },
       {"lacuna new mine/soft --kind stencil", "lacuna test mine/soft"}},
      {"test",
       "run modules' own tests: graphs in test/ of their folders, compared with test/expected",
       describeTest,
       [](const CLI::App&, const Arguments& a) { return runTest(a.test); },
       {"lacuna test mine/soft", "lacuna test mine/soft --accept"}},
      {"compare",
       "relMSE, PSNR, SSIM, FLIP and more of images or sequences, beside a reference",
       describeCompare,
       [](const CLI::App&, const Arguments& a) { return runCompare(a.compare); },
       {"lacuna compare out.png reference.png", "lacuna compare a.exr b.exr reference.exr --html page.html",
        "lacuna compare out/%04d.exr reference/%04d.exr --frames 6-11 --baseline noisy/%04d.exr",
        "lacuna compare rhf.exr reference.exr --blocks 10x10 --baseline noisy.exr -o errors/"}},
      {"devices",
       "list Vulkan devices and their limits",
       describeDevices,
       [](const CLI::App&, const Arguments& a) { return runDevices(a.json); },
       {"lacuna devices"}},
      {"cache",
       "show the cache's size, or remove compiled shaders and pipelines",
       describeCache,
       [](const CLI::App&, const Arguments& a) { return runCache(a.cache); },
       {"lacuna cache", "lacuna cache --clear"}},
      // main() starts this program with its words before any are parsed.
      {"bench", "measure schedules, graphs, rays and devices (starts lacuna-bench)", describeNothing,
       [](const CLI::App&, const Arguments&) { return startHelper("bench", {}); }},
      {"lsp",
       "a language server for editors: graph files and module.toml, over stdin and stdout",
       describeLsp,
       [](const CLI::App&, const Arguments& a) { return runLsp(a.lsp); },
       {"vim.lsp.start { name = 'lacuna', cmd = { 'lacuna', 'lsp' } }"}},
      {"help",
       "show the commands, the options of one, or a guide",
       describeHelp,
       [](const CLI::App& app, const Arguments& a) {
         if (a.name == "bench")
           return startHelper(a.name, {"--help"});
         if (const std::string guide = guideText(a.name); !guide.empty()) {
           fmt::print("{}", guide);
           return exitOk;
         }
         // app.help() would print the help of the parsed command.
         const CLI::App* of = a.name.empty() ? &app : app.get_subcommand(a.name);
         fmt::print("{}", helpFormat(true)->make_help(of, "lacuna" + (a.name.empty() ? "" : " " + a.name),
                                                      CLI::AppFormatMode::Normal));
         return exitOk;
       },
       {"lacuna help run", "lacuna help graph-files"}},
      {"completion",
       "print a script that completes commands in a shell",
       describeCompletion,
       [](const CLI::App&, const Arguments& a) {
         fmt::print("{}", completionScript(a.shell));
         return exitOk;
       },
       {"source <(lacuna completion bash)"}},
      {"manpage",
       "print the manual page",
       describeNothing,
       [](const CLI::App& app, const Arguments&) {
         fmt::print("{}", manualPage(allWords(app), version()));
         return exitOk;
       },
       {"lacuna manpage | man -l -"}},
  };
  return all;
}

// Makes a part of a name the name: "motion" is motion-vectors. Else the mistake.
std::string findTopic(std::string& word, const std::vector<std::string>& names) {
  std::vector<std::string> found, mentioned;
  for (const std::string& name : names) {
    if (name == word)
      return {};
    if (word.size() > 2 && name.find(lowerCase(word)) != std::string::npos)
      found.push_back(name);
  }
  if (found.size() == 1) {
    word = found.front();
    return {};
  }
  if (!found.empty() || !didYouMean(word, names).empty()) {
    return found.empty() ? unknown("topic", word, names)
                         : fmt::format("unknown topic '{}'; near are {}", word, joinNames(found));
  }
  for (const std::string& topic : guideTopics())
    if (!word.empty() && lowerCase(guideText(topic)).find(lowerCase(word)) != std::string::npos)
      mentioned.push_back("`lacuna help " + topic + "`");
  return mentioned.empty()
             ? unknown("topic", word, names)
             : fmt::format("there is no topic '{}', but these mention it: {}", word, joinNames(mentioned));
}

void describeHelp(CLI::App& command, Arguments& a) {
  std::vector<std::string> names;
  for (const Command& each : commands())
    names.emplace_back(each.name);
  for (const std::string& topic : guideTopics())
    names.push_back(topic);
  command.add_option("command", a.name, "a command, or the topic of a guide")
      ->type_name("{" + joined(names, ",") + "}")
      ->transform(CLI::Validator([names](std::string& word) { return findTopic(word, names); }, ""));
}

}  // namespace

ProgramWords allWords(const CLI::App& app) {
  ProgramWords words = wordsOf(app);
  const std::vector<CommandWords> more = wordsOfHelper("bench");
  if (!more.empty())
    std::erase_if(words.commands, [](const CommandWords& command) { return command.name == "bench"; });
  words.commands.insert(words.commands.end(), more.begin(), more.end());
  return words;
}

void describe(CLI::App& app, Arguments& arguments, int& code) {
  app.description("Lacuna: graphs of image filters for photographs and renders, on Vulkan compute");
  app.name("lacuna");
  app.set_version_flag("-V,--version", version(), "print the version and exit");
  app.require_subcommand(0, 1);  // none if main shows the help
  app.footer(
      "Examples:\n  lacuna denoise photo.jpg -o clean.jpg\n  lacuna info render.exr\n\n"
      "`lacuna COMMAND --help` has a command's examples and options, `lacuna help COMMAND` all of them. Exit "
      "codes: 0 done, 1 failed, 2 usage or "
      "configuration, 3 no usable device, 4 files, 128 and the signal's number: interrupted.");
  for (const Command& each : commands()) {
    CLI::App* command = app.add_subcommand(each.name, each.does);
    command->group("Commands");
    each.describe(*command, arguments);
    command->footer(each.examples.empty() ? "" : "Examples:\n  " + joined(each.examples, "\n  "));
    command->callback([&app, &arguments, &code, run = each.run] { code = run(app, arguments); });
  }
}

}  // namespace lacuna
