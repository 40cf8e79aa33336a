#include "tests/cnn_unet/golden_file.h"

#include <filesystem>

#include "tests/support/places.h"

namespace lacuna::test {
namespace {

std::string goldenPath(const std::string& name) {
  return testFolder() + "/cnn_unet/golden/" + name + ".safetensors";
}

unet::Safetensors readSafetensors(const std::string& path) {
  unet::WeightsStream stream(path);
  return unet::Safetensors(stream);
}

std::vector<double> numbersOf(const unet::Safetensors& file, const unet::Tensor& tensor) {
  const std::vector<float> values = unet::floatsOf(tensor, file.data(tensor));
  return {values.begin(), values.end()};
}

}  // namespace

GoldenFile::GoldenFile(const std::string& weights, const std::string& size)
    : file_(readSafetensors(goldenPath(weights + "-" + size))), weights_(goldenPath(weights)) {
  if (!std::filesystem::exists(weights_))
    weights_ = moduleFolder() + "/cnn-unet/weights/" + weights + ".safetensors";
}

RenderPlanes GoldenFile::planes(const std::string& frame) const {
  RenderPlanes planes;
  for (const std::string plane : {"colour", "albedo", "normal", "depth", "motion", "filtered"})
    if (file_.tensors().contains(plane + frame))
      planes[plane == "colour" ? "input" : plane] = image(plane + frame);
  return planes;
}

Channelled GoldenFile::image(const std::string& name) const {
  const unet::Tensor& tensor = file_.tensors().at(name);
  Channelled out(static_cast<int>(tensor.shape.at(0)), static_cast<int>(tensor.shape.at(1)),
                 static_cast<int>(tensor.shape.at(2)));
  out.values = numbersOf(file_, tensor);
  return out;
}

bool GoldenFile::isWhole(const std::string& name) const {
  return file_.tensors().at(name).shape.size() == 3;
}

std::vector<double> GoldenFile::samples(const std::string& name) const {
  return isWhole(name) ? std::vector<double>{} : numbersOf(file_, file_.tensors().at(name));
}

}  // namespace lacuna::test
