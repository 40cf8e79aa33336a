#include "tests/support/random_case.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tests/support/long_tests.h"

namespace lacuna::test {

namespace {

double special(std::mt19937_64& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {std::nan(""), infinity, -infinity, 60000.0, 1e-7, -0.5};
  return values[pick(random, 0, 5)];
}

bool coin(std::mt19937_64& random) {
  return pick(random, 0, 1) == 1;
}

// Each level compiles its own shaders.
int randomLevels(std::mt19937_64& random) {
  return pick(random, 1, triesAll() ? 6 : 4);
}

std::string list(std::mt19937_64& random, int count, double from, double to) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format(":{:.4f}", uniform(random, from, to));
  return text;
}

}  // namespace

Extent randomExtent(std::mt19937_64& random) {
  static const Extent notable[] = {{1, 1},   {17, 1},  {1, 31},  {2, 2},   {127, 509}, {701, 603},
                                   {97, 89}, {64, 64}, {300, 3}, {5, 251}, {33, 65}};
  if (pick(random, 0, 2) == 0)
    return notable[pick(random, 0, static_cast<int>(std::size(notable)) - 1)];
  return {static_cast<uint32_t>(pick(random, 1, 200)), static_cast<uint32_t>(pick(random, 1, 150))};
}

Image randomImage(std::mt19937_64& random, Channels channels, Format format, Extent extent, bool specials) {
  Image image = makeImage(
      channels, format, extent,
      channels == Channels::rgba || channels == Channels::rgb ? ColourTag::rec709 : ColourTag::data);
  const int stored = componentCount(channels) == 3 ? 4 : componentCount(channels);
  const bool data = channels == Channels::normal;
  const double edge = uniform(random, 0.2, 0.8) * extent.width;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      for (int c = 0; c < stored; ++c) {
        double v = 0.5 + 0.3 * std::sin(0.07 * x + c) * std::cos(0.05 * y - c) + (x > edge ? 0.4 : 0.0);
        v += uniform(random, -0.1, 0.1);
        if (data)
          v = c == 2 ? 0.6 : 2.0 * (v - 0.7);
        if (specials && pick(random, 0, 400) == 0)
          v = special(random);
        image.set(x, y, c, v);
      }
    }
  }
  return image;
}

Image surfaceImage(std::mt19937_64& random, const std::string& plane, Extent extent) {
  if (plane == "input" || plane == "albedo")
    return randomImage(random, plane == "input" ? Channels::rgba : Channels::rgb, Format::f16, extent, false);
  Image image = plane == "normal"  ? makeImage(Channels::normal, Format::f16, extent, ColourTag::data)
                : plane == "depth" ? makeImage(Channels::depth, Format::f32, extent, ColourTag::data)
                                   : makeImage(Channels::mv, Format::f16, extent, ColourTag::data);
  const double reach = pick(random, 0, 3) == 0 ? 150.0 : 20.0;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      if (plane == "normal") {
        image.set(x, y, 2, 1.0);
      } else if (plane == "depth") {
        image.set(x, y, 0, uniform(random, 5.0, 5.01));
      } else {
        image.set(x, y, 0, uniform(random, -reach, reach));
        image.set(x, y, 1, uniform(random, -reach, reach));
      }
    }
  }
  return image;
}

