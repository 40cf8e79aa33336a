#include "tests/door/runtime_library.h"

namespace lacuna::test {

DeviceInC::DeviceInC(const Renderer& renderer) {
  for (const std::string& extension : renderer.given().extensions)
    extensions.push_back(extension.c_str());
  given.size = sizeof given;
  given.instance = renderer.given().instance;
  given.physical_device = renderer.given().physicalDevice;
  given.device = renderer.device();
  given.get_instance_proc_addr = renderer.given().getInstanceProcAddr;
  given.features = renderer.given().features;
  given.extensions = extensions.data();
  given.extension_count = static_cast<uint32_t>(extensions.size());
}

OpenedBundle::OpenedBundle(const Renderer& renderer, const std::string& file,
                           const std::function<void(lacuna_vulkan&)>& change) {
  const RuntimeLibrary& library = runtimeLibrary();
  DeviceInC own(renderer);
  change(own.given);
  device = library.lacuna_open_device(&own.given);
  EXPECT_NE(device, nullptr) << library.error();
  bundle = library.lacuna_open_bundle(file.c_str());
  EXPECT_NE(bundle, nullptr) << library.error();
}

OpenedBundle::~OpenedBundle() {
  runtimeLibrary().lacuna_close_bundle(bundle);  // pipelines outlive it
  runtimeLibrary().lacuna_close_pipeline(pipeline);
  runtimeLibrary().lacuna_close_device(device);
}

bool OpenedBundle::makePipeline(int width, int height) {
  pipeline = runtimeLibrary().lacuna_bundle_pipeline(bundle, device, width, height, 0);
  return pipeline != nullptr;
}

int OpenedBundle::record(VkCommandBuffer commands, const RecordedFrame& frame) {
  std::vector<lacuna_memory> memory;
  for (const auto* images : {&frame.sources, &frame.sinks}) {
    for (const auto& [name, image] : *images)
      memory.push_back({name.c_str(), image.buffer, image.offset, image.image, image.view, image.layout,
                        image.width, image.height});
  }
  std::vector<const char*> parameters;
  for (const std::string& parameter : frame.parameters)
    parameters.push_back(parameter.c_str());
  lacuna_frame given{};
  given.size = sizeof given;
  given.number = frame.number;
  given.cuts = frame.cuts ? 1 : 0;
  given.memory = memory.data();
  given.memory_count = static_cast<uint32_t>(memory.size());
  given.parameters = parameters.data();
  given.parameter_count = static_cast<uint32_t>(parameters.size());
  return runtimeLibrary().lacuna_record(pipeline, commands, &given);
}

}  // namespace lacuna::test
