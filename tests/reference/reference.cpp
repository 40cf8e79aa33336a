#include "tests/reference/reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lacuna::test {

Picture pictureOf(const Image& image) {
  Picture picture(static_cast<int>(image.type.extent.width), static_cast<int>(image.type.extent.height),
                  componentCount(image.type.channels));
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x)
      for (int c = 0; c < picture.components; ++c)
        picture.at(x, y)[c] = image.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
  }
  return picture;
}

double halfStep(double value) {
  const double least = std::ldexp(1.0, -14);  // the least normal number
  return std::ldexp(1.0, std::ilogb(std::max(std::abs(value), least)) - 10);
}

double stepOf(Format format, double value) {
  return format == Format::u8    ? 1.0 / 255.0
         : format == Format::u16 ? 1.0 / 65535.0
         : format == Format::f16 ? halfStep(value)
                                 : 0.0;
}

Deviation deviation(const Image& device, const Picture& reference, const Unit& unit) {
  const Picture found = pictureOf(device);
  EXPECT_EQ(found.width, reference.width);
  EXPECT_EQ(found.height, reference.height);
  EXPECT_EQ(found.components, reference.components);
  Deviation result;
  result.count = reference.values.size();
  for (int y = 0; y < found.height; ++y) {
    for (int x = 0; x < found.width; ++x) {
      for (int c = 0; c < found.components; ++c) {
        const double a = found.at(x, y)[c];
        const double b = reference.at(x, y)[c];
        double units = std::abs(a - b) / unit(x, y, c, b);
        if (!std::isfinite(units))
          units = std::isfinite(a) == std::isfinite(b) ? 0.0 : std::numeric_limits<double>::infinity();
        result.beyond += units > 1.0 ? 1 : 0;
        if (units > result.worst) {
          result.worst = units;
          result.where = fmt::format("pixel ({}, {}), component {}: {} instead of {}", x, y, c, a, b);
        }
      }
    }
  }
  return result;
}

Deviation relativeDeviation(const Image& device, const Picture& reference) {
  return deviation(device, reference, [](int, int, int, double b) { return std::max(std::abs(b), 0.01); });
}

Deviation halfDeviation(const Image& device, const Picture& reference) {
  return deviation(device, reference, [](int, int, int, double b) { return halfStep(b); });
}

void expectAgrees(const Image& device, const Picture& reference) {
  if (device.type.format == Format::f16) {
    const Deviation steps = halfDeviation(device, reference);
    EXPECT_LE(steps.worst, 1.0) << "steps of half, " << steps.where;
  } else {
    const Deviation relative = relativeDeviation(device, reference);
    EXPECT_LE(relative.worst, 1e-4) << relative.where;
  }
}

void expectWithinError(const Image& device, const Picture& reference, const Picture& error) {
  const Deviation d = deviation(
      device, reference, [&](int x, int y, int c, double) { return std::max(error.at(x, y)[c], 1e-30); });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

void expectSmall(const Picture& error, const Picture& reference) {
  size_t large = 0;
  for (size_t i = 0; i < error.values.size(); ++i)
    large += error.values[i] < 1e-3 * std::max(std::abs(reference.values[i]), 0.01) ? 0 : 1;
  EXPECT_LE(static_cast<double>(large), 0.01 * static_cast<double>(error.values.size()) + 3.0);
}

ColourImage coloursOf(const Image& image) {
  const Picture picture = pictureOf(image);
  ColourImage colour{image.type.extent, ColourTag::rec709, {}};
  for (size_t i = 0; i < picture.values.size(); ++i)
    if (i % 4 != 3)
      colour.rgb.push_back(static_cast<float>(picture.values[i]));
  return colour;
}

Extent extentOfCase(int index, std::mt19937_64& random) {
  static const Extent given[] = {{1, 1}, {17, 1}, {127, 509}};
  return index < 3 ? given[index] : randomExtent(random);
}

MemoryGraph graphAround(const std::string& module, const Image& image, const std::string& parameters) {
  MemoryGraph graph;
  graph.sources["in"] = image;
  graph.text = fmt::format("i-memory:in {0} o-memory:out\n{1}", module, parameters);
  return graph;
}

}  // namespace lacuna::test
