// `lacuna bench unet`: the convolutions of cnn-unet, layer by layer, in each of the ways in which it can run,
// beside tables 1 and 2 of Vannson 2023; and the whole of it, with pictures in and out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cnn-unet/network/weights_folder.h"
#include "graph/module/registry.h"
#include "graph/run/bandwidth.h"
#include "tools/bench/device/ceilings.h"
#include "tools/bench/lab.h"
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

std::vector<UnetCandidate> askedCandidates(const BenchArguments& arguments,
                                           const std::vector<UnetCandidate>& all, bool isCpu) {
  if (arguments.schedules.empty())
    return isCpu ? std::vector{all.front()} : all;
  std::vector<std::string> known;
  for (const UnetCandidate& candidate : all)
    known.push_back(candidate.name);
  const auto find = [&](const std::string& name) { return std::find(known.begin(), known.end(), name); };
  checkSchedules(
      arguments, [&](const std::string& name) { return find(name) != known.end(); },
      fmt::format("cnn-unet can't run so; there are {}", fmt::join(known, ", ")));
  std::vector<UnetCandidate> found;
  for (const std::string& name : arguments.schedules)
    found.push_back(all[static_cast<size_t>(find(name) - known.begin())]);
  return found;
}

std::string planesText(const unet::Network& network) {
  std::vector<std::string> names;
  for (const unet::Plane plane : network.input)
    names.emplace_back(plane == unet::Plane::colour ? "input" : unet::nameOf(plane));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int runBenchUnet(const BenchArguments& arguments) {
  const std::vector<std::string> modules = moduleSearchPath(arguments.modules);
  const auto module = describedUnet(modules);
  const std::string weights = weightsFile(arguments.weights, *module);
  const unet::Network network = networkOf(weights);
  Lab lab(arguments);
  const std::vector<UnetCandidate> candidates =
      askedCandidates(arguments, unetCandidates(*module), lab.device.info().isCpu());
  const double bandwidth = copyBandwidth(lab.device);
  const DeviceCeilings ceilings = keptCeilings(lab.device.info());
  Json& json = lab.report.json;
  json["weights"] = weights;
  json["planes"] = planesText(network);
  json["limitSeconds"] = arguments.limitSeconds;
  json["copyBytesPerSecond"] = bandwidth;
  json["ceilings"] = {{"tensorF32PerSecond", ceilings.tensorF32PerSecond},
                      {"tensorF16PerSecond", ceilings.tensorF16PerSecond}};
  json["study"] = unetStudyJson();
  json["tables"] = Json::array();
  lab.report.print(lab.report.printDevice() + unetHead(json));
  for (const Extent size :
       arguments.sizes.empty() ? std::vector<Extent>{{1024, 1024}, {1920, 1080}} : arguments.sizes) {
    UnetBench bench(lab.device, lab.modules, weights, network, size);
    const std::vector<UnetLayerCounts> counts = unetCounts(network, size);
    if (isStudyNetwork(counts))
      json["study"]["doubled"] = unetStudyDoubled(counts);
    Json& table = json["tables"].emplace_back(unetTable(size, counts, bench.pictureBytes(), bandwidth));
    for (const UnetCandidate& candidate : candidates) {
      Json& row = table["rows"].emplace_back(bench.measure(candidate, lab.effort));
      compareUnetRow(table, row);
      lab.report.print(unetRow(table, row));
    }
  }
  lab.report.print(unetSummary(json));
  return lab.report.finish();
}

}  // namespace lacuna
