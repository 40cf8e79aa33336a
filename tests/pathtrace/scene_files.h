#pragma once
// A scene made in code as the files that the module reads.

#include <filesystem>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace::reference {

// A folder of its own, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Writes a scene file, and a Wavefront OBJ file a mesh; returns the former's path. Names of the scene are not
// kept. Images that have pixels become PFM files; others are named by their files.
std::string writeScene(const Scene& scene, const std::filesystem::path& folder);

}  // namespace lacuna::pathtrace::reference
