// `lacuna bench unet`: the convolutions of cnn-unet, layer by layer, in each of the ways in which it can run,
// beside tables 1 and 2 of Vannson 2023; and the whole of it, with pictures in and out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cnn-unet/network/weights_folder.h"
#include "graph/module/registry.h"
#include "graph/run/bandwidth.h"
#include "tools/bench/device/ceilings.h"
#include "tools/bench/unet/measure.h"
#include "tools/bench/unet/study.h"
#include "tools/bench/unet/tables.h"

namespace lacuna {
namespace {

std::shared_ptr<const ModuleDescription> describedUnet(const std::vector<std::string>& modules) {
  Diagnostics diagnostics;
  auto module = Registry(modules).find("cnn-unet", diagnostics);
  if (module == nullptr)
    throw BenchMistake(diagnostics.hasErrors() ? diagnostics.render()
                                               : "lacuna: there is no module cnn-unet\n");
  return module;
}

// The module's own for what the study's network takes, unless another file is asked for.
std::string weightsFile(const std::string& asked, const ModuleDescription& module) {
  if (!asked.empty())
    return asked;
  const std::string folder = module.folder + "/weights";
  for (const unet::WeightsFile& file : unet::weightsIn(folder))
    if (file.planes == std::vector{unet::Plane::colour, unet::Plane::normal, unet::Plane::depth})
      return file.path;
  throw BenchMistake(fmt::format(
      "lacuna: {} has no weights for input, normal and depth; expected --weights FILE, by tools/train\n",
      folder));
}

unet::Network networkOf(const std::string& weights) {
  try {
    return unet::readDescription(weights);
  } catch (const unet::FileError& error) {
    throw BenchMistake(fmt::format("lacuna: --weights {}\n", error.what()));
  }
}

// Throws BenchMistake: names that mean none, all of them.
std::vector<UnetCandidate> askedCandidates(const std::vector<UnetCandidate>& all,
                                           const std::vector<std::string>& asked, bool isCpu) {
  if (asked.empty())
    return isCpu ? std::vector{all.front()} : all;
  std::vector<UnetCandidate> found;
  std::vector<std::string> known;
  for (const UnetCandidate& candidate : all)
    known.push_back(candidate.name);
  std::string wrong;
  for (const std::string& name : asked) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      wrong += fmt::format("lacuna: --schedule {}: cnn-unet can't run so; there are {}\n", name,
                           fmt::join(known, ", "));
    else
      found.push_back(all[static_cast<size_t>(at - known.begin())]);
  }
  if (!wrong.empty())
    throw BenchMistake(wrong);
  return found;
}

std::string planesText(const unet::Network& network) {
  std::vector<std::string> names;
  for (const unet::Plane plane : network.input)
    names.emplace_back(plane == unet::Plane::colour ? "input" : unet::nameOf(plane));
  return fmt::format("{}", fmt::join(names, ", "));
}

int measureUnet(const BenchArguments& arguments, const std::vector<Extent>& sizes) {
  const std::vector<std::string> modules = moduleSearchPath(arguments.modules);
  const auto module = describedUnet(modules);
  const std::string weights = weightsFile(arguments.weights, *module);
  const unet::Network network = networkOf(weights);
  vk::DeviceOptions options;
  options.select = arguments.device;
  vk::Device device(options);
  const std::vector<UnetCandidate> candidates =
      askedCandidates(unetCandidates(*module), arguments.schedules, device.info().isCpu());
  const double bandwidth = copyBandwidth(device);
  const DeviceCeilings ceilings = keptCeilings(device.info());
  Report report(arguments, device.info());
  Json& json = report.json;
  json["weights"] = weights;
  json["planes"] = planesText(network);
  json["limitSeconds"] = arguments.limitSeconds;
  json["copyBytesPerSecond"] = bandwidth;
  json["ceilings"] = {{"tensorF32PerSecond", ceilings.tensorF32PerSecond},
                      {"tensorF16PerSecond", ceilings.tensorF16PerSecond}};
  json["study"] = unetStudyJson();
  json["tables"] = Json::array();
  report.print(report.printDevice() + unetHead(json));
  for (const Extent size : sizes) {
    UnetBench bench(device, modules, weights, network, size);
    const std::vector<UnetLayerCounts> counts = unetCounts(network, size);
    if (isStudyNetwork(counts))
      json["study"]["doubled"] = unetStudyDoubled(counts);
    Json& table = json["tables"].emplace_back(unetTable(size, counts, bench.pictureBytes(), bandwidth));
    for (const UnetCandidate& candidate : candidates) {
      table["rows"].push_back(
          bench.measure(candidate, {arguments.runs, arguments.limitSeconds, arguments.preheatMs}));
      compareUnetRow(table, table["rows"].back());
      report.print(unetRow(table, table["rows"].back()));
    }
  }
  report.print(unetSummary(json));
  return report.finish();
}

}  // namespace

int runBenchUnet(const BenchArguments& arguments) {
  return measureUnet(
      arguments, arguments.sizes.empty() ? std::vector<Extent>{{1024, 1024}, {1920, 1080}} : arguments.sizes);
}

}  // namespace lacuna
