#include "tests/cnn_unet/reference_unet.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna::test {
namespace {

using unet::Layer;
using unet::Network;
using unet::Plane;
using unet::Scale;

double clean(double v, double least, double most) {
  return std::isnan(v) ? 0.0 : std::clamp(v, least, most);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

// Infinity counts as the largest half.
Channelled withoutInfinity(Channelled colour) {
  for (double& v : colour.values)
    v = v == infinity ? 65504.0 : v;
  return colour;
}

Channelled cleaned(const Channelled& plane, double least, double most) {
  Channelled out = plane;
  for (double& v : out.values)
    v = clean(v, least, most);
  return out;
}

// Where blocks of a side begin, and its end: each has `block` pixels but the last one, or all have nearly as
// many.
std::vector<int> blocksOf(int side, int block, bool areEqual) {
  const int count = (side + block - 1) / block;
  std::vector<int> begins;
  for (int i = 0; i <= count; ++i)
    begins.push_back(areEqual ? i * side / count : std::min(i * block, side));
  return begins;
}

double exposureOf(const unet::ExposureSettings& settings, const Channelled& colour, bool isOidn) {
  const int block = static_cast<int>(settings.block);
  const std::vector<int> rows = blocksOf(colour.height, block, isOidn),
                         columns = blocksOf(colour.width, block, isOidn);
  const double red = isOidn ? .212671 : .2126, green = isOidn ? .715160 : .7152,
               blue = isOidn ? .072169 : .0722;
  double sum = 0.0;
  int lit = 0;
  for (size_t i = 1; i < rows.size(); ++i)
    for (size_t j = 1; j < columns.size(); ++j) {
      double luminance = 0.0;
      int count = 0;
      for (int y = rows[i - 1]; y < rows[i]; ++y)
        for (int x = columns[j - 1]; x < columns[j]; ++x, ++count)
          luminance += red * colour.at(0, y, x) + green * colour.at(1, y, x) + blue * colour.at(2, y, x);
      if (luminance / count > settings.least) {
        sum += std::log(luminance / count);
        ++lit;
      }
    }
  return lit > 0 ? settings.key / std::exp(sum / lit) : 1.0;
}

Channelled depthFeature(const Channelled& depth) {
  const auto inverse = [](double d) { return std::isfinite(d) && d > 0.0 ? 1.0 / d : 0.0; };
  double mean = 0.0;
  for (const double d : depth.values)
    mean += inverse(d) / static_cast<double>(depth.values.size());
  Channelled out = depth;
  for (double& d : out.values)
    d = inverse(d) > 0.0 ? d / (d + 1.0 / mean) : 1.0;
  return out;
}

// fedcb|abcdef|edcba
int reflected(int at, int size) {
  const int period = std::max(2 * (size - 1), 1);
  return std::min(at % period, period - at % period) % std::max(size, 1);
}

// Curves of Open Image Denoise (core/color), and their inverses.
double perceptual(double y) {
  return y <= 1.57945760e-06   ? 1.41283765e+03 * y
         : y <= 3.22087631e-02 ? 1.64593172 * std::pow(y, 4.31384981e-01) - 2.94139609e-03
                               : 1.92653254e-01 * std::log(y + 6.26026094e-03) + 9.98620152e-01;
}
double lightOf(double x) {
  return x <= 2.23151711e-03   ? x / 1.41283765e+03
         : x <= 3.70974749e-01 ? std::pow((x + 2.94139609e-03) / 1.64593172, 1.0 / 4.31384981e-01)
                               : std::exp((x - 9.98620152e-01) / 1.92653254e-01) - 6.26026094e-03;
}
double srgb(double y) {
  return y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
}
double fromSrgb(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

class Render {
 public:
  Render(const Network& network, const RenderPlanes& planes)
      : network_(network),
        colour_(network.curve == unet::Curve::signedUnit
                    ? cleaned(planes.at("input"), -1.0, 1.0)
                    : withoutInfinity(cleaned(planes.at("input"), 0.0, infinity))) {
    for (const Plane plane : network.input)
      if (plane == Plane::albedo)
        albedo_ = cleaned(planes.at("albedo"), 0.0, 1.0);
      else if (plane == Plane::normal)
        normal_ = cleaned(planes.at("normal"), -1.0, 1.0);
      else if (plane == Plane::depth)
        depth_ = depthFeature(planes.at("depth"));
    if (network.exposure)
      exposure_ = exposureOf(*network.exposure, colour_, network.isOidn());
  }

  Channelled input() const {
    const int multiple = 1 << network_.mostHalvings();
    const auto extended = [&](int size) { return (size + multiple - 1) / multiple * multiple; };
    Channelled out(static_cast<int>(network_.inputChannels()), extended(colour_.height),
                   extended(colour_.width));
    int channel = 0;
    for (const Plane plane : network_.input)
      for (int c = 0; c < static_cast<int>(network_.channelsOf(plane)); ++c, ++channel)
        for (int y = 0; y < out.height; ++y)
          for (int x = 0; x < out.width; ++x)
            out.at(channel, y, x) =
                network_.isOidn() && (y >= colour_.height || x >= colour_.width)
                    ? 0.0
                    : feature(plane, c, reflected(y, colour_.height), reflected(x, colour_.width));
    return out;
  }

  Channelled output(const Channelled& y) const {
    Channelled out(3, colour_.height, colour_.width);
    for (int c = 0; c < 3; ++c)
      for (int row = 0; row < out.height; ++row)
        for (int x = 0; x < out.width; ++x) {
          if (network_.isOidn()) {
            out.at(c, row, x) = oidnResult(std::max(y.at(c, row, x), 0.0));
            continue;
          }
          const double v = std::clamp(y.at(c, row, x), 0.0, curve(network_.maximum));
          out.at(c, row, x) =
              divisor(c, row, x) * std::expm1(v * std::log1p(network_.scale)) / network_.scale / exposure_ +
              unseen(c, row, x);
        }
    return out;
  }
  // The inverse of output().
  Channelled beforeOutput(const Channelled& picture) const {
    Channelled y = picture;
    for (int c = 0; c < 3; ++c)
      for (int row = 0; row < y.height; ++row)
        for (int x = 0; x < y.width; ++x)
          y.at(c, row, x) =
              curve((picture.at(c, row, x) - unseen(c, row, x)) * exposure_ / divisor(c, row, x));
    return y;
  }

 private:
  double curve(double x) const { return std::log1p(network_.scale * x) / std::log1p(network_.scale); }
  double divisor(int c, int y, int x) const {
    return network_.leastAlbedo ? std::max(albedo_.at(c, y, x), *network_.leastAlbedo) : 1.0;
  }
  // Light beyond the network's range.
  double unseen(int c, int y, int x) const {
    return std::max(colour_.at(c, y, x) - network_.maximum * divisor(c, y, x) / exposure_, 0.0);
  }
  double oidnInput(double v) const {
    return network_.curve == unet::Curve::perceptual ? perceptual(exposure_ * v) / perceptual(65504.0)
           : network_.curve == unet::Curve::srgb     ? srgb(std::min(v, 1.0))
                                                     : v * 0.5 + 0.5;
  }
  double oidnResult(double v) const {
    return network_.curve == unet::Curve::perceptual ? lightOf(v * perceptual(65504.0)) / exposure_
           : network_.curve == unet::Curve::srgb     ? std::min(fromSrgb(v), 1.0)
                                                     : std::clamp(v * 2.0 - 1.0, -1.0, 1.0);
  }
  double feature(Plane plane, int c, int y, int x) const {
    if (network_.isOidn() && plane == Plane::colour)
      return oidnInput(colour_.at(c, y, x));
    if (network_.isOidn() && plane == Plane::normal)
      return normal_.at(c, y, x) * 0.5 + 0.5;
    if (plane == Plane::colour)
      return curve(std::min(exposure_ * colour_.at(c, y, x) / divisor(c, y, x), network_.maximum));
    return (plane == Plane::albedo ? albedo_ : plane == Plane::normal ? normal_ : depth_).at(c, y, x);
  }

  const Network& network_;
  Channelled colour_, albedo_, normal_, depth_;
  double exposure_ = 1.0;
};

Channelled scaled(const Channelled& from, Scale scale) {
  if (scale == Scale::same)
    return from;
  const bool isHalf = scale == Scale::half;
  Channelled out(from.channels, isHalf ? from.height / 2 : 2 * from.height,
                 isHalf ? from.width / 2 : 2 * from.width);
  for (int c = 0; c < out.channels; ++c)
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x)
        out.at(c, y, x) = isHalf ? std::max({from.at(c, 2 * y, 2 * x), from.at(c, 2 * y, 2 * x + 1),
                                             from.at(c, 2 * y + 1, 2 * x), from.at(c, 2 * y + 1, 2 * x + 1)})
                                 : from.at(c, y / 2, x / 2);
  return out;
}

// Adds a source, whose channels are those from `first` on of the layer's.
void convolve(const Layer& layer, const Channelled& from, int first, Channelled& out) {
  for (int o = 0; o < out.channels; ++o)
    for (int i = 0; i < from.channels; ++i)
      for (int tap = 0; tap < 9; ++tap) {
        const double weight =
            layer.weights[(static_cast<size_t>(o) * layer.inputs + static_cast<size_t>(first + i)) * 9 +
                          static_cast<size_t>(tap)];
        const int dy = tap / 3 - 1, dx = tap % 3 - 1;
        for (int y = std::max(0, -dy); y < std::min(out.height, out.height - dy); ++y)
          for (int x = std::max(0, -dx); x < std::min(out.width, out.width - dx); ++x)
            out.at(o, y, x) += weight * from.at(i, y + dy, x + dx);
      }
}

}  // namespace

Activations activationsOf(const Network& network, const RenderPlanes& planes) {
  return activationsOf(network, Render(network, planes).input());
}

Activations activationsOf(const Network& network, Channelled of) {
  Activations all{std::move(of), {}};
  const Channelled& input = all.input;
  for (const Layer& layer : network.layers) {
    Channelled out(static_cast<int>(layer.channels), input.height >> layer.halvings,
                   input.width >> layer.halvings);
    for (int c = 0; c < out.channels; ++c)
      for (int i = 0; i < out.height * out.width; ++i)
        out.at(c, 0, i) = layer.biases[static_cast<size_t>(c)];
    int first = 0;
    for (const unet::Source& source : layer.sources) {
      const Channelled& from =
          source.layer == unet::inputLayer ? input : all.layers[static_cast<size_t>(source.layer)];
      convolve(layer, scaled(from, source.scale), first, out);
      first += from.channels;
    }
    for (double& v : out.values)
      v = layer.relu ? std::max(v, 0.0) : v;
    all.layers.push_back(std::move(out));
  }
  return all;
}

Channelled denoised(const Network& network, const RenderPlanes& planes) {
  return Render(network, planes).output(activationsOf(network, planes).layers.back());
}

Channelled lastLayerOf(const Network& network, const RenderPlanes& planes, const Channelled& picture) {
  return Render(network, planes).beforeOutput(picture);
}

}  // namespace lacuna::test
