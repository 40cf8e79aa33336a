#pragma once
// The module cnn-unet on pictures of a size, in each of the ways in which it can run.

#include <string>
#include <vector>

#include "cnn-unet/network/network.h"
#include "graph/module/description.h"
#include "graph/run/session.h"
#include "tools/bench/check.h"
#include "tools/bench/images.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"

namespace lacuna {

// A value of one of the module's structural choices, or one of its variants; the rest is as by default.
struct UnetCandidate {
  std::string name;            // the value's or the variant's
  std::string parameter = {};  // empty: a variant, or the defaults
};

// The first one is the default, which no other parameter's default repeats. Values that several parameters
// have are called PARAMETER=VALUE.
std::vector<UnetCandidate> unetCandidates(const ModuleDescription& module);

class UnetBench {
 public:
  // `weights`: a file for `network`.
  UnetBench(vk::Device& device, std::vector<std::string> modules, std::string weights,
            const unet::Network& network, Extent size);

  double pictureBytes() const;
  // Throws BenchMistake: the module can't be used at all.
  Json measure(const UnetCandidate& candidate, const BenchEffort& effort);

 private:
  std::string graphText(const UnetCandidate& candidate) const;
  void bring(Session& session) const;

  vk::Device& device_;
  std::vector<std::string> modules_;
  std::string weights_;
  const unet::Network& network_;
  BenchImages images_;
  ExpectedPicture expected_;  // the first candidate's
};

}  // namespace lacuna
