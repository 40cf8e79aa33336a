#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "graph/config/text.h"
#include "tools/bench/benches.h"
#include "tools/bench/device/device_bench.h"
#include "tools/bench/report.h"
#include "tools/shell/command_options.h"
#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

struct Bench {
  const char* name;
  const char* does;
  void (*describe)(CLI::App& command, BenchArguments& arguments);
  int (*run)(const BenchArguments& arguments);
  std::vector<std::string> examples = {};
  bool isMeasured = true;  // on a device
};

CLI::Validator isSize() {
  return {[](const std::string& word) {
            return parseSize(word) ? std::string()
                                   : fmt::format("'{}': expected WIDTHxHEIGHT, such as 1920x1080", word);
          },
          ""};
}

void addSizes(CLI::App& command, BenchArguments& a, const char* usual) {
  command
      .add_option_function<std::vector<std::string>>(
          "--size",
          [&a](const std::vector<std::string>& words) {
            for (const std::string& word : words)
              a.sizes.push_back(*parseSize(word));
          },
          fmt::format("WIDTHxHEIGHT (may repeat; default: {})", usual))
      ->allow_extra_args(false)
      ->check(isSize())
      ->type_name("SIZE");
}

CLI::Option* addCount(CLI::App& command, const char* name, int& count, const char* help, int64_t least,
                      int64_t most) {
  return command.add_option(name, count, help)->capture_default_str()->check(countFrom(least, most));
}

void addSchedules(CLI::App& command, BenchArguments& a, const char* help) {
  addList(command, "--schedule", a.schedules, help)->type_name("SCHEDULE");
}

void addScenes(CLI::App& command, BenchArguments& a, const char* usual) {
  addList(command, "--scene", a.scenes, usual)->type_name("FILE")->check(CLI::ExistingFile.description(""));
}

void addCandidates(CLI::App& command, BenchArguments& a, const char* usual) {
  a.candidates = usual;
  oneOf(
      command.add_option("--candidates", a.candidates,
                         fmt::format("which of a variant's workgroups and constants: the first, the best, or "
                                     "all (default: {})",
                                     usual)),
      {"first", "best", "all"});
}

void addFilters(CLI::App& command, BenchArguments& a, const char* otherwise) {
  const std::string doc = fmt::format("what to filter with (may repeat; default: {})", otherwise);
  oneOf(addList(command, "--filter", a.filters, doc.c_str()), {"eaw", "guided", "svgf"});
}

// Options of all, behind their own.
void addReport(CLI::App& command, BenchArguments& a) {
  addValue(command, "--plots", a.plots, "DIR", "folder for plots, an SVG file a table");
  addValue(command, "--html", a.page, "FILE", "write a page with the tables and plots, for browsers");
  addValue(command, "-o,--output", a.output, "FILE", "write the JSON to a file, too; -: to stdout");
  addJson(command, a.json);
}

// Options of all that run on a device.
void addMeasuring(CLI::App& command, BenchArguments& a) {
  addCount(command, "--runs", a.runs, "timed runs of each measurement", 1, 10000);
  command.add_option("--limit", a.limitSeconds, "seconds after which no further run of a schedule begins")
      ->capture_default_str()
      ->check(numberFromZero());
  command
      .add_option("--preheat", a.preheatMs,
                  "least milliseconds of work before timing, which then waits until times are steady")
      ->capture_default_str()
      ->check(numberFromZero());
  addDevice(command, a.device);
  addModules(command, a.modules);
}

