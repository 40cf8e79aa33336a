#include "graph/schedule/stencil/cost_model.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "graph/families/family.h"

namespace lacuna {
namespace {

constexpr double billion = 1e9;

class TermCounter {
 public:
  TermCounter(const NodeGraph& alone, const FilterWork& work, bool onCpu)
      : graph_(alone), node_(alone.nodes.front()), work_(work), onCpu_(onCpu) {}

  CostTerms count(const Table<PassId, Pass>& passes) {
    for (const Pass& pass : passes) {
      add(CostTerm::bytes, static_cast<double>(pass.bytesRead + pass.bytesWritten));
      add(CostTerm::passes, 1.0);
      if (pass.shader.kind == ShaderKind::stencilLevel)
        levels(pass);
      else
        pointwise(pass);
    }
    return terms_;
  }

 private:
  void add(CostTerm term, double amount) { terms_[static_cast<size_t>(term)] += amount / billion; }

  // Loops over a circle have a condition in them, which saves nothing on CPU devices: they compute both
  // sides.
  double tapsOf(const StencilUse& use) const {
    return onCpu_ && use.loops() ? use.width() * use.height() : use.reached(1, 1);
  }

  static double pixelsOf(const Pass& pass) {
    return static_cast<double>(pass.pushConstants[0]) * static_cast<double>(pass.pushConstants[1]);
  }

  // Every input and output once a pixel: init, synthesis.
  void pointwise(const Pass& pass) {
    const double pixels = pixelsOf(pass);
    for (const Role& role : pass.roles)
      access(role, pixels * static_cast<double>(role.resources.size()));
    const StencilSchedule& schedule = pass.shader.schedule;
    if (pass.shader.kind == ShaderKind::synthesis && schedule.permutes() &&
        schedule.storage == ResourceKind::image)
      add(CostTerm::restored, pixels * (node_.levels - 1.0));
    add(CostTerm::threads, pixels);
    add(CostTerm::arithmetic, pixels * 8.0 * node_.levels);
  }

  void access(const Role& role, double count) {
    if (role.type.isArray())
      return;
    const bool reads = role.kind == AccessKind::read;
    if (role.storage == ResourceKind::image) {
      add(reads ? CostTerm::imageReads : CostTerm::imageWrites, count);
      return;
    }
    add(reads ? CostTerm::bufferReads : CostTerm::bufferWrites, count);
    if (reads)
      add(CostTerm::bufferWords, count * wordsPerPixel(role.type.channels, role.type.format));
  }

  static bool isTap(const Role& role) { return role.name == "state" || role.name.starts_with("feature_"); }

  // CPU devices convert floats where they fetch them; integers, which are fetched as words, cost nothing
  // more.
  bool readsRows(const Role& role, const LevelCost& cost) const {
    const Format format = role.type.format;
    return role.storage == ResourceKind::image && cost.inRows &&
           !(onCpu_ && (format == Format::u8 || format == Format::u16));
  }

  // The body's work, and the cost of threads.
  void filter(const StencilSchedule& schedule, double taps, double pixels, double loads) {
    add(CostTerm::arithmetic,
        pixels * (taps * work_.tap.plain + loads * work_.load.plain + work_.pixel.plain));
    add(CostTerm::special,
        pixels * (taps * work_.tap.special + loads * work_.load.special + work_.pixel.special));
    add(CostTerm::threads, pixels / schedule.pixels());
  }

  // A level, or several in one dispatch, each of which also filters what the next one reads.
  void levels(const Pass& pass) {
    const StencilSchedule& schedule = pass.shader.schedule;
    const std::vector<FusedLevel> fused = schedule.family->fusedLevels({graph_, node_, schedule});
    if (fused.empty())
      level(pass, pass.pushConstants[2], pixelsOf(pass), true, true);
    // Waits between levels within a workgroup take about as long as those between dispatches, so small images
    // gain nothing.
    add(CostTerm::passes, std::max(0.0, static_cast<double>(fused.size()) - 1.0));
    for (const FusedLevel& each : fused) {
      const double pixels = static_cast<double>(pass.groups[0]) * pass.groups[1] * each.width * each.height;
      level(pass, static_cast<int>(&each - fused.data()), pixels, &each == &fused.front(),
            &each == &fused.back());
    }
    for (const Role& role : pass.roles)
      access(role, isTap(role) ? 0.0 : pixelsOf(pass) * static_cast<double>(role.resources.size()));
    if (schedule.permutes() && pass.shader.last && schedule.storage == ResourceKind::image)
      add(CostTerm::restored, pixelsOf(pass));
  }