RandomCase randomEaw(std::mt19937_64& random) {
  const Extent extent = randomExtent(random);
  const int levels = randomLevels(random);
  const char* format = coin(random) ? "f16" : "f32";
  const bool specials = pick(random, 0, 1) == 0;
  RandomCase c;
  c.graph.sources["in"] =
      randomImage(random, Channels::rgba, coin(random) ? Format::f16 : Format::f32, extent, specials);
  c.graph.text = fmt::format(
      "i-memory:in eaw o-memory:out\nparam:eaw:01:levels:{}\nparam:eaw:01:precision:{}\n"
      "param:eaw:01:bounded:{}\nparam:eaw:01:noise:{}\nparam:eaw:01:noise_power:{}\nparam:eaw:01:edges{}\n"
      "param:eaw:01:thresholds{}\nparam:eaw:01:gains{}\n",
      levels, format, coin(random), pick(random, 0, 2) == 0 ? "0" : "0.05",
      pick(random, 0, 1) == 0 ? "0" : "0.5", list(random, 8, 0.5, 6.0), list(random, 8, 0.0, 2.0),
      list(random, 8, 0.5, 1.5));
  c.graph.asGpu = coin(random);
  c.levels = levels;
  c.half = format == std::string("f16");
  c.specials = specials;
  c.description = fmt::format("eaw {}x{}, {} levels, {} of {}{}", extent.width, extent.height, levels, format,
                              name(c.graph.sources["in"].type.format), specials ? ", with NaN and Inf" : "");
  return c;
}

RandomCase randomGuided(std::mt19937_64& random) {
  const Extent extent = randomExtent(random);
  const int levels = randomLevels(random);
  const bool specials = pick(random, 0, 1) == 0;
  const Format format = coin(random) ? Format::f16 : Format::f32;
  RandomCase c;
  c.graph.sources["in"] = randomImage(random, Channels::rgba, format, extent, specials);
  c.graph.sources["normal"] = randomImage(random, Channels::normal, format, extent, specials);
  c.graph.sources["depth"] = randomImage(random, Channels::depth, Format::f32, extent, specials);
  c.graph.text = fmt::format(
      "i-memory:in atrous-guided o-memory:out\ni-memory:normal normal=atrous-guided\n"
      "i-memory:depth depth=atrous-guided\nparam:atrous-guided:01:levels:{}\n"
      "param:atrous-guided:01:sigma_luminance:{:.4f}\nparam:atrous-guided:01:sigma_normal:{:.4f}\n"
      "param:atrous-guided:01:sigma_depth:{:.4f}\nparam:atrous-guided:01:precision:{}\n",
      levels, uniform(random, 0.5, 8.0), uniform(random, 1.0, 128.0), uniform(random, 0.005, 0.5),
      name(format));
  c.graph.schedules["atrous-guided:01:variance"] = "baseline/buffer";
  c.graph.asGpu = coin(random);
  c.levels = levels;
  c.half = format == Format::f16;
  c.specials = specials;
  c.description = fmt::format("atrous-guided {}x{}, {} levels, {}{}", extent.width, extent.height, levels,
                              name(format), specials ? ", with NaN and Inf" : "");
  return c;
}

RandomCase randomSvgf(std::mt19937_64& random) {
  const Extent extent = randomExtent(random);
  RandomCase c;
  c.frames = 3;
  c.levels = randomLevels(random);
  c.specials = coin(random);
  c.graph.asGpu = coin(random);
  c.graph.text = fmt::format("frames:{}\nsvgf o-memory:out\nparam:svgf:01:levels:{}\nparam:svgf:01:taa:{}\n",
                             c.frames, c.levels, coin(random) ? "true" : "false");
  const std::pair<const char*, Channels> inputs[] = {{"input", Channels::rgba},
                                                     {"albedo", Channels::rgb},
                                                     {"normal", Channels::normal},
                                                     {"depth", Channels::depth},
                                                     {"motion", Channels::mv}};
  for (const auto& [name, channels] : inputs) {
    if (std::string_view(name) != "input" && pick(random, 0, 4) == 0)
      continue;  // all others are optional
    c.graph.sources[name] = randomImage(random, channels, Format::f32, extent, c.specials);
    c.graph.text += fmt::format("i-memory:{0} {0}=svgf\n", name);
  }
  c.description = fmt::format("svgf {}x{}, {} levels{}", extent.width, extent.height, c.levels,
                              c.specials ? ", with NaN and Inf" : "");
  return c;
}

}  // namespace lacuna::test