const std::vector<Bench>& benches() {
  static const std::vector<Bench> all = {
      {"atrous",
       "schedules of the \u00e0-trous filters on the device",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "1920x1080, on GPUs 3840x2160 and 7680x4320 too");
         addFilters(command, a, "all; on CPUs not svgf");
         addSchedules(command, a, "schedules to measure, or prefixes of them (may repeat; default: all)");
         command
             .add_flag("--quick", a.quick,
                       "only the best-known form of each family, on images and on buffers")
             ->excludes("--schedule");
       },
       runBenchAtrous,
       {"lacuna bench atrous --size 1920x1080", "lacuna bench atrous --filter eaw --schedule rows --json"}},
      {"banks",
       "banks of a tile in shared memory, and subgroups that read it without conflicts",
       [](CLI::App& command, BenchArguments& a) {
         command
             .add_option_function<std::string>(
                 "--tile", [&a](const std::string& word) { a.tile = *parseSize(word); },
                 "cells of shared memory: a workgroup's pixels with a halo of 2 (default: 20x20)")
             ->check(isSize())
             ->type_name("SIZE");
       },
       runBenchBanks,
       {"lacuna bench banks --tile 36x12"}},
      {"bilateral",
       "variants of the bilateral filter, beside a study",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "the study's");
         command.add_option("--radius", a.radii, "pixels (may repeat; default: 1, 3, ... 15)")
             ->allow_extra_args(false)
             ->check(countFrom(1, 31));
         a.border = "reflect-101";
         oneOf(command.add_option("--border", a.border,
                                  "pixels beyond the image (default: reflect-101; the study's: valid-only)"),
               {"reflect-101", "clamp", "valid-only", "zero-weight"});
         addSchedules(command, a, "variants or schedules to measure (may repeat; default: all)");
         addCandidates(command, a, "first");
       },
       runBenchBilateral,
       {"lacuna bench bilateral --size 1920x1080 --radius 7 --candidates best"}},
      {"device",
       "what the device itself can do",
       [](CLI::App& command, BenchArguments& a) {
         oneOf(addList(command, "--part", a.parts, "what to measure (may repeat; default: all)"),
               experimentNames());
         command.add_flag("--quick", a.quick, "every fourth point");
         command.add_flag("--kept", a.kept, "show what was measured before, and measure only what was not");
       },
       runBenchDevice,
       {"lacuna bench device --plots plots -o device.json",
        "lacuna bench device --part latency --part copy"}},
      {"gemm",
       "matrix products, beside a study",
       [](CLI::App& command, BenchArguments& a) {
         addList(command, "--size", a.sides, "N, or N,N,... for square matrices (may repeat)")
             ->type_name("SIZE");
         addList(command, "--shape", a.shapes,
                 "NxPxM, a matrix of N rows of P times one of P rows of M (may repeat)")
             ->type_name("SHAPE");
         oneOf(addList(command, "--accumulate", a.accumulate, "type of the sums (may repeat; default: both)"),
               {"f32", "f16"});
         oneOf(addList(command, "--pack", a.pack,
                       "layout of the factors, as coopmat-gemm's `pack` (may repeat; default: all)"),
               {"none", "panels", "fragments"});
         addSchedules(command, a, "variants or schedules to measure (may repeat; default: all)");
         addCandidates(command, a, "best");
       },
       runBenchGemm,
       {"lacuna bench gemm --size 4096 --accumulate f32 --pack fragments"}},
      {"graph",
       "a graph's passes on the device",
       [](CLI::App& command, BenchArguments& a) {
         addGraph(command, a.graph);
         addList(command, "-p,--param", a.parameters, "set a parameter: module:instance:parameter=value")
             ->type_name("P=V");
         addValue(command, "--frames", a.frames, "FRAMES",
                  "frames to take in turn, as in run (default: all)");
         addSchedules(command, a, "schedule for all filters, or module:instance=NAME for one");
         command.add_flag("--statistics", a.statistics,
                          "also the driver's statistics of each pass's shader, such as its registers");
       },
       runBenchGraph,
       {"lacuna bench graph pipelines/photo.cfg -p eaw:01:levels=5 --runs 50"}},
      {"pathtrace",
       "rays a second",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "1920x1080, on CPUs 320x180");
         addScenes(command, a, "a scene (may repeat; default: those of the examples)");
       },
       runBenchPathtrace,
       {"lacuna bench pathtrace --scene examples/scenes/cornell.scene"}},
      {"rhf",
       "steps of a study of ray histogram fusion, on a rendered scene",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "1280x720, on CPUs 128x72");
         addScenes(command, a, "a scene (may repeat; default: the Cornell box)");
         addCount(command, "--bins", a.bins, "bins a colour; the method's authors have 20", 3, 256);
         command
             .add_option(
                 "--samples", a.samples,
                 fmt::format("paths a pixel (default: {}; for --quality on GPUs also as many as in the "
                             "study's figure of the scene)",
                             usualSamples))
             ->check(countFrom(1, 65536));
         addSchedules(command, a, "steps or schedules to measure (may repeat; default: all)");
         CLI::Option* quality = command
                                    .add_flag("--quality", a.quality,
                                              "the samples and the time that an unfiltered picture of equal "
                                              "quality takes; 640x640, on "
                                              "CPUs 64x64; default scene: the Cornell box under a sky")
                                    ->excludes("--schedule");
         command
             .add_option("--reference", a.reference,
                         "for --quality: paths a pixel of the reference (default: 32768, on CPUs 512)")
             ->check(countFrom(2, 1 << 24))
             ->needs(quality);
         addList(command, "-p,--param", a.parameters,
                 "for --quality: a parameter of the filter, rhf:01:NAME=VALUE")
             ->type_name("P=V")
             ->needs(quality);
         addCandidates(command, a, "first");
       },
       runBenchRhf,
       {"lacuna bench rhf --size 640x360 --size 1280x720 --candidates best",
        "lacuna bench rhf --quality --samples 64 -p rhf:01:threshold=0.5"}},
      {"unet",
       "layers of cnn-unet, beside a study",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "1024x1024 and 1920x1080");
         a.network = "rgb-and";
         addValue(command, "--network", a.network, "study|rgb-and|oidn-base|oidn-small|FILE",
                  "rgb-and (the default): the module's weights, for all guides; the study's, or Open "
                  "Image Denoise's for albedo and normals, with random weights; or a file of tools/train");
         addSchedules(
             command, a,
             "values of its structural choices, or variants (may repeat; default: all; on CPUs the first)");
       },
       runBenchUnet,
       {"lacuna bench unet --network study --size 1024x1024 --schedule simple"}},
      {"caches",
       "simulated caches and times of other GPUs",
       [](CLI::App& command, BenchArguments& a) {
         addSizes(command, a, "1920x1080");
         addFilters(command, a, "all");
       },
       runBenchCaches,
       {"lacuna bench caches --filter eaw"},
       false},
      {"borders",
       "the weights of which a pixel near a border consists",
       [](CLI::App& command, BenchArguments& a) { addSizes(command, a, "32x32"); },
       runBenchBorders,
       {"lacuna bench borders --size 32x32"},
       false},
  };
  return all;
}

}  // namespace

bool isAsked(const std::vector<std::string>& asked, std::string_view name) {
  return asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end();
}

void describeBenches(CLI::App& app, int& code) {
  app.description("Times of schedules, graphs, rays and devices, beside other programs' figures");
  app.name("lacuna bench");
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n  lacuna bench device\n  lacuna bench gemm\n\n"
      "`lacuna bench NAME --help` has a command's examples and options.");
  for (const Bench& each : benches()) {
    CLI::App* command = app.add_subcommand(each.name, each.does);
    auto arguments = std::make_shared<BenchArguments>();
    each.describe(*command, *arguments);
    if (each.isMeasured)
      addMeasuring(*command, *arguments);
    addReport(*command, *arguments);
    command->group("Commands");
    command->footer(each.examples.empty() ? "" : "Examples:\n  " + joined(each.examples, "\n  "));
    command->callback([arguments, &code, run = each.run] { code = run(*arguments); });
  }
}

}  // namespace lacuna
