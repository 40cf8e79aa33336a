#include "tools/lacuna/bench/options.h"

#include "tools/lacuna/bench/device/experiments.h"
#include "tools/lacuna/shell/command_options.h"

namespace lacuna {

namespace {

void describeSubject(CLI::App& command, Arguments& a) {
  oneOf(
      command
          .add_option(
              "name", a.bench.name,
              "atrous: schedules on the device; bilateral: those of that filter, and a study's; device: "
              "what the device itself can do; gemm: matrix products, beside a study; graph: a graph's passes "
              "there; pathtrace: rays a second; "
              "rhf: steps of a study, on a rendered scene; "
              "unet: layers of cnn-unet, beside a study; "
              "caches: simulated, of other GPUs; borders: "
              "weights near them")
          ->required(),
      {"atrous", "bilateral", "device", "gemm", "graph", "pathtrace", "rhf", "unet", "caches", "borders"});
  command.add_option("graph", a.bench.graph, "graph file, of bench graph")->type_name("GRAPH");
  addList(command, "-p,--param", a.bench.parameters,
          "bench graph: set a parameter: module:instance:parameter=value")
      ->type_name("P=V");
  command
      .add_option("--frames", a.bench.frames, "bench graph: frames to take in turn, as in run (default: all)")
      ->type_name("FRAMES");
  addList(command, "--size", a.bench.sizes,
          "WIDTHxHEIGHT (may repeat; default 1920x1080, on GPUs 3840x2160 and 7680x4320 too; "
          "bilateral: the study's; rhf: 1280x720, on CPUs 128x72; unet: 1024x1024 and 1920x1080; borders: "
          "32x32); gemm: N, or N,N,... for "
          "square matrices")
      ->type_name("SIZE");
  command
      .add_option("--radius", a.bench.radii, "bench bilateral: pixels (may repeat; default: 1, 3, ... 15)")
      ->allow_extra_args(false)
      ->check(countFrom(1, 31));
  oneOf(command.add_option("--candidates", a.bench.candidates,
                           "bench bilateral, gemm, rhf: of the workgroups and constants that a variant lists "
                           "the first, the best, or all (default: first; gemm: best)"),
        {"first", "best", "all"});
}

// Of gemm, pathtrace, rhf and unet.
void describeStudies(CLI::App& command, Arguments& a) {
  addList(command, "--shape", a.bench.shapes,
          "bench gemm: NxPxM, a matrix of N rows of P times one of P rows of M (may repeat)")
      ->type_name("SHAPE");
  oneOf(addList(command, "--accumulate", a.bench.accumulate,
                "bench gemm: how sums are kept (may repeat; default: both)"),
        {"f32", "f16"});
  oneOf(addList(command, "--pack", a.bench.pack,
                "bench gemm: how factors lie, as coopmat-gemm's `pack` (may repeat; default: all)"),
        {"none", "panels", "fragments"});
  addList(command, "--scene", a.bench.scenes,
          "bench pathtrace, rhf: a scene (may repeat; default: those of the examples; rhf: the Cornell box)")
      ->type_name("FILE")
      ->check(CLI::ExistingFile.description(""));
  command.add_option("--bins", a.bench.bins, "bench rhf: bins a colour; the method's authors have 20")
      ->capture_default_str()
      ->check(countFrom(3, 256));
  command.add_option("--samples", a.bench.samples, "bench rhf: paths a pixel")
      ->capture_default_str()
      ->check(countFrom(1, 65536));
  command
      .add_option("--weights", a.bench.weights,
                  "bench unet: a file of tools/train (default: the module's, for input, normal and depth)")
      ->type_name("FILE");
}

void describeChoice(CLI::App& command, Arguments& a) {
  oneOf(addList(command, "--filter", a.bench.filters, "what to filter with (default: all; svgf: of caches)"),
        {"eaw", "guided", "svgf"});
  CLI::Option* schedule =
      addList(
          command, "--schedule", a.bench.schedules,
          "schedules to measure, or prefixes of them (default: all); graph: as in run; unet: values of its "
          "structural choices, or variants (default: all; on CPUs the first)")
          ->type_name("SCHEDULE");
  command
      .add_flag(
          "--quick", a.bench.quick,
          "of each family the best-known form only, on images and on buffers; device: every fourth point")
      ->excludes(schedule);
  oneOf(addList(command, "--part", a.bench.parts, "bench device: what to measure (may repeat; default: all)"),
        experimentNames());
  command.add_option("--plots", a.bench.plots, "bench device: folder for plots, an SVG file each")
      ->type_name("DIR");
  command.add_flag("--statistics", a.bench.statistics,
                   "of graph: also what the driver says of each pass's shader, such as its registers");
  command.add_flag("--kept", a.bench.kept,
                   "bench device: show what was measured before, and measure only what was not");
}

void describeTiming(CLI::App& command, Arguments& a) {
  command.add_option("--runs", a.bench.runs, "timed runs of a schedule")
      ->capture_default_str()
      ->check(countFrom(1, 10000));
  command.add_option("--limit", a.bench.limitSeconds, "seconds after which a schedule is run no more")
      ->capture_default_str()
      ->check(numberFromZero());
  command
      .add_option("--preheat", a.bench.preheatMs,
                  "milliseconds of work at least before a schedule is timed, then until its times are steady")
      ->capture_default_str()
      ->check(numberFromZero());
}

}  // namespace

void describeBench(CLI::App& command, Arguments& a) {
  describeSubject(command, a);
  describeStudies(command, a);
  describeChoice(command, a);
  describeTiming(command, a);
  addList(command, "--beside", a.bench.beside,
          "other programs' figures to show beside (tools/bench/prototypes.json; may repeat)")
      ->type_name("FILE")
      ->check(CLI::ExistingFile.description(""));
  command.add_option("-o,--output", a.bench.output, "write the JSON to a file, too")->type_name("FILE");
  addDevice(command, a.bench.device);
  addModules(command, a.bench.modules);
  addJson(command, a.bench.json);
}

}  // namespace lacuna