  // `first` and `last`: of its dispatch.
  void level(const Pass& pass, int number, double pixels, bool first, bool last) {
    const StencilSchedule& schedule = pass.shader.schedule;
    const ValueType state = stateTypeOf(graph_, node_);
    const double stateWords = wordsPerPixel(state.channels, state.format);
    const StencilUse use{graph_, node_, schedule, pass.shader.window};
    const double taps = tapsOf(use);
    // Each reads two pixels.
    const double differences = node_.patch > 0 ? taps * schedule.family->differences(use) : 0.0;
    LevelCost cost = schedule.family->cost(use, {number, first, last, taps + 2.0 * differences,
                                                 static_cast<double>(work_.tapWords), stateWords});
    if (differences > 0.0 && !schedule.shares())
      cost.loads = taps + 2.0 * differences;
    filter(schedule, taps, pixels, cost.loads);
    add(CostTerm::arithmetic, pixels * differences * (work_.difference.plain + 1.0));
    for (const Role& role : pass.roles) {
      if (isTap(role) && (first || role.name != "state")) {
        add(CostTerm::rowReads, readsRows(role, cost) ? pixels * cost.loads : 0.0);
        access(role, pixels * cost.loads);
      }
    }
    add(CostTerm::sharedReads, pixels * cost.sharedReads);
    add(CostTerm::sharedWrites, pixels * cost.sharedWrites);
    add(CostTerm::barriers, pixels * cost.barriers);
    add(CostTerm::permutation, pixels * cost.permutation);
  }

  const NodeGraph& graph_;
  const Node& node_;
  const FilterWork& work_;
  bool onCpu_;
  CostTerms terms_{};
};

struct Constants {
  CostTerms ms;              // for a billion of each
  double freeRegisters = 0;  // words that a thread can hold without slowing down
  double pressure = 0;       // added to the factor for as many again
};

constexpr Constants gpu = {{0.012, 0.1068, 0.238, 0.2861, 0.3872, 0, 0.01864, 0.4523, 0.7253, 5.545, 0.1138,
                            2.58, 1.762, 0.538, 0.08127, 8.431e+06},
                           48,
                           0.45};
constexpr Constants cpu = {
    {8, 291.2, 300, 566.5, 834.6, 0, 36.5, 2500, 500, 607.2, 3212, 0, 7000, 137, 0, 5e7}, 32, 0.1};

}  // namespace

CostTerms costTerms(const NodeGraph& alone, const Table<PassId, Pass>& passes, const FilterWork& work,
                    bool onCpu) {
  return TermCounter(alone, work, onCpu).count(passes);
}

double registerPressure(const StencilUse& use, const FilterWork& work, const DeviceModel& device) {
  // In loops, CPU devices keep in registers what a turn needs; the rest lies in memory anyway.
  if (device.cpu && use.loops())
    return 1.0;
  const Constants& constants = device.cpu ? cpu : gpu;
  const int pixels = use.schedule.pixels();
  const int taps = use.loops() ? tapsTogether(use.width(), pixels) : use.width();
  const double words =
      static_cast<double>(work.pixelWords) * pixels + static_cast<double>(work.tapWords) * taps;
  return 1.0 + constants.pressure * std::max(0.0, words / constants.freeRegisters - 1.0);
}

double estimateMs(const NodeGraph& alone, const StencilSchedule& schedule, const Table<PassId, Pass>& passes,
                  const FilterWork& work, const DeviceModel& device) {
  const CostTerms terms = costTerms(alone, passes, work, device.cpu);
  const Constants& constants = device.cpu ? cpu : gpu;
  return std::inner_product(terms.begin(), terms.end(), constants.ms.begin(), 0.0) *
         registerPressure({alone, alone.nodes.front(), schedule}, work, device);
}

double estimateCompileMs(const NodeGraph& alone, const Table<PassId, Pass>& passes) {
  constexpr double msPerTap = 15.0;   // SPIRV-Tools and lavapipe's LLVM, a core of an EPYC
  constexpr double fusedTimes = 4.0;  // loops with barriers take this much longer
  constexpr int unrolledRows = 8;     // LLVM unrolls loops of so few turns itself
  const Node& node = alone.nodes.front();
  std::set<std::tuple<bool, bool, bool, int>> compiled;
  double taps = 0.0;
  for (const Pass& pass : passes) {
    const ShaderSpec& spec = pass.shader;
    if (spec.kind != ShaderKind::stencilLevel)
      continue;
    const StencilSchedule& schedule = spec.schedule;
    const int level = schedule.family->fixesLevel() ? pass.pushConstants[2] : 0;
    if (compiled.emplace(spec.first, spec.last, spec.tapped, level).second) {
      const StencilUse use{alone, node, schedule};
      const auto fused = static_cast<double>(schedule.family->fusedLevels(use).size());
      const int rows = use.loops() && use.height() > unrolledRows ? 1 : use.height();
      const int columns = use.loops() ? tapsTogether(use.width(), schedule.pixels()) : use.width();
      taps += std::max(1.0, fused * fusedTimes) * rows * columns * schedule.pixels();
    }
  }
  return msPerTap * taps;
}

}  // namespace lacuna
