#include "tools/lacuna/command_line.h"

#include <fmt/format.h>

#include "graph/pictures/methods.h"
#include "lacuna/lacuna.h"
#include "tools/shell/command_options.h"

namespace lacuna {

void describeDenoise(CLI::App& command, Arguments& a) {
  addValue(command, "inputs", a.denoise.inputs, "IMAGE",
           "photographs or renders: files, names with %04d or ####, folders; -: standard input")
      ->required();
  addValue(command, "-o,--output", a.denoise.output, "FILE",
           "file, name with %04d for a sequence, folder, or name with {stem} for many; -: standard output")
      ->required();
  oneOf(command.add_option("--method", a.denoise.method, "default: by the input's planes"), methodNames());
  addValue(command, "--layers", a.denoise.layers, "NAMES",
           "layers of an OpenEXR file to denoise, by the same planes: NAME,NAME, or all for those of its "
           "view layers",
           notEmpty("the name of a layer, or all"))
      ->delimiter(',');
  addFile(command, "--histogram", a.denoise.histogram,
          "rhf: OpenEXR file with the picture's ray histograms, where its own has none");
  for (const char* option : {"--albedo", "--normal", "--depth", "--motion"})
    addFile(command, option, a.denoise.guides[option + 2],
            fmt::format("OpenEXR, PFM or NumPy file, or name with %04d or ####, that has the render's {}",
                        option + 2));
  command
      .add_option(
          "--weights", a.denoise.weights,
          "cnn-unet: file of tools/train, or an archive (.tza) of Open Image Denoise, whose filter then runs "
          "alone (default: one of its own, by the input's planes)")
      ->check(notEmpty("the name of a file"))
      ->type_name("FILE");
  command
      .add_option(
          "--transfer", a.denoise.transfer,
          "for what an archive is whose name doesn't say it: hdr, light without a bound, or ldr, from 0 to 1")
      ->check(CLI::IsMember({"hdr", "ldr"}))
      ->type_name("NAME");
  command
      .add_option(
          "--prefilter", a.denoise.prefilter,
          "folder with archives rt_alb.tza and rt_nrm.tza, which filter the guides of an archive before it")
      ->check(notEmpty("a folder"))
      ->type_name("FOLDER");
  command
      .add_option("--strength", a.denoise.strength,
                  "0 changes nothing, 1 has the least error, 2 is smoother, 4 the most")
      ->capture_default_str()
      ->check(numberIn(0.0, 4.0))
      ->type_name("NUMBER");
  CLI::Option* fast = command.add_flag_callback(
      "--fast", [&a] { a.denoise.fast = true; },
      "photographs: in an eighth of wiener's time, with slightly more noise; the default on a CPU and for "
      "raw photographs");
  command
      .add_flag_callback(
          "--no-fast", [&a] { a.denoise.fast = false; },
          "photographs: with all of wiener's time, also on a CPU")
      ->excludes(fast);
  addValue(command, "--quality", a.denoise.quality, "NUMBER",
           "quality of outputs with lossy compression, 1 to 100 (default: 95)", countFrom(1, 100));
  addValue(command, "--page", a.denoise.filePage, "NUMBER", "page of a file with several, from 1",
           countFrom(1, 65535));
  const auto develop = [&command](const char* name, std::optional<double>& value, double least, double most,
                                  const char* help) {
    addValue(command, name, value, "NUMBER", help, numberIn(least, most));
  };
  Development& development = a.denoise.development;
  develop("--exposure", development.exposure, -8, 8, "raw photographs: stops of more light");
  develop("--temperature", development.temperature, 1000, 15000,
          "raw photographs: colour temperature of the light that becomes white, in kelvin; higher: warmer "
          "(default: the camera's white balance)");
  develop("--tint", development.tint, -150, 150, "raw photographs: above 0 more magenta, below 0 more green");
  command.add_flag("--mosaic", a.denoise.mosaic,
                   "raw photographs to DNG files: a Bayer mosaic again, for other programs to develop "
                   "(default: colours, a linear DNG)");
  addValue(command, "--noise", a.denoise.noise, "NUMBERS",
           "photographs: the noise that a run of another part has printed, in place of this one's own");
  addValue(command, "--crop", a.denoise.crop, "PIXELS",
           "write this part of the result: X,Y,WIDTH,HEIGHT, in pixels");
  addValue(command, "--html", a.denoise.page, "FILE",
           "also write a page for browsers that shows the picture or the sequence before and after");
  command.add_flag("--dry-run", a.denoise.dryRun,
                   "say what would be done and write the graph of --save-graph, but no picture");
  addFile(command, "--save-graph", a.denoise.saveGraph, "also write the graph");
  addGraphSettings(command, a.denoise.run.graph);
  addRunOptions(command, a.denoise.run);
  addJson(command, a.denoise.run.json);
  tuck(command,
       {"--layers",     "--histogram", "--albedo",  "--normal",      "--depth",    "--motion", "--weights",
        "--transfer",   "--prefilter", "--no-fast", "--temperature", "--tint",     "--mosaic", "--noise",
        "--crop",       "--html",      "--dry-run", "--modules",     "--schedule", "--memory", "--exposure",
        "--save-graph", "--fast",      "--quality", "--param",       "--json"});
}

}  // namespace lacuna
