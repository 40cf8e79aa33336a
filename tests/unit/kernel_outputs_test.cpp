// Kernels without image inputs, and outputs of kernels that nothing reads.

#include <gtest/gtest.h>

#include "graph/frame/limits.h"
#include "graph/nodes/rewrites.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

ParameterDescription side(const std::string& name) {
  ParameterDescription parameter = structural(name, ParameterType::integer, int64_t{0});
  parameter.range = {0, 65536};
  return parameter;
}

// A kernel without inputs: images `colour` and `id` of stated size, and an array `bins`.
ModuleDescription renderModule() {
  ModuleDescription module;
  module.name = "render";
  module.parameters = {side("width"), side("height")};
  NodeDescription trace = node("trace", NodeKind::kernel, {}, {});
  trace.shader = "trace.glsl";
  for (const char* name : {"colour", "id", "bins"}) {
    module.connectors.push_back(connector(name, Direction::output));
    trace.outputs.push_back(output(name, name));
  }
  OutputExtent extent;
  extent.width = "width";
  extent.height = "height";
  for (size_t i = 0; i < 2; ++i) {
    trace.outputs[i].channels = i == 0 ? Channels::rgba : Channels::y;
    trace.outputs[i].format = OrParameter<Format>{i == 0 ? Format::f16 : Format::u32, {}};
    trace.outputs[i].extent = extent;
  }
  trace.outputs[0].colour = ColourTag::rec709;
  trace.outputs[2].arrayCount = 40'000'000;
  module.nodes = {trace};
  return module;
}

struct Render {
  GraphMaker maker;
  Diagnostics diagnostics;
  ModuleId module;

  Render(const ModuleDescription& description, const std::vector<std::string>& read)
      : module(maker.add(description)) {
    maker.set(module, "width", int64_t{33});
    maker.set(module, "height", int64_t{19});
    for (const std::string& name : read) {
      ModuleDescription sink = sinkModule();
      sink.connectors[0].arrayCount = name == "bins" ? anyCount : 0;
      maker.connect(module, name, maker.add(sink, name));
    }
  }

  NodeGraph graph() { return buildNodeGraph({maker.graph}, diagnostics); }
};

TEST(KernelsWithoutImages, HaveTheSizeThatIsStated) {
  Render render(renderModule(), {"colour", "id", "bins"});
  EXPECT_EQ(print(render.graph()),
            "render:01:trace kernel, colour: rgba f16 rec709 33x19, id: y u32 data 33x19, "
            "bins: array of 40000000 y f32\n"
            "sink:colour:file sink, pixels <- render:01:trace.colour\n"
            "sink:id:file sink, pixels <- render:01:trace.id\n"
            "sink:bins:file sink, pixels <- render:01:trace.bins\n");
  EXPECT_EQ(errorText(render.diagnostics), "");
}

TEST(KernelsWithoutImages, SayWhatIsMissing) {
  Render zero(renderModule(), {"id"});
  zero.maker.set(zero.module, "height", int64_t{0});
  zero.graph();
  EXPECT_EQ(errorText(zero.diagnostics),
            "line 10: render:01: 'height' is 0, but there is no image whose height 'colour' could have (give "
            "both sides a size above 0)\n");

  ModuleDescription noExtent = renderModule();
  noExtent.nodes[0].outputs[0].extent.reset();
  Render sizeless(noExtent, {"colour"});
  sizeless.graph();
  EXPECT_EQ(
      errorText(sizeless.diagnostics),
      "line 10: render:01:trace: 'colour' has no image whose size it could have (write extent = { width = "
      "..., height = ... } at the node's output)\n");

  ModuleDescription window = renderModule();
  window.nodes[0].outputs[0].extent->window = true;
  Render relative(window, {"colour"});
  relative.graph();
  EXPECT_EQ(
      errorText(relative.diagnostics),
      "line 10: render:01: there is no image that the extent of 'colour' is relative to (without one an "
      "extent has a width and a height, and nothing else)\n");

  ModuleDescription noFormat = renderModule();
  noFormat.nodes[0].outputs[0].format.reset();
  Render formless(noFormat, {"colour"});
  formless.graph();
  EXPECT_EQ(errorText(formless.diagnostics),
            "line 10: render:01:trace: 'colour' has no image whose channels and format it could have (write "
            "both at "
            "the node's output)\n");
}

