#include "tests/cnn_unet/reference_photograph.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna::test {
namespace {

using unet::Network;

double encoded(double x) {
  return x <= .0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - .055;
}
double decoded(double y) {
  return y <= .04045 ? y / 12.92 : std::pow((y + .055) / 1.055, 2.4);
}

// fedcb|abcdef|edcba
int mirrored(int at, int size) {
  while (size > 1 && (at < 0 || at >= size))
    at = at < 0 ? -at : 2 * (size - 1) - at;
  return size > 1 ? at : 0;
}

class Cells {
 public:
  Cells(const Network& network, const Photograph& of)
      : of_(of),
        isMosaic_(!of.pattern.empty()),
        // The first cell begins at a red pixel, in the picture or before it.
        left_(isMosaic_ ? static_cast<int>(of.pattern.find('r')) % 2 : 0),
        top_(isMosaic_ ? static_cast<int>(of.pattern.find('r')) / 2 : 0),
        multiple_(2 << network.mostHalvings()) {}

  Channelled input() const {
    const auto cells = [&](int pixels) { return (pixels + multiple_ - 1) / multiple_ * multiple_ / 2; };
    const int planes = isMosaic_ ? 1 : 3;
    Channelled out(8 * planes, cells(of_.picture.height + top_), cells(of_.picture.width + left_));
    for (int c = 0; c < planes; ++c)
      for (int k = 0; k < 4; ++k)
        for (int y = 0; y < out.height; ++y)
          for (int x = 0; x < out.width; ++x) {
            const int row = mirrored(2 * y + k / 2 - top_, of_.picture.height),
                      column = mirrored(2 * x + k % 2 - left_, of_.picture.width);
            const double v = value(c, row, column), s = of_.strength * deviation(v, row, column);
            out.at(4 * c + k, y, x) = encoded(v);
            out.at(4 * (planes + c) + k, y, x) = (encoded(v + s) - encoded(v - s)) / 2;
          }
    return out;
  }

  Channelled output(const Channelled& last) const {
    Channelled out(3, of_.picture.height, of_.picture.width);
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) {
        const std::array<double, 3> base = isMosaic_ ? demosaiced(y, x) : colours(y, x);
        const int row = y + top_, column = x + left_;
        for (int c = 0; c < 3; ++c)
          out.at(c, y, x) = decoded(base[static_cast<size_t>(c)] +
                                    last.at(4 * c + row % 2 * 2 + column % 2, row / 2, column / 2));
      }
    return out;
  }

 private:
  size_t colourOf(int row, int column) const {
    const char letter = of_.pattern[static_cast<size_t>((row & 1) * 2 + (column & 1))];
    return letter == 'r' ? 0 : letter == 'g' ? 1 : 2;
  }
  double value(int c, int row, int column) const {
    const double v = of_.picture.at(c, row, column);
    return std::isnan(v) ? 0.0 : isMosaic_ ? std::clamp(v, -1.0, 65504.0) : std::clamp(v, 0.0, 1.0);
  }
  // Of the noise, in linear values.
  double deviation(double v, int row, int column) const {
    if (!isMosaic_)
      return of_.noise[0] * std::pow((v + of_.noise[2]) / (1 + of_.noise[2]), of_.noise[1]);
    const double gain = of_.noise[colourOf(row, column)];
    return gain * std::sqrt(of_.noise[3] * std::max(v / gain, 0.0) + of_.noise[4]);
  }

  std::array<double, 3> colours(int y, int x) const {
    return {encoded(value(0, y, x)), encoded(value(1, y, x)), encoded(value(2, y, x))};
  }
  // The filters of Malvar, He and Cutler 2004, figure 2: eighths.
  std::array<double, 3> demosaiced(int y, int x) const {
    constexpr double green[5][5] = {
        {0, 0, -1, 0, 0}, {0, 0, 2, 0, 0}, {-1, 2, 4, 2, -1}, {0, 0, 2, 0, 0}, {0, 0, -1, 0, 0}};
    constexpr double beside[5][5] = {
        {0, 0, .5, 0, 0}, {0, -1, 0, -1, 0}, {-1, 4, 5, 4, -1}, {0, -1, 0, -1, 0}, {0, 0, .5, 0, 0}};
    constexpr double across[5][5] = {
        {0, 0, -1.5, 0, 0}, {0, 2, 0, 2, 0}, {-1.5, 0, 6, 0, -1.5}, {0, 2, 0, 2, 0}, {0, 0, -1.5, 0, 0}};
    double sums[4] = {};
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        const double v = encoded(
            value(0, mirrored(y + i - 2, of_.picture.height), mirrored(x + j - 2, of_.picture.width)));
        sums[0] += green[i][j] * v / 8;
        sums[1] += beside[i][j] * v / 8;
        sums[2] += beside[j][i] * v / 8;
        sums[3] += across[i][j] * v / 8;
      }
    const double own = encoded(value(0, y, x));
    const size_t colour = colourOf(y, x);
    if (colour != 1)
      return {colour == 0 ? own : sums[3], sums[0], colour == 0 ? sums[3] : own};
    const bool isRedBeside = colourOf(y, x + 1) == 0;
    return {sums[isRedBeside ? 1 : 2], own, sums[isRedBeside ? 2 : 1]};
  }

  const Photograph& of_;
  const bool isMosaic_;
  const int left_, top_, multiple_;
};

}  // namespace

Channelled cellsOf(const Network& network, const Photograph& photograph) {
  return Cells(network, photograph).input();
}

Channelled denoised(const Network& network, const Photograph& photograph) {
  const Cells cells(network, photograph);
  return cells.output(activationsOf(network, cells.input()).layers.back());
}

}  // namespace lacuna::test
