#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "graph/io/image_file.h"
#include "graph/module/registry.h"
#include "graph/vk/device.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/suggest.h"

namespace lacuna {
namespace {

void addModules(CLI::App* command, std::vector<std::string>& modules) {
  command->add_option("--modules", modules, "folder with modules, searched first (may repeat)")
      ->type_name("DIR");
}

void addGraphOptions(CLI::App* command, GraphArguments& a) {
  addModules(command, a.modules);
  command->add_option("-p,--param", a.parameters, "set a parameter: module:instance:parameter=value")
      ->type_name("P=V");
  command->add_option("-o,--output", a.outputs, "set a sink's file: sink:instance=FILE")
      ->type_name("SINK=FILE");
  command->add_option("--schedule", a.schedules, "schedule for all filters, or module:instance=NAME for one")
      ->type_name("NAME");
  command->add_option("--device", a.device, "part of a device's name, its UUID, or cpu")->type_name("DEVICE");
}

std::vector<std::string> examples(const std::string& command) {
  if (command == "run") {
    return {"lacuna run pipelines/photo.cfg", "lacuna run photo.cfg -p eaw:01:levels=4 -o o-png:01=out.png",
            "lacuna run photo.cfg --schedule rows4/buffer --time"};
  }
  if (command == "bench") {
    return {"lacuna bench atrous --size 1920x1080",
            "lacuna bench atrous --filter eaw --schedule rows --json"};
  }
  return {};
}

std::string footer(const std::string& command) {
  std::string text;
  for (const std::string& line : examples(command)) {
    text += (text.empty() ? "Examples:\n  " : "\n  ") + line;
  }
  return text;
}

struct Arguments {
  RunArguments run;
  GraphArguments check, plan;
  std::vector<std::string> checked, modulePath;
  std::string stage, name, image, reference;
  BenchArguments bench;
  bool json = false;
};

void addGraphCommands(CLI::App& app, Arguments& a, int& code) {
  CLI::App* run = app.add_subcommand("run", "run a graph");
  run->footer(footer("run"));
  run->add_option("graph", a.run.graph.graph, "graph file")->required();
  addGraphOptions(run, a.run.graph);
  run->add_flag("--validate", a.run.graph.validate,
                "with Vulkan's validation layers; a message is a failure");
  run->add_option("--frames", a.run.frames, "frames to run: A-B or A (default: all of the graph)");
  run->add_flag("--time", a.run.time, "print milliseconds and bytes a pass");
  run->add_flag("-q,--quiet", a.run.quiet, "no messages but errors");
  run->callback([&] { code = runGraph(a.run); });

  CLI::App* check =
      app.add_subcommand("check", "report everything that is wrong with graph files; run nothing");
  check->add_option("graphs", a.checked, "graph files")->required();
  addGraphOptions(check, a.check);
  check->callback([&] { code = runCheck(a.check, a.checked); });

  CLI::App* plan =
      app.add_subcommand("plan", "explain how a graph would run: schedules, passes, memory, barriers");
  plan->add_option("graph", a.plan.graph, "graph file")->required();
  addGraphOptions(plan, a.plan);
  plan->add_option("--stage", a.stage, "print one stage: modules, nodes, cull, fuse, schedule, shaders");
  plan->add_flag("--json", a.json, "for scripts");
  plan->callback([&] { code = runPlan(a.plan, a.stage, a.json); });
}

void addInfoCommands(CLI::App& app, Arguments& a, int& code) {
  CLI::App* modules = app.add_subcommand("modules", "list the modules that are installed");
  addModules(modules, a.modulePath);
  modules->add_flag("--json", a.json, "for scripts");
  modules->callback([&] { code = runModules(moduleSearchPath(a.modulePath), a.json); });

  CLI::App* describe = app.add_subcommand("describe", "say all that a module tells of itself");
  describe->add_option("module", a.name, "its name")->required();
  addModules(describe, a.modulePath);
  describe->add_flag("--json", a.json, "for scripts");
  describe->callback([&] { code = runDescribe(moduleSearchPath(a.modulePath), a.name, a.json); });

  CLI::App* compare =
      app.add_subcommand("compare", "relMSE, PSNR, SSIM and relative error of an image to a reference");
  compare->add_option("image", a.image)->required();
  compare->add_option("reference", a.reference)->required();
  compare->add_flag("--json", a.json, "for scripts");
  compare->callback([&] { code = runCompare(a.image, a.reference, a.json); });

  CLI::App* devices = app.add_subcommand("devices", "list Vulkan devices and their limits");
  devices->add_flag("--json", a.json, "for scripts");
  devices->callback([&] { code = runDevices(a.json); });

  CLI::App* bench = app.add_subcommand("bench", "measure schedules: atrous");
  bench->footer(footer("bench"));
  bench->add_option("name", a.bench.name, "what to measure: atrous")->required();
  bench->add_option("--size", a.bench.sizes, "WIDTHxHEIGHT (may repeat; default 1920x1080)");
  bench->add_option("--filter", a.bench.filters, "eaw or guided (default: both)");
  bench->add_option("--schedule", a.bench.schedules,
                    "schedules to measure, or prefixes of them (default: all)");
  bench->add_option("--runs", a.bench.runs, "timed runs after the warm-up")->check(CLI::Range(1, 10000));
  bench->add_option("--preheat", a.bench.preheatMs, "milliseconds of work before anything is timed");
  bench->add_option("--device", a.bench.device, "part of a device's name, its UUID, or cpu");
  addModules(bench, a.bench.modules);
  bench->add_flag("--json", a.bench.json, "for scripts");
  bench->callback([&] { code = runBench(a.bench); });
}

int main(int argc, char** argv) {
  CLI::App app("Lacuna: graphs of image filters for photographs and renders, on Vulkan compute");
  app.name("lacuna");
  app.set_version_flag("--version", LACUNA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "`lacuna COMMAND --help` says more. Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 no "
      "device, "
      "4 files.");
  Arguments arguments;
  int code = exitOk;
  addGraphCommands(app, arguments, code);
  addInfoCommands(app, arguments, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = error.get_exit_code() == 0 ? "" : unknownWord(app);
    if (!unknown.empty()) {
      fmt::print(stderr, "lacuna: {}\n`lacuna --help` and `lacuna COMMAND --help` say what there is\n",
                 unknown);
      return exitUsage;
    }
    return app.exit(error) == 0 ? exitOk : exitUsage;
  } catch (const vk::DeviceError& error) {
    fmt::print(stderr, "lacuna: {}\n", error.what());
    return exitNoDevice;
  } catch (const FileError& error) {
    fmt::print(stderr, "lacuna: {}\n", error.what());
    return exitFiles;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lacuna: {}\n", error.what());
    return exitFailed;
  }
  return code;
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) {
  return lacuna::main(argc, argv);
}