TEST(CulledKernel, LosesOutputsButKeepsItsExtent) {
  for (const std::string extentOf : {"", "colour", "id"}) {
    ModuleDescription module = renderModule();
    module.nodes[0].kernel.extentOf = extentOf;
    Render render(module, {"id"});
    const NodeGraph graph = cull(render.graph());
    EXPECT_EQ(print(graph),
              "render:01:trace kernel, id: y u32 data 33x19\n"
              "sink:id:file sink, pixels <- render:01:trace.id\n");
    const FrameGraph schedule = laidOut(graph, {}, render.diagnostics);
    EXPECT_EQ(errorText(render.diagnostics), "");
    ASSERT_EQ(schedule.resources.size(), 1U);
    EXPECT_EQ(schedule.passes.front().groups, (std::array<uint32_t, 3>{3, 2, 1}));
    EXPECT_EQ(schedule.passes.front().roles.size(), 1U);
  }
}

TEST(CulledKernel, CountsAnArrayThatNothingReads) {
  ModuleDescription module = renderModule();
  module.nodes[0].kernel.extentOf = "bins";
  Render render(module, {"id"});
  const FrameGraph schedule = laidOut(cull(render.graph()), {}, render.diagnostics);
  EXPECT_EQ(schedule.passes.front().groups, (std::array<uint32_t, 3>{2'500'000, 1, 1}));
}

// SPIR-V shaders have bindings for all of them.
TEST(CulledKernel, InSpirvKeepsAll) {
  ModuleDescription module = renderModule();
  module.nodes[0].shader = "trace.spv";
  Render render(module, {"id"});
  EXPECT_EQ(cull(render.graph()).nodes.front().outputs.size(), 3U);
}

TEST(LargeArrays, AreToldWhereTheDeviceCantBindThem) {
  DeviceModel device;
  device.maxStorageBufferRange = 128ULL << 20U;
  for (const bool read : {false, true}) {
    Render render(renderModule(),
                  read ? std::vector<std::string>{"id", "bins"} : std::vector<std::string>{"id"});
    const FrameGraph schedule = laidOut(cull(render.graph()), device, render.diagnostics);
    reportLimits(schedule, device, render.diagnostics);
    EXPECT_EQ(
        errorText(render.diagnostics),
        read ? "line 10: the device can't run render:01:trace: buffer render:01:trace.bins has 152.6 MiB "
               "(160000000 bytes), the device binds at most 128.0 MiB and has no buffer addresses\n"
             : "");
  }
}

TEST(LargeArrays, AreReachedByTheirAddressWhereTheDeviceHasAddresses) {
  DeviceModel device;
  device.maxStorageBufferRange = 128ULL << 20U;
  device.bufferAddresses = true;
  Render render(renderModule(), {"id", "bins"});
  const FrameGraph schedule = laidOut(cull(render.graph()), device, render.diagnostics);
  reportLimits(schedule, device, render.diagnostics);
  EXPECT_EQ(errorText(render.diagnostics), "");
  std::map<std::string, bool> byAddress;
  for (const Resource& resource : schedule.resources)
    byAddress[resource.name] = resource.byAddress;
  EXPECT_EQ(byAddress,
            (std::map<std::string, bool>{{"render:01:trace.id", false}, {"render:01:trace.bins", true}}));
  for (const Access& access : schedule.passes.front().accesses)
    EXPECT_EQ(access.byAddress, schedule.resources[access.resource].byAddress);

  device.maxAllocation = 100ULL << 20U;
  reportLimits(schedule, device, render.diagnostics);
  EXPECT_EQ(
      errorText(render.diagnostics),
      "line 10: the device can't run render:01:trace: buffer render:01:trace.bins has 152.6 MiB (160000000 "
      "bytes), the device allocates at most 100.0 MiB at once\n");
}

}  // namespace
}  // namespace lacuna
