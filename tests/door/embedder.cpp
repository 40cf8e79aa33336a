#include "tests/door/embedder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {

Device& sharedDevice() {
  static Device device = [] {
    DeviceOptions options;
    const char* select = std::getenv("LACUNA_TEST_DEVICE");
    options.select = select == nullptr ? "" : select;
    options.validates = std::getenv("LACUNA_TEST_NO_VALIDATION") == nullptr;
    return Device(options);
  }();
  return device;
}

std::string aroundModule(const std::string& module) {
  return graphText("i-memory:in " + module + " o-memory:out\n");
}

GraphOptions treeModules() {
  GraphOptions options;
  options.modules = {moduleFolder()};
  return options;
}

GraphOptions optionsFor(const ImageType& type) {
  GraphOptions options = treeModules();
  options.images["i-memory:in"] = type;
  return options;
}

size_t numbersIn(int width, int height, int components) {
  return static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(components);
}

std::vector<float> variedPixels(int width, int height, int seed) {
  std::vector<float> pixels(numbersIn(width, height, 4));
  for (size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = i % 4 == 3
                    ? 1.0F
                    : 0.1F + 0.8F * static_cast<float>((i * 37 + static_cast<size_t>(seed)) % 101) / 100;
  }
  return pixels;
}

ConstImageView viewed(const std::vector<float>& pixels, int width, int height) {
  return {.pixels = pixels.data(), .width = width, .height = height};
}

ImageView viewed(std::vector<float>& pixels, int width, int height) {
  return {.pixels = pixels.data(), .width = width, .height = height};
}

Error errorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::other, "nothing was thrown"};
}

void Validated::TearDown() {
  static size_t seen = 0;
  const std::vector<std::string> messages = sharedDevice().validationMessages();
  for (; seen < messages.size(); ++seen)
    ADD_FAILURE() << messages[seen];
}

}  // namespace lacuna::test
