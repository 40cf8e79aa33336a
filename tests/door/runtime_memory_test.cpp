// A program's allocator, and a device that is lost, under liblacuna-runtime. What it leaks is reported by the
// validation layers when the renderer destroys its device.

#include "tests/door/recorded.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "graph/record/bundle.h"
#include "tests/door/runtime_library.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

// What Lacuna calls in place of the device's functions.
int allocations = 0;  // by itself
int submissions = 0, waits = 0;
enum class Lost { no, atSubmission, atWait } lost = Lost::no;

VkResult VKAPI_CALL allocateItself(VkDevice device, const VkMemoryAllocateInfo* info,
                                   const VkAllocationCallbacks* with, VkDeviceMemory* memory) {
  ++allocations;
  return vkAllocateMemory(device, info, with, memory);
}

VkResult VKAPI_CALL submitOrLose(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  ++submissions;
  return lost == Lost::atSubmission ? VK_ERROR_DEVICE_LOST : vkQueueSubmit(queue, count, infos, fence);
}

// It waits in fact, since lavapipe isn't lost.
VkResult VKAPI_CALL waitOrLose(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                               uint64_t time) {
  ++waits;
  const VkResult result = vkWaitForFences(device, count, fences, all, time);
  return lost == Lost::atWait ? VK_ERROR_DEVICE_LOST : result;
}

