#include "graph/pictures/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "graph/config/text.h"
#include "graph/module/registry.h"

namespace lacuna {
namespace {

constexpr std::string_view mendedText =
    "with more light than all around together: filled from the neighbours";

// 0 to 1, and a slow increase from there: the least error is at 1, and edges vanish fast beyond it.
double excessOf(double strength) {
  const double above = std::max(strength - 1.0, 0.0);
  return above * above;
}

// Factor of the default amount that counts as noise, not as an edge. 1.5 at strength 2, 5.5 at 4.
double toleranceOf(double strength) {
  return 1.0 + 0.5 * excessOf(strength);
}

std::string param(std::string_view module, std::string_view name, const std::string& value) {
  return fmt::format("param:{}:01:{}:{}\n", module, name, value);
}

std::string param(std::string_view module, std::string_view name, double value) {
  return param(module, name, fmt::format("{:.5g}", value));
}

// How strongly filters act, from the defaults in their modules' files.
struct Strength {
  double value = 1.0;
  std::vector<std::string> modulePath;
  std::optional<Registry> modules = {};  // made when a default is asked for

  double tolerance() const { return toleranceOf(value); }

  // The line of a parameter with its default, or with other values, times a factor. None if there is no such
  // module, which is reported when the graph is loaded.
  std::string scaled(const std::string& module, const std::string& name, double factor,
                     std::vector<double> values = {}) {
    Diagnostics ignored;
    if (!modules)
      modules.emplace(modulePath);
    const auto description = modules->find(module, ignored);
    const ParameterDescription* parameter = description == nullptr ? nullptr : description->parameter(name);
    if (parameter == nullptr || parameter->type != ParameterType::floating)
      return {};
    if (values.empty())
      for (const ParameterValue& each : parameter->defaults)
        values.push_back(std::get<double>(each));
    std::string text;
    for (const double v : values) {
      const double within = std::min(v * factor, rangeOf(*parameter).maximum);
      text += fmt::format("{}{:.5g}", text.empty() ? "" : ":", within);
    }
    return param(module, name, text);
  }
  // The tolerances of geometry.
  std::string scaledGuides(const std::string& module) {
    return scaled(module, "sigma_normal", 1.0 / tolerance()) + scaled(module, "sigma_depth", tolerance());
  }
};

std::string connect(std::string_view output, std::string_view input) {
  return fmt::format("connect:{}:{}\n", output, input);
}

// Scene-linear light, and other numbers without a bound.
bool isMended(const Planes& planes) {
  return (planes.sceneLinear || planes.numbers) && !planes.bare;
}

// The source of a plane, as it is read; the colours are the plane `input`.
std::string readFrom(const Planes& planes, std::string_view name) {
  if (planes.raw && name == "input")
    return "demosaic:01:output";
  if (planes.demosaiced && name == "input")
    return "highlights:01:output";
  return planes.inMemory ? fmt::format("i-memory:{}:output", name)
                         : fmt::format("i-file:in:{}", name == "input" ? "output" : name);
}

// The same, for filters.
std::string sourceOf(const Planes& planes, std::string_view name) {
  return name == "input" && isMended(planes) ? "mend:01:output" : readFrom(planes, name);
}

std::string connectPlane(const Planes& planes, std::string_view name, std::string_view module,
                         std::string_view instance = "01") {
  return connect(sourceOf(planes, name), fmt::format("{}:{}:{}", module, instance, name));
}

std::string connectGuides(const Planes& planes, std::string_view module, std::string_view instance = "01") {
  std::string text;
  for (const std::string_view name : guidesOf(planes))
    text += connectPlane(planes, name, module, instance);
  return text;
}

// As in pipelines/raw.cfg: the noise at each level after demosaicing, and its amount if the file doesn't
// state it.
const std::vector<double> rawEdges = {3.8, 0.48, 0.77, 0.2, 0.34};
const std::vector<double> ownDefault = {};

std::string rawNoiseLines() {
  return param("eaw", "noise", 0.01) + param("eaw", "noise_power", 0.5) +
         connect("rawprep:01:noise", "eaw:01:known");
}

// Of wiener, as in pipelines/raw.cfg.
std::string rawLevelLines() {
  return param("wiener", "fine", 1.2) + param("wiener", "coarse", 1.6) + param("wiener", "colour_fine", 1.2) +
         param("wiener", "colour_coarse", 1.9);
}

// What filters get of `input`, with light that isn't finite or that nothing around explains filled. eaw,
// wiener and atrous-guided filter negative light, too.
std::string mendLines(const std::string& input, Method method, const Planes& planes) {
  const bool takesNegative = method == Method::wiener || method == Method::eaw || method == Method::guided;
  return "module:mend:01\n" + (takesNegative ? param("mend", "lift", "false") : "") +
         connect(input, "mend:01:input") + connectGuides(planes, "mend") +
         (planes.inMemory ? ""
                          : "module:report:01\n" + param("report", "text", quote(mendedText)) +
                                connect("mend:01:count", "report:01:input"));
}

std::string valueLines(const Planes& planes, std::string_view module) {
  return (planes.deep || planes.sceneLinear ? param(module, "precision", "f32") : "") +
         (planes.bounded ? param(module, "bounded", "true") : "");
}

MethodLines eawLines(const Planes& planes, Strength& strength) {
  std::string text = "module:eaw:01\n" + valueLines(planes, "eaw");
  if (strength.value > 1.0 || planes.raw)
    text += strength.scaled("eaw", "edges", strength.tolerance(), planes.raw ? rawEdges : ownDefault);
  text += planes.raw ? rawNoiseLines() : "";
  return {text + connectPlane(planes, "input", "eaw"), "eaw:01:output"};
}

MethodLines wienerLines(const Planes& planes, Strength& strength) {
  std::string text = eawLines(planes, strength).text + "module:wiener:01\n" + valueLines(planes, "wiener");
  if (planes.fast)
    text += param("wiener", "search", "13") + param("wiener", "spacing", "2") +
            param("wiener", "group", "8") + param("wiener", "step", "6");
  if (strength.value > 1.0)
    text += strength.scaled("wiener", "strength", strength.tolerance());
  text += connectPlane(planes, "input", "wiener") + connect("eaw:01:output", "wiener:01:pilot") +
          connect(planes.raw ? "rawprep:01:noise" : "eaw:01:noise", "wiener:01:noise");
  if (!planes.raw)
    return {text + connect("eaw:01:levels_noise", "wiener:01:levels_noise"), "wiener:01:output"};
  return {text + rawLevelLines() + "module:mix:raw\n" + connect("eaw:01:output", "mix:raw:input") +
              connect("wiener:01:output", "mix:raw:other"),
          "mix:raw:output"};
}

MethodLines guidedLines(const Planes& planes, Strength& strength) {
  std::string text =
      "module:firefly:01\nmodule:atrous-guided:01\n" + param("atrous-guided", "precision", "f32");
  if (strength.value > 1.0) {
    text += strength.scaled("atrous-guided", "sigma_luminance", strength.tolerance()) +
            strength.scaledGuides("atrous-guided");
  }
  text += connectPlane(planes, "input", "firefly");
  text += connect("firefly:01:output", "atrous-guided:01:input");
  text += connectPlane(planes, "normal", "atrous-guided");
  text += connectPlane(planes, "depth", "atrous-guided");
  return {text, "atrous-guided:01:output"};
}

// Behind a filter, a module that compares its result with the noisy picture.
MethodLines compared(MethodLines lines, std::string_view module, const std::string& parameters,
                     const Planes& planes) {
  lines.text += fmt::format("module:{}:01\n", module) + parameters +
                connect(lines.output, fmt::format("{}:01:input", module)) +
                connect(sourceOf(planes, "input"), fmt::format("{}:01:noisy", module));
  lines.output = fmt::format("{}:01:output", module);
  return lines;
}

MethodLines svgfLines(const Planes& planes, Strength& strength) {
  std::string text = "module:svgf:01\n" + param("svgf", "precision", "f32");
  if (isOverTime(planes))
    text += param("svgf", "taa", "true");
  const bool hasGeometry = planes.normal || planes.depth || planes.albedo;
  if (strength.value > 1.0 || !hasGeometry) {
    // Without geometry, only colour shows edges.
    text += strength.scaled("svgf", "sigma_luminance", strength.tolerance(),
                            hasGeometry ? ownDefault : std::vector{2.0});
  }
  if (strength.value > 1.0)
    text += strength.scaledGuides("svgf");
  text += connectPlane(planes, "input", "svgf") + connectGuides(planes, "svgf");
  if (isOverTime(planes))
    text += connectPlane(planes, "motion", "svgf");
  // It clamps fireflies, and with them light. Over time large changes would flicker.
  return compared({text, "svgf:01:output"}, "energy",
                  isOverTime(planes) ? param("energy", "caution", 1.2) : param("energy", "limit", 0.5),
                  planes);
}

// The picture that rhf filters: the mean of frames, or the file's.
MethodLines rhfInput(const Planes& planes) {
  if (planes.histogram != Histogram::ofFrames)
    return {{}, readFrom(planes, "input")};
  return {"module:ray-histogram:01\n" + connect(readFrom(planes, "input"), "ray-histogram:01:input"),
          "ray-histogram:01:output"};
}

MethodLines rhfLines(const Planes& planes, Strength& strength) {
  const MethodLines input = rhfInput(planes);
  const char* histogram = planes.histogram == Histogram::ofFrames      ? "ray-histogram:01:histogram"
                          : planes.histogram == Histogram::ofOtherFile ? "i-file:histogram:histogram"
                                                                       : "i-file:in:histogram";
  std::string text = input.text + "module:rhf:01\n";
  if (strength.value != 1.0)
    text += strength.scaled("rhf", "threshold", strength.value);
  text += connect(isMended(planes) ? "mend:01:output" : input.output, "rhf:01:input") +
          connect(histogram, "rhf:01:histogram");
  return {text, "rhf:01:output"};
}

// Networks for sequences mix in svgf's result, which flickers less.
std::string historyLines(const Planes& planes) {
  if (!planes.motion)
    return {};
  std::string text = connectPlane(planes, "motion", "cnn-unet") +
                     "module:svgf:mixed\nparam:svgf:mixed:taa:true\n" + "param:svgf:mixed:precision:f32\n";
  for (const char* name : {"input", "albedo", "normal", "depth", "motion"})
    text += connect(sourceOf(planes, name), fmt::format("svgf:mixed:{}", name));
  return text + connect("svgf:mixed:output", "cnn-unet:01:filtered");
}

// svgf keeps textures that albedo shows, and light that the network misses. Where normals are noisy, it
// leaves noise.
MethodLines mixedWithSvgf(MethodLines lines, const Planes& planes) {
  Planes all = planes;
  all.normal |= planes.noisyNormal;
  all.depth |= planes.noisyDepth;
  lines.text += "module:svgf:mixed\nparam:svgf:mixed:precision:f32\n" + connectGuides(all, "svgf", "mixed") +
                connectPlane(planes, "input", "svgf", "mixed");
  return compared(std::move(lines), "mix-irradiance",
                  (planes.noisyNormal ? param("mix-irradiance", "share", 0.04) : "") +
                      connect("svgf:mixed:output", "mix-irradiance:01:other") +
                      connectPlane(planes, "albedo", "mix-irradiance"),
                  planes);
}

// Above 1 svgf's levels smooth the network's result, by its guides. The tolerance of luminance begins near
// zero, so that nothing jumps at strength 1.
MethodLines unetLines(const Planes& planes, Strength& strength) {
  MethodLines lines{"module:cnn-unet:01\n" + connectPlane(planes, "input", "cnn-unet") +
                        connectGuides(planes, "cnn-unet") + historyLines(planes),
                    "cnn-unet:01:output"};
  if (!planes.motion && !planes.bare) {
    // Our networks leave colour mottled, and miss the colour of fog.
    lines = compared(std::move(lines), "chroma", "", planes);
    if (planes.mixed)
      lines = mixedWithSvgf(std::move(lines), planes);
    lines = compared(std::move(lines), "energy",
                     param("energy", "limit", 0.7) + param("energy", "caution", planes.mixed ? 1.0 : 0.7),
                     planes);
  }
  if (strength.value > 1.0) {
    lines.text += "module:svgf:01\n" + param("svgf", "precision", "f32") +
                  param("svgf", "sigma_luminance", std::max(1.5 * excessOf(strength.value), 0.0001)) +
                  param("svgf", "firefly", 0.0) +  // the network's result has no fireflies
                  connect(lines.output, "svgf:01:input") + connectGuides(planes, "svgf");
    lines.output = "svgf:01:output";
  }
  return lines;
}

// Networks for photographs, whose strength is a factor of the noise.
MethodLines photographLines(const Planes& planes, const Strength& strength) {
  const double factor = strength.value < 1.0 ? strength.value : strength.tolerance();
  const std::string text =
      "module:cnn-unet:01\n" + (factor == 1.0 ? "" : param("cnn-unet", "strength", factor));
  if (planes.raw)
    return {text + connect("rawprep:01:output", "cnn-unet:01:input") +
                connect("rawprep:01:sensor", "cnn-unet:01:sensor"),
            "cnn-unet:01:output"};
  return {"module:eaw:01\n" + valueLines(planes, "eaw") + connectPlane(planes, "input", "eaw") + text +
              connectPlane(planes, "input", "cnn-unet") + connect("eaw:01:noise", "cnn-unet:01:noise"),
          "cnn-unet:01:output"};
}

// Filters leave alpha unchanged. Of stills the network denoises it, as a grey picture, where colours are
// noisy.
MethodLines withAlpha(MethodLines lines, Method method, const Planes& planes) {
  if (!planes.sceneLinear || !planes.alpha)
    return lines;
  lines.text += "module:alpha:01\n" + connect(lines.output, "alpha:01:input");
  lines.output = "alpha:01:output";
  if (method == Method::unet && !planes.motion) {
    lines.text += "module:alpha-split:01\nmodule:cnn-unet:alpha\n" +
                  connectPlane(planes, "input", "alpha-split") +
                  connect("alpha-split:01:output", "cnn-unet:alpha:input");
    lines = compared(std::move(lines), "alpha-join", connect("cnn-unet:alpha:output", "alpha-join:01:alpha"),
                     planes);
  }
  return lines;
}

// Mixes input and result for strengths below 1.
MethodLines mixedLines(MethodLines lines, const Planes& planes, double strength) {
  if (strength < 1.0) {
    lines.text += "module:mix:01\n" + param("mix", "share", strength);
    lines.text += connectPlane(planes, "input", "mix") + connect(lines.output, "mix:01:other");
    lines.output = "mix:01:output";
  }
  return lines;
}

MethodLines filterLines(Method method, const Planes& planes, Strength& strength) {
  switch (method) {
    case Method::wiener:
      return wienerLines(planes, strength);
    case Method::eaw:
      return eawLines(planes, strength);
    case Method::guided:
      return guidedLines(planes, strength);
    case Method::svgf:
      return svgfLines(planes, strength);
    case Method::rhf:
      return rhfLines(planes, strength);
    case Method::unet:
      return planes.noise ? photographLines(planes, strength) : unetLines(planes, strength);
  }
  return {};
}

}  // namespace

MethodLines methodLines(Method method, const Planes& planes, double strength,
                        const std::vector<std::string>& modules) {
  if (!(strength > 0.0))
    return rhfInput(planes);
  Strength scale{strength, moduleSearchPath(modules)};
  MethodLines lines = withAlpha(filterLines(method, planes, scale), method, planes);
  if (method != Method::rhf && !(method == Method::unet && planes.noise))
    lines = mixedLines(std::move(lines), planes, strength);
  if (isMended(planes) || planes.grey) {
    lines.text += "module:restore:01\n" + (planes.grey ? param("restore", "grey", "true") : "") +
                  connect(lines.output, "restore:01:input");
    lines.output = "restore:01:output";
  }
  if (isMended(planes)) {
    const std::string input = method == Method::rhf ? rhfInput(planes).output : readFrom(planes, "input");
    lines.text = mendLines(input, method, planes) + lines.text + connect("mend:01:rest", "restore:01:rest");
  }
  return lines;
}

std::string denoiseText(Method method, const Planes& given, double strength, Encoding encoding,
                        const std::vector<std::string>& modules) {
  Planes planes = method == Method::unet ? takenByUnet(given) : given;
  planes.inMemory = true;
  planes.deep = encoding != Encoding::srgb8;
  planes.bounded = encoding != Encoding::linear;
  const MethodLines lines = methodLines(method, planes, strength, modules);
  std::string text = "lacuna:1\nmodule:i-memory:input\n";
  for (const char* name : {"albedo", "normal", "depth", "motion"})
    if (lines.text.find(fmt::format("i-memory:{}:", name)) != std::string::npos)
      text += fmt::format("module:i-memory:{}\n", name);
  text += "module:o-memory:out\n" + lines.text + fmt::format("connect:{}:o-memory:out:input\n", lines.output);
  if (encoding != Encoding::linear) {
    const bool isDeep = encoding == Encoding::srgb16;
    text += fmt::format(
        "param:i-memory:input:encoding:srgb\nparam:i-memory:input:precision:{}\n"
        "param:o-memory:out:encoding:srgb\nparam:o-memory:out:bits:{}\n",
        isDeep ? "f32" : "f16", isDeep ? 16 : 8);
  }
  return text;
}

}  // namespace lacuna
