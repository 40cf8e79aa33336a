#include "tests/rhf/render.h"

#include <fmt/format.h>

#include <cmath>

#include "modules/codecs/image_file.h"

namespace lacuna::test {
namespace {

// Delbracio et al. 2014, section 4.1, with the constants of its authors' program: gamma 2.2, M = 2.5, s = 2.
void fill(Histograms& histograms, int first, int x, int y, double light) {
  const int even = histograms.bins / 3 - 2;
  const double v = std::min(std::pow(std::max(0.0, light), 1 / 2.2) / 2.5, 2.0);
  const int bin = std::min(static_cast<int>(std::floor(v * even)), even);
  const double share = bin < even ? v * even - bin : v - 1;
  histograms.at(first + bin, x, y) += static_cast<float>(1 - share);
  histograms.at(first + bin + 1, x, y) += static_cast<float>(share);
}

void sample(std::mt19937_64& random, Render& render, int x, int y, const double* colour, int samples) {
  std::exponential_distribution<double> scattered;
  double sum[3] = {};
  for (int s = 0; s < samples; ++s) {
    const double light = scattered(random);
    for (int c = 0; c < 3; ++c) {
      const double value = light * colour[c] * uniform(random, 0.8, 1.25);
      fill(render.histograms, c * render.histograms.bins / 3, x, y, value);
      sum[c] += value;
    }
  }
  render.histograms.at(render.histograms.bins, x, y) = static_cast<float>(samples);
  for (int c = 0; c < 3; ++c) {
    render.image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c,
                     samples > 0 ? sum[c] / samples : 0.5);
  }
}

void breakPixel(std::mt19937_64& random, Render& render, int x, int y) {
  constexpr double wrong[] = {NAN, INFINITY, -INFINITY, -3.0};
  const double value = wrong[pick(random, 0, 3)];
  const int bins = render.histograms.bins;
  switch (pick(random, 0, 2)) {
    case 0:
      render.image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), pick(random, 0, 2), value);
      break;
    case 1:
      render.histograms.at(pick(random, 0, bins - 1), x, y) = static_cast<float>(value);
      break;
    default:
      render.histograms.at(bins, x, y) = static_cast<float>(wrong[pick(random, 0, 2)]);
  }
}

}  // namespace

Render randomRender(std::mt19937_64& random, Extent extent, const RenderOptions& options) {
  const auto width = static_cast<int>(extent.width);
  const auto height = static_cast<int>(extent.height);
  Render render{makeImage(Channels::rgba, Format::f32, extent), Histograms(width, height, 3 * options.bins)};
  double colours[6][3];
  for (auto& colour : colours)
    for (double& c : colour)
      c = std::exp(uniform(random, -3, 1.5));
  const int side = pick(random, 3, 24);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int samples =
          options.uneven ? std::max(0, pick(random, -options.samples / 8, options.samples)) : options.samples;
      sample(random, render, x, y, colours[(x / side * 5 + y / side * 7 + (x + y) / (3 * side)) % 6],
             samples);
      render.image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 3,
                       options.alpha && pick(random, 0, 2) == 0 ? uniform(random, 0.2, 1) : 1.0);
      if (options.broken && pick(random, 0, 30) == 0)
        breakPixel(random, render, x, y);
    }
  }
  return render;
}

void writeRender(const std::filesystem::path& file, const Render& render) {
  const Histograms& histograms = render.histograms;
  const ValueType bins{
      Channels::y, Format::f32, ColourTag::data, {}, static_cast<uint32_t>(histograms.values.size())};
  writeImage("exr", file.string(),
             {{"output", render.image.type, std::as_bytes(std::span(render.image.words))},
              {"histogram", bins, std::as_bytes(std::span(histograms.values))}});
}

MemoryGraph rhfGraph(const std::filesystem::path& file, const std::string& parameters) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-exr rhf o-memory:out\ni-exr:01:histogram histogram=rhf\nparam:i-exr:01:filename:\"{}\"\n{}",
      file.string(), parameters);
  return graph;
}

std::string linesOf(const RhfParameters& p) {
  return fmt::format(
      "param:rhf:01:search:{}\nparam:rhf:01:patch:{}\nparam:rhf:01:k:{}\nparam:rhf:01:scales:{}\nparam:rhf:"
      "01:threshold:{}\nparam:rhf:01:blend:{}\n",
      p.search, p.patch, p.k, p.scales, p.threshold, p.blend);
}

}  // namespace lacuna::test
