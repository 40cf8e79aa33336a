#pragma once
// What `lacuna denoise` can do, which of it fits, and the lines of a graph that do it. Installed: lacuna.h
// includes it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/pictures/planes.h"

namespace lacuna {

// eaw: photographs, noise estimated from the picture. guided: atrous-guided behind firefly. svgf: renders,
// with all planes that there are; over time where it is a sequence with motion. rhf: renders with ray
// histograms, or frames of one sample a pixel, which make them. unet: cnn-unet, renders of few samples, each
// frame by itself.
enum class Method { eaw, guided, svgf, rhf, unet };

std::string_view nameOf(Method method);
std::string_view wordsOf(Method method);  // "edge-avoiding wavelets"
std::vector<std::string> methodNames();
std::optional<Method> methodFromName(std::string_view name);

Method chooseMethod(const Planes& planes);
// What the input has none of: "normal and depth"; "" where the method can run.
std::string whatLacks(Method method, const Planes& planes);

struct MethodLines {
  // module:, param: and connect: lines, from i-file:in and i-file:histogram, or from i-memory:input,
  // i-memory:albedo, ...
  std::string text;
  std::string output;  // "eaw:01:output"
};
// strength, 0 to 4: 0 runs no filter, below 1 the result is mixed with the input, 1 is the filter's defaults.
// It multiplies the threshold of rhf. Of eaw, guided and svgf, above 1, what stops the filter counts
// 1 + (strength - 1)^2 / 2 times as much; what cnn-unet made is smoothed by svgf. cnn-unet takes all of
// `planes`, for which there must be weights.
MethodLines methodLines(Method method, const Planes& planes, double strength);

// How the numbers of a picture in memory stand for light.
enum class Encoding { linear, srgb8, srgb16 };
// The graph that `lacuna denoise` would run, for a picture in memory: from sources i-memory:input, and
// :albedo, :normal, :depth and :motion as far as `planes` has them and the method takes them, to
// o-memory:out.
std::string denoiseText(Method method, const Planes& planes, double strength,
                        Encoding encoding = Encoding::linear);

}  // namespace lacuna
