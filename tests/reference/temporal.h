#pragma once
// firefly, reproject and taa frame by frame, in double precision: written from the READMEs of these modules
// ('How').

#include <optional>

#include "tests/reference/svgf.h"

namespace lacuna::test {

// `colour`: rgba, Rec. 709.
Picture fireflyReference(const Picture& colour, double factor);

// The missing pixels for which a device may take another neighbour, because the luminances of two candidates
// differ by no more than its roundings.
std::vector<std::pair<int, int>> fireflyTies(const Picture& colour);

struct ReprojectParameters {
  int history = 32;
  double depthTolerance = 0.1;
  double normalTolerance = 0.8;
  int reach = 0;
};

struct Reprojected {
  Picture output, length, mask;
};

class ReprojectReference {
 public:
  explicit ReprojectReference(ReprojectParameters parameters) : parameters_(parameters) {}
  // `frame`: its geometry and motion; `carried`: what comes in at `input`.
  Reprojected next(const SvgfFrame& frame, const Picture& carried);

 private:
  struct Tap {
    int x = 0, y = 0;
    double weight = 0;
  };
  std::vector<Tap> validTaps(const SvgfFrame& frame, const Picture& carried, int x, int y) const;

  ReprojectParameters parameters_;
  std::vector<SvgfSurface> surfaces_, earlierSurfaces_;
  Picture lengths_;
};

struct TaaParameters {
  double blend = 0.1;
  double gamma = 1.25;
  bool catmullRom = true;
};

class TaaReference {
 public:
  explicit TaaReference(TaaParameters parameters) : parameters_(parameters) {}
  Picture next(const Picture& colour, const Picture& motion, const std::optional<Picture>& depth);
  // The largest difference by float arithmetic for a device with the same history.
  const Picture& error() const { return error_; }
  // History of the next frame, instead of the last one's own output.
  void remember(const Picture& output) { output_ = output; }

 private:
  TaaParameters parameters_;
  std::optional<Picture> output_;  // of the last frame
  Picture error_;
};

}  // namespace lacuna::test
