#include "cnn-unet/find_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cnn-unet/network/weights_folder.h"
#include "graph/lists.h"

namespace lacuna::unet {
namespace {

namespace fs = std::filesystem;

const char* connectorOf(Plane plane) {
  return plane == Plane::colour   ? "input"
         : plane == Plane::mosaic ? "input (a mosaic)"
         : plane == Plane::warped ? "motion"
                                  : nameOf(plane);
}

// That of a plane's noise.
const char* noiseConnector(bool isMosaic) {
  return isMosaic ? "sensor" : "noise";
}

std::string listOf(const std::vector<Plane>& planes) {
  std::vector<std::string> names;
  for (const Plane plane : planes)
    names.emplace_back(plane == Plane::sigma ? noiseConnector(contains(planes, Plane::mosaic))
                                             : connectorOf(plane));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Plane> connectedPlanes(const native::Call& call, const native::Planes& inputs) {
  const bool isMosaic = inputs[0].type->channels == lacuna_mosaic;
  if (inputs.find(noiseConnector(!isMosaic)) != nullptr)
    throw native::Error(fmt::format(
        "{}: '{}' is for {}, but 'input' is {}; connect {}", call.instance(), noiseConnector(!isMosaic),
        isMosaic ? "colours" : "a mosaic", isMosaic ? "a mosaic" : "colours",
        isMosaic ? "rawprep's output 'sensor' to 'sensor'" : "eaw's output 'noise' to 'noise'"));
  std::vector<Plane> planes = {isMosaic ? Plane::mosaic : Plane::colour};
  for (const Plane plane : {Plane::albedo, Plane::normal, Plane::depth, Plane::warped, Plane::filtered})
    if (inputs.find(connectorOf(plane)) != nullptr)
      planes.push_back(plane);
  if (inputs.find(noiseConnector(isMosaic)) != nullptr)
    planes.push_back(Plane::sigma);
  std::ranges::sort(planes);
  return planes;
}

std::vector<std::string> fittingIn(const fs::path& folder, const std::vector<Plane>& planes) {
  std::vector<std::string> names;
  for (const WeightsFile& file : weightsIn(folder.string()))
    if (file.planes == planes)
      names.push_back(fs::path(file.path).filename().string());
  return names;
}

fs::path ownFolder(const native::Call& call) {
  return fs::path(call.moduleFolder()) / "weights";
}

// Normals and depth may be missing beside albedo (features.glsl): these weights still have less error than
// those for colour alone.
bool serve(const std::vector<Plane>& weights, const std::vector<Plane>& connected) {
  const auto has = [](const std::vector<Plane>& planes, Plane plane) { return contains(planes, plane); };
  return std::ranges::all_of(connected, [&](Plane plane) { return has(weights, plane); }) &&
         has(weights, Plane::warped) == has(connected, Plane::warped) &&
         has(weights, Plane::filtered) == has(connected, Plane::filtered) &&
         (weights.size() == connected.size() || has(connected, Plane::albedo));
}

std::string ownFile(const native::Call& call, const std::vector<Plane>& planes) {
  const fs::path folder = ownFolder(call);
  std::vector<std::string> choices;
  std::optional<WeightsFile> best;
  for (const WeightsFile& file : weightsIn(folder.string())) {
    if (serve(file.planes, planes) && (!best || file.planes.size() < best->planes.size()))
      best = file;
    choices.push_back(file.planes.empty() ? file.mistake
                                          : fmt::format("{} ({})", listOf(file.planes),
                                                        fs::path(file.path).filename().string()));
  }
  if (best)
    return best->path;
  if (choices.empty())
    throw FileError(fmt::format("{}: there are no weights in {}; expected a .safetensors file in 'weights'",
                                call.instance(), folder.string()));
  throw FileError(fmt::format(
      "{0}: no weights in {2} are for the connected {1}; expected one of: {3}; or a file in 'weights'",
      call.instance(), listOf(planes), folder.string(), fmt::join(choices, "; ")));
}

// Suggestions for a file that doesn't fit.
std::string othersThatFit(const native::Call& call, const fs::path& path, const std::vector<Plane>& planes) {
  std::vector<std::string> texts;
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  if (const auto names = fittingIn(folder, planes); !names.empty())
    texts.push_back(fmt::format("in {} these do: {}", folder.string(), fmt::join(names, ", ")));
  if (const auto names = fittingIn(ownFolder(call), planes); !names.empty())
    texts.push_back(fmt::format("without 'weights' {} is taken", names.front()));
  return texts.empty() ? fmt::format("no file in {} does", folder.string())
                       : fmt::format("{}", fmt::join(texts, "; "));
}

Network namedNetwork(const native::Call& call, const std::string& name, const std::vector<Plane>& planes) {
  const fs::path path = (fs::path(call.graphFolder()) / name).lexically_normal();
  Network network = readNetwork(path.string(), transferNamed(call.word("transfer")));
  if (sortedPlanes(network) != planes)
    throw FileError(fmt::format("{}: these weights are for {}, but {} are connected; {}", path.string(),
                                listOf(sortedPlanes(network)), listOf(planes),
                                othersThatFit(call, path, planes)));
  return network;
}

}  // namespace

Network networkFor(const native::Call& call, const native::Planes& inputs) {
  const std::vector<Plane> planes = connectedPlanes(call, inputs);
  const std::string name = call.word("weights");
  try {
    return name.empty() ? readNetwork(ownFile(call, planes), transferNamed(call.word("transfer")))
                        : namedNetwork(call, name, planes);
  } catch (const FileError& error) {
    throw native::Error(error.what(), "weights");
  }
}

}  // namespace lacuna::unet
