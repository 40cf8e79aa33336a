#pragma once
// The graph that `lacuna denoise` runs for one input.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/pictures/methods.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/metrics/motion_guess.h"

namespace lacuna {

struct UnetWeights {
  std::string file;
  Planes planes;                                       // that they are for
  std::string transfer = {};                           // if the file's name doesn't say it
  std::map<std::string, std::string> prefilters = {};  // archives that filter guides before, by plane
};

struct DenoiseJob {
  DenoiseInput input;
  std::string output;  // pattern of the sink's files
  Method method = Method::eaw;
  std::optional<MotionGuess> motion = {};
  double strength = 1.0;
  std::string histogram = {};  // file of the picture's ray histograms; if empty, its own, if it has some
  std::optional<UnetWeights> weights = {};    // of cnn-unet; if none, its own
  std::vector<std::string> noisyGuides = {};  // without which the network is better
  bool isOpaque = false;                      // alpha is 1 everywhere
  int quality = 0;                            // of lossy compression; 0: o-file's default
  int filePage = 0;                           // of the input file; 0: the only one
  Development development = {};               // of a raw photograph
  bool isMosaicAgain = false;                 // its DNG file
  // Those of noiseParameters that are given, and their values; if none, the noise is estimated.
  std::vector<std::pair<std::string, std::string>> noise = {};
  bool printsNoise = false;               // that is estimated
  std::vector<int64_t> crop = {};         // x, y, width and height of what is written; if empty, all
  bool keepsColours = false;              // of the input, also in a file for viewing
  std::vector<std::string> modules = {};  // folders of modules, whose defaults the strength scales
  bool isFast = false;                    // wiener
  bool isTooSlow = false;                 // wiener, on the devices that run, so that eaw runs alone
  bool isOfOtherPattern = false;          // than networks are for, so that wiener denoises it
  bool isTooLarge = false;                // for a network, on the devices that run, so that wiener does
  std::string frames = {};                // as --frames takes them; if empty, those of the graph
};

// Parameters of eaw and wiener, in the order in which the module report prints the noise.
constexpr std::array<const char*, 8> noiseParameters = {
    "noise", "noise_power", "noise_offset", "clipped", "fine", "coarse", "colour_fine", "colour_coarse"};
// Whether it is denoised by eaw, alone or before wiener, or by a network, with a noise that is estimated from
// the picture alone.
bool estimatesNoise(const DenoiseJob& job);

bool takesQuality(const DenoiseJob& job);  // its output
bool writesDng(const DenoiseJob& job);
// "rggb", ...; empty for pictures without a Bayer mosaic.
std::string bayerPattern(const DenoiseInput& input);

// `histogram` as in DenoiseJob.
Planes planesOf(const DenoiseInput& input, const std::string& histogram = {});
// Those that the job's method takes.
Planes takenPlanes(const DenoiseJob& job);

// From i-file:in to o-file:out, of a mosaic to o-dng:out. `folder`: where the graph file will lie, so that
// the input's name is relative to it; if empty, the name stays as the user wrote it.
std::string graphText(const DenoiseJob& job, const std::string& folder = {});

}  // namespace lacuna
