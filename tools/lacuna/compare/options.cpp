#include <CLI/CLI.hpp>
#include <optional>

#include "tools/lacuna/command_line.h"
#include "tools/shell/command_options.h"

namespace lacuna {

void describeCompare(CLI::App& command, Arguments& a) {
  addValue(command, "images", a.compare.images, "IMAGE",
           "a picture, or a sequence (out/%04d.exr), then its reference; with --blocks or --html several "
           "pictures before it")
      ->required();
  addFile(command, "--baseline", a.compare.baseline,
          "the noisy input, whose errors are divided by those of the image; with --blocks "
          "the picture by whose RMS others are divided (default: the first)",
          "IMAGE");
  addValue(command, "--frames", a.compare.frames, "FRAMES",
           "for sequences: A, A-B, A-BxSTEP, or several with commas (default: those of the image)",
           notEmpty("A, A-B or A-BxSTEP, or several with commas"));
  addValue(command, "--first", a.compare.first, "N[:N[:N]]",
           "added to the frame in file names: N, or IMAGE:REFERENCE:BASELINE, the last one repeats");
  addValue(command, "--blocks", a.compare.blocks, "COLUMNSxROWS",
           "RMS of linear values in each block of a grid, for one or more pictures");
  addValue(command, "-o,--output", a.compare.output, "FILE",
           "with --blocks: PNG for them in colours from green to red; for several pictures a "
           "folder, or a name with {stem}");
  addValue(command, "--layer", a.compare.layer, "LAYER",
           "view layer of OpenEXR files to compare (default: the first)",
           notEmpty("the name of a layer, such as ViewLayer.Combined"));
  addValue(
      command, "--difference", a.compare.difference, "FILE",
      "PNG for 8 times the difference on screen, black where equal; for sequences with %04d in its name");
  addValue(command, "--html", a.compare.page, "FILE",
           "a page for browsers that shows all pictures in step: wipe, side by side, flicker, difference, "
           "error, values; also for several pictures before the reference");
  addValue(command, "--crop", a.compare.crop, "PIXELS",
           "with --html: only this part of the pictures: X,Y,WIDTH,HEIGHT, in pixels");
  const auto limit = [&command](const char* name, std::optional<double>& value, const char* help) {
    addValue(command, name, value, "X", help, anyNumber());
  };
  limit("--max-relmse", a.compare.limits.maxRelMse,
        "exit with 1 if relMSE is above X; for sequences, their mean");
  limit("--min-psnr", a.compare.limits.minPsnr, "exit with 1 if PSNR is below X dB");
  limit("--min-ssim", a.compare.limits.minSsim, "exit with 1 if SSIM is below X");
  limit("--max-flip", a.compare.limits.maxFlip, "exit with 1 if FLIP is above X");
  limit("--max-error", a.compare.limits.maxError, "exit with 1 if the largest relative error is above X");
  limit("--max-temporal", a.compare.limits.maxTemporal,
        "for sequences: exit with 1 if the mean temporal error is above X");
  limit("--max-block-ratio", a.compare.limits.maxBlockRatio,
        "with --blocks: exit with 1 if a block's RMS is above X times that of the baseline");
  addJson(command, a.compare.json);
  tuck(command, {"--first", "--layer", "--crop", "--max-block-ratio", "--difference", "--max-temporal"});
}

}  // namespace lacuna