PFN_vkVoidFunction VKAPI_CALL deviceFunctionOrOurs(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkAllocateMemory") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(allocateItself);
  if (std::strcmp(name, "vkQueueSubmit") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(submitOrLose);
  if (std::strcmp(name, "vkWaitForFences") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(waitOrLose);
  return vkGetDeviceProcAddr(device, name);
}

PFN_vkVoidFunction VKAPI_CALL functionOrOurs(VkInstance instance, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(deviceFunctionOrOurs);
  return vkGetInstanceProcAddr(instance, name);
}

// Gives parts of allocations that don't begin at their start.
struct Allocator {
  explicit Allocator(const Renderer& of) : renderer(of) {}

  const Renderer& renderer;
  std::vector<lacuna_request> asked;
  size_t failAt = SIZE_MAX;  // which request gets nothing
  VkDeviceSize shift = 0;    // by which offsets are wrong
  int live = 0;

  static int allocate(void* own, const lacuna_request* request, lacuna_allocation* made) {
    auto& self = *static_cast<Allocator*>(own);
    self.asked.push_back(*request);
    if (self.asked.size() - 1 == self.failAt)
      return -1;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = request->bytes + request->alignment;
    info.memoryTypeIndex = request->type;
    EXPECT_EQ(vkAllocateMemory(self.renderer.device(), &info, nullptr, &made->memory), VK_SUCCESS);
    made->offset = request->alignment + self.shift;
    made->own = &self.live;
    void* mapped = nullptr;
    if (request->mapped != 0) {
      EXPECT_EQ(vkMapMemory(self.renderer.device(), made->memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
      made->mapped = static_cast<std::byte*>(mapped) + made->offset;
    }
    ++self.live;
    return 0;
  }

  static void free(void* own, const lacuna_allocation* made) {
    auto& self = *static_cast<Allocator*>(own);
    EXPECT_EQ(made->own, &self.live);
    vkFreeMemory(self.renderer.device(), made->memory, nullptr);
    --self.live;
  }
};

std::vector<uint64_t> numbersOf(const std::vector<lacuna_request>& requests) {
  std::vector<uint64_t> numbers;
  for (const lacuna_request& each : requests) {
    for (const int32_t number : {static_cast<int32_t>(each.type), each.addresses, each.mapped, each.brief})
      numbers.push_back(static_cast<uint64_t>(number));
    numbers.insert(numbers.end(), {each.bytes, each.alignment});
  }
  return numbers;
}

class RuntimeMemory : public Recorded {
 protected:
  RuntimeMemory() {
    allocations = submissions = waits = 0;
    lost = Lost::no;
    ExportOptions options;
    options.formats = scene.options().formats;
    exportBundle(file, {scene.graph(24, 17), scene.graph(31, 13)}, options);
  }

  std::unique_ptr<OpenedBundle> opened(Allocator* allocator = nullptr) {
    return std::make_unique<OpenedBundle>(renderer, file, [&](lacuna_vulkan& given) {
      given.get_instance_proc_addr = functionOrOurs;
      if (allocator == nullptr)
        return;
      given.allocate = Allocator::allocate;
      given.free = Allocator::free;
      given.own = allocator;
    });
  }

  static std::vector<lacuna_request> requestsOf(const OpenedBundle& bundle, int width, int height) {
    std::vector<lacuna_request> requests(1);
    const auto list = [&] {
      return runtimeLibrary().lacuna_bundle_requests(bundle.bundle, bundle.device, width, height, 0,
                                                     requests.data(), static_cast<uint32_t>(requests.size()));
    };
    requests.resize(list());
    EXPECT_EQ(list(), requests.size()) << runtimeLibrary().error();
    return requests;
  }

  // With a constant, which is uploaded while a pipeline is made: in place of some history.
  void addConstant() const {
    std::ifstream from(file, std::ios::binary);
    Bundle bundle = parseBundle(std::string(std::istreambuf_iterator<char>(from), {}), file);
    for (BundledGraph& graph : bundle.graphs) {
      const auto found = std::ranges::find_if(graph.passes.resources, [](const Resource& resource) {
        return resource.persistent && resource.kind == ResourceKind::buffer;
      });
      ASSERT_NE(found, graph.passes.resources.end());
      found->contents = std::make_shared<const std::vector<std::byte>>(16, std::byte{1});
    }
    std::ofstream(file, std::ios::binary) << bundleText(bundle);
  }

  const Scene scene = temporal();
  Folder folder;
  std::string file = folder.file("graph.lacuna");
};

TEST_F(RuntimeMemory, OfTheProgramIsAskedForAsStatedAndGivesTheBitsOfRuns) {
  const std::vector<Step> steps = {{}, {}, {31, 13}, {31, 13}};
  Allocator allocator(renderer);
  {
    const auto bundle = opened(&allocator);
    std::vector<lacuna_request> stated = requestsOf(*bundle, 24, 17);
    const std::vector<lacuna_request> after = requestsOf(*bundle, 31, 13);
    EXPECT_TRUE(allocator.asked.empty());
    uint64_t bytes = 0;
    for (const lacuna_request& each : stated)
      bytes += each.mapped != 0 ? 0 : each.bytes;
    EXPECT_EQ(bytes, runtimeLibrary().lacuna_bundle_memory(bundle->bundle, bundle->device, 24, 17));
    ASSERT_TRUE(bundle->makePipeline(24, 17)) << runtimeLibrary().error();
    EXPECT_EQ(numbersOf(allocator.asked), numbersOf(stated));
    const Results results =
        recordedBy(renderer, scene, steps, [&](VkCommandBuffer commands, const RecordedFrame& frame) {
          EXPECT_EQ(bundle->record(commands, frame), 0) << runtimeLibrary().error();
        });
    EXPECT_EQ(results, ran(scene, steps));
    stated.insert(stated.end(), after.begin(), after.end());
    EXPECT_EQ(numbersOf(allocator.asked), numbersOf(stated));
    EXPECT_GT(allocator.live, 0);
  }
  EXPECT_EQ(allocator.live, 0);
  EXPECT_EQ(allocations, 0);
}

TEST_F(RuntimeMemory, ThatIsRefusedIsAClearErrorAndNothingIsLeaked) {
  addConstant();
  Allocator allocator(renderer);
  const auto bundle = opened(&allocator);
  const std::vector<lacuna_request> stated = requestsOf(*bundle, 24, 17);
  ASSERT_GE(stated.size(), 4U);
  EXPECT_EQ(std::ranges::count(stated, 1, &lacuna_request::brief), 1);
  const auto expectError = [&](const std::string& part) {
    allocator.asked.clear();
    EXPECT_FALSE(bundle->makePipeline(24, 17));
    EXPECT_NE(runtimeLibrary().error().find(part), std::string::npos) << runtimeLibrary().error();
    EXPECT_EQ(allocator.live, 0);
  };
  for (allocator.failAt = 0; allocator.failAt < stated.size(); ++allocator.failAt) {
    SCOPED_TRACE(allocator.failAt);
    expectError("from the program's allocator");
    EXPECT_NE(runtimeLibrary().error().find("out of device memory"), std::string::npos);
  }
  allocator.shift = 1;
  expectError("the program's allocator returned ");
  allocator.shift = 0;
  // A changed size that doesn't fit leaves the pipeline as it was.
  allocator.asked.clear();
  ASSERT_TRUE(bundle->makePipeline(24, 17)) << runtimeLibrary().error();
  EXPECT_EQ(numbersOf(allocator.asked), numbersOf(stated));
  const int live = allocator.live;
  allocator.failAt = allocator.asked.size();
  const Planes other(renderer, scene, {31, 13}), same(renderer, scene, {});
  renderer.run([&](VkCommandBuffer commands) {
    EXPECT_EQ(bundle->record(commands, other.frame(0)), -1);
    EXPECT_EQ(allocator.live, live);
    EXPECT_EQ(bundle->record(commands, same.frame(0)), 0) << runtimeLibrary().error();
  });
}

TEST_F(RuntimeMemory, NeedsBothFunctions) {
  DeviceInC own(renderer);
  own.given.allocate = Allocator::allocate;
  EXPECT_EQ(runtimeLibrary().lacuna_open_device(&own.given), nullptr);
  EXPECT_NE(runtimeLibrary().error().find("expected allocate and free, or neither"), std::string::npos)
      << runtimeLibrary().error();
}

TEST_F(RuntimeMemory, OfALostDeviceIsFreed) {
  addConstant();
  for (const Lost when : {Lost::atSubmission, Lost::atWait}) {
    const auto bundle = opened();
    lost = when;
    EXPECT_FALSE(bundle->makePipeline(24, 17));
    EXPECT_EQ(runtimeLibrary().error().find(
                  "lacuna: error: device lost while it computed the commands that write constants"),
              0U)
        << runtimeLibrary().error();
    lost = Lost::no;
  }
}

// A renderer notices a lost device when it submits or waits. Recording and closing do neither.
TEST_F(RuntimeMemory, IsFreedWithoutWaiting) {
  auto bundle = opened();
  ASSERT_TRUE(bundle->makePipeline(24, 17)) << runtimeLibrary().error();
  EXPECT_GT(allocations, 0);
  const Planes planes(renderer, scene, {});
  submissions = waits = 0;
  renderer.run([&](VkCommandBuffer commands) {
    EXPECT_EQ(bundle->record(commands, planes.frame(0)), 0) << runtimeLibrary().error();
  });
  bundle.reset();
  EXPECT_EQ(submissions, 0);
  EXPECT_EQ(waits, 0);
}

}  // namespace
}  // namespace lacuna::test
