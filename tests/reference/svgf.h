#pragma once
// svgf frame by frame, in double precision: written from modules/svgf/README.md ('How'), whose steps are
// named here by their numbers. Decisions between two cases (codes of normals and slopes) are in float, as
// there.

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tests/reference/reference.h"

namespace lacuna::test {

struct SvgfParameters {
  int levels = 5;
  int history = 6;
  double sigmaLuminance = 3.0;
  double sigmaNormal = 128.0;
  double sigmaDepth = 3.0;
  double depthTolerance = 0.1;
  double normalTolerance = 0.8;
  double firefly = 4.0;
  double cutShare = 0.7;
  Format precision = Format::f32;

  std::string text() const;  // `param` lines for svgf:01
};

// Planes that are not connected are 0.
struct SvgfFrame {
  Picture colour;  // rgba, Rec. 709
  Picture albedo;  // rgb
  Picture normal;
  Picture depth;
  Picture motion;
  std::optional<Picture> id, gradient;
  bool hasAlbedo = true, hasMotion = true;
  bool cut = false;
};

// A pixel's surface, after packing and unpacking (1).
struct SvgfSurface {
  double normal[3];
  double depth;
  double slope;  // g
  uint32_t id;
};

class SvgfReference {
 public:
  // `jitter`: the state between two steps, and cosines of normals, are changed at random by up to this part.
  // How far results move then tells how much arithmetic in float may be off: weights multiply errors by their
  // exponent, level after level, which is much beside a bright outlier.
  explicit SvgfReference(SvgfParameters parameters, double jitter = 0.0)
      : parameters_(parameters), jitter_(jitter) {}

  // The next frame's output. NaN where it is not defined.
  Picture next(const SvgfFrame& frame);

  // Surfaces of the last frame.
  const std::vector<SvgfSurface>& surfaces() const { return surfaces_; }
  bool wasCut() const { return wasCut_; }

 private:
  struct Moments {
    double mean = 0, deviation = 0;
    int length = 0;
  };
  struct Carried {  // from the last frame to a pixel
    bool any = false;
    double colour[3] = {}, mean = 0, variance = 0;
    int length = 0;
  };

  Carried carried(const SvgfFrame& frame, int x, int y) const;
  bool isCut(const SvgfFrame& frame) const;
  void accumulate(const SvgfFrame& frame, const Picture& demodulated);
  void estimateVariance();
  void blurDeviation(int x, int y, double* out) const;
  std::vector<double> weightsAround(int x, int y) const;
  double noiseVariance(int x, int y, const std::vector<double>& weights) const;
  void spatialVariance(int x, int y, double* out) const;
  void filterLevel(int level);
  void settle(Picture& state) const;
  double jittered(double value) const;
  double edgeWeight(int p, int q, int dilation, double steps) const;
  int at(int x, int y) const { return y * width_ + x; }

  SvgfParameters parameters_;
  double jitter_;
  mutable std::minstd_rand random_;
  int width_ = 0, height_ = 0;
  bool first_ = true, wasCut_ = false;
  std::vector<SvgfSurface> surfaces_, earlierSurfaces_;
  std::vector<Moments> moments_, earlierMoments_;
  Picture state_, history_;  // colour, deviation
};

}  // namespace lacuna::test
