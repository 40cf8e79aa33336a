#include "cnn-unet/network/weights_folder.h"

#include <algorithm>
#include <filesystem>

namespace lacuna::unet {

namespace fs = std::filesystem;

std::vector<Plane> sortedPlanes(const Network& network) {
  std::vector<Plane> planes = network.input;
  if (std::erase(planes, Plane::accumulated) > 0 && std::ranges::count(planes, Plane::warped) == 0)
    planes.push_back(Plane::warped);
  std::ranges::sort(planes);
  return planes;
}

std::vector<WeightsFile> weightsIn(const std::string& folder) {
  std::vector<WeightsFile> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().extension() == ".safetensors")
      files.push_back({entry->path().string(), {}, {}});
  std::ranges::sort(files, [](const auto& a, const auto& b) { return a.path < b.path; });
  for (WeightsFile& file : files)
    try {
      file.planes = sortedPlanes(readDescription(file.path));
    } catch (const FileError& error) {
      file.mistake = error.what();
    }
  return files;
}

}  // namespace lacuna::unet
