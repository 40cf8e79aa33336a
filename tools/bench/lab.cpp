#include "tools/bench/lab.h"

#include "graph/module/registry.h"

namespace lacuna {
namespace {

vk::DeviceOptions optionsOf(const BenchArguments& arguments) {
  vk::DeviceOptions options;
  options.select = arguments.device;
  options.shaderStatistics = arguments.statistics;
  return options;
}

}  // namespace

Lab::Lab(const BenchArguments& given)
    : arguments(given),
      device(optionsOf(given)),
      modules(moduleSearchPath(given.modules)),
      effort{given.runs, given.limitSeconds, given.preheatMs},
      report(given, device.info()) {}

}  // namespace lacuna
