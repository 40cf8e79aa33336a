#pragma once
// The methods of `lacuna denoise`, the choice among them, and the lines of a graph for each. Installed:
// lacuna.h includes it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/pictures/planes.h"

namespace lacuna {

// wiener: photographs, by eaw, which estimates the noise, and wiener behind it. eaw: the same without wiener.
// guided: atrous-guided behind firefly. svgf: renders, with all planes of the file; over time for a sequence
// with motion. rhf: renders with ray histograms, or frames of one sample a pixel, which make them. unet:
// cnn-unet, renders of few samples; sequences with all guides and motion over time; photographs, by their
// noise.
enum class Method { wiener, eaw, guided, svgf, rhf, unet };

std::string_view nameOf(Method method);
std::string_view wordsOf(Method method);  // "edge-avoiding wavelets"
std::vector<std::string> methodNames();
std::optional<Method> methodFromName(std::string_view name);

Method chooseMethod(const Planes& planes);
// Whether wiener takes over a minute for so many pixels on a CPU device. Then eaw is chosen in its place.
// `threads`: of the machine; 0 for this one's.
bool isSlowOnCpu(uint64_t pixels, bool fast, unsigned threads = 0);
// The missing planes: "normal and depth"; "" if the method can run, of cnn-unet by its own weights.
std::string whatLacks(Method method, const Planes& planes);

struct MethodLines {
  // module:, param: and connect: lines, from i-file:in and i-file:histogram, or from i-memory:input,
  // i-memory:albedo, ...
  std::string text;
  std::string output;  // "eaw:01:output"
};
// strength, 0 to 4: 0 runs no filter, below 1 the result is mixed with the input, 1 is the filter's defaults.
// It multiplies the threshold of rhf. For eaw, wiener, guided and svgf, above 1, the edge tolerances, and
// wiener's strength, are multiplied by 1 + (strength - 1)^2 / 2; the result of cnn-unet is smoothed by svgf.
// For a network of photographs, that, or a strength below 1, is the factor of the noise.
// cnn-unet takes all of `planes`, for which there must be weights. The alpha of renders is denoised by the
// module alpha. `modules`: folders, as in GraphOptions; the defaults are those that the modules' files hold.
MethodLines methodLines(Method method, const Planes& planes, double strength,
                        const std::vector<std::string>& modules = {});

// The encoding of a picture's numbers in memory.
enum class Encoding { linear, srgb8, srgb16 };
// The graph that `lacuna denoise` would run, for a picture in memory: from sources i-memory:input, and
// :albedo, :normal, :depth and :motion if they are in `planes` and the method takes them, to
// o-memory:out.
std::string denoiseText(Method method, const Planes& planes, double strength,
                        Encoding encoding = Encoding::linear, const std::vector<std::string>& modules = {});

}  // namespace lacuna
