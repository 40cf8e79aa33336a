#pragma once
// The module cnn-unet in a separate folder, with other weights than those that ship.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "graph/files/own_place.h"
#include "tests/support/places.h"

namespace lacuna::test {

class OwnWeights {
 public:
  // modules/cnn-unet is made in `folder`, the test's.
  explicit OwnWeights(const std::string& folder) : modules_(folder + "/modules") {
    namespace fs = std::filesystem;
    const fs::path own = modules_ + "/cnn-unet";
    fs::create_directories(own / "weights");
    for (const auto& file : fs::directory_iterator(fs::path(moduleFolder()) / "cnn-unet"))
      if (file.is_regular_file())
        fs::copy(file, own);
    if (!fs::exists(own / "module.so"))
      fs::copy(builtModuleFolder("cnn-unet") + "/module.so", own);
  }

  // Returns the file's path.
  std::string write(const std::string& name, const std::string& content) const {
    std::string path = modules_ + "/cnn-unet/weights/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  const std::string& folder() const { return modules_; }
  std::vector<std::string> modules() const { return {modules_, moduleFolder()}; }

 private:
  std::string modules_;
};

}  // namespace lacuna::test
