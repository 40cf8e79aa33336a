// Bundles, recorded by liblacuna-runtime alone: results are those of Pipeline::run() to the last bit.

#include "tests/door/recorded.h"

#include <elf.h>
#include <link.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "graph/record/bundle.h"
#include "tests/door/runtime_library.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

using Sizes = std::vector<std::pair<int, int>>;

class Bundles : public Recorded {
 protected:
  using Recorded::Recorded;
  Folder folder;
  std::string file = folder.file("graph.lacuna");

  void write(const Scene& scene, const Sizes& sizes, ExportOptions options = {}) const {
    options.formats = scene.options().formats;
    std::vector<Graph> graphs;
    for (const auto& [width, height] : sizes)
      graphs.push_back(scene.graph(width, height));
    exportBundle(file, graphs, options);
  }

  std::string text() const {
    std::ifstream from(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }

  Results recordedFrom(const Scene& scene, const std::vector<Step>& steps, int* copies = nullptr) {
    OpenedBundle opened(renderer, file);
    EXPECT_TRUE(opened.makePipeline(steps.front().width, steps.front().height)) << runtimeLibrary().error();
    if (opened.pipeline == nullptr)
      return {};
    return recordedBy(
        renderer, scene, steps,
        [&](VkCommandBuffer commands, const RecordedFrame& frame) {
          EXPECT_EQ(opened.record(commands, frame), 0) << runtimeLibrary().error();
        },
        copies);
  }
};

class NetworkBundles : public Bundles {
 protected:
  NetworkBundles() : Bundles(true) {}
};

std::string mistakeIn(const std::string& bytes) {
  const RuntimeLibrary& library = runtimeLibrary();
  lacuna_bundle* opened = library.lacuna_open_bundle_bytes(bytes.data(), bytes.size(), "graph.lacuna");
  const std::string error = opened == nullptr ? library.error() : "";
  library.lacuna_close_bundle(opened);
  return error;
}

TEST_F(Bundles, PointwiseGraphsGiveTheBitsOfRuns) {
  const std::vector<Step> steps(3);
  for (const VkFormat image : {VK_FORMAT_UNDEFINED, VK_FORMAT_R32G32B32A32_SFLOAT}) {
    const Scene scene = pointwise(colour(PixelFormat::f32, image), colour(PixelFormat::f32, image));
    write(scene, {{24, 17}});
    int copies = -1;
    EXPECT_EQ(recordedFrom(scene, steps, &copies), ran(scene, steps));
    EXPECT_EQ(copies, 0);
  }
}

TEST_F(Bundles, SvgfWithFramesInFlightACutAndAResize) {
  const Scene scene = temporal();
  const std::vector<Step> steps = {{}, {}, {}, {31, 13}, {31, 13}, {31, 13, true}, {31, 13}};
  write(scene, {{24, 17}, {31, 13}});
  EXPECT_EQ(recordedFrom(scene, steps), ran(scene, steps));
}

TEST_F(Bundles, SchedulesForADeviceGiveTheSameBits) {
  const Scene scene = temporal();
  const std::vector<Step> steps(3);
  ExportOptions options;
  options.device = &sharedDevice();
  write(scene, {{24, 17}}, options);
  EXPECT_EQ(recordedFrom(scene, steps), ran(scene, steps));
}

// A value that the next frame needs as well, beside one that all earlier frames add to.
TEST_F(Bundles, FeedbackGivesTheBitsOfRuns) {
  const PlaneType plane = colour(PixelFormat::f32, VK_FORMAT_R32G32B32A32_SFLOAT);
  const Scene scene{"i-memory:in blend accum o-memory:out\ni-memory:in back~blend\n",
                    {{"i-memory:in", plane}},
                    {{"o-memory:out", plane}},
                    {"blend:01:opacity=0.25"}};
  std::vector<Step> steps(5);
  steps[3].cuts = true;
  write(scene, {{24, 17}});
  EXPECT_EQ(recordedFrom(scene, steps), ran(scene, steps));
}

// Variants for different devices round differently, so both are for the renderer's.
TEST_F(NetworkBundles, HaveTheirWeightsWithThem) {
  const Scene scene{"i-memory:in cnn-unet o-memory:out\n",
                    {{"i-memory:in", colour(PixelFormat::f16, VK_FORMAT_R16G16B16A16_SFLOAT)}},
                    {{"o-memory:out", colour(PixelFormat::f16)}}};
  const std::vector<Step> steps(2);
  Device device = givenDevice(renderer.given());
  ExportOptions options;
  options.device = &device;
  write(scene, {{24, 17}}, options);
  Pipeline pipeline = recordedPipeline(device, scene.graph(24, 17), scene.options());
  EXPECT_EQ(recordedFrom(scene, steps),
            recordedBy(renderer, scene, steps, [&](VkCommandBuffer commands, const RecordedFrame& frame) {
              lacuna::record(pipeline, commands, frame);
            }));
}

TEST_F(Bundles, ParametersAndKeyframesChangeByFrame) {
  const Scene scene{
      "i-memory:in exposure o-memory:out\nkeyframe:0:exposure:01:stops:0\nkeyframe:2:exposure:01:stops:2\n",
      {{"i-memory:in", colour(PixelFormat::f32)}},
      {{"o-memory:out", colour(PixelFormat::f32)}}};
  const std::vector<Step> steps(3);
  write(scene, {{24, 17}});
  EXPECT_EQ(recordedFrom(scene, steps), ran(scene, steps));
  OpenedBundle opened(renderer, file);
  ASSERT_TRUE(opened.makePipeline(24, 17)) << runtimeLibrary().error();
  const Planes planes(renderer, scene, {});
  const std::vector<float> from = numbersOf(scene.sources.at("i-memory:in"), 24, 17, 0);
  renderer.run([&](VkCommandBuffer commands) {
    planes.sources.at("i-memory:in")->bring(commands, from);
    RecordedFrame frame = planes.frame(0);
    for (const auto& [parameter, part] :
         {std::pair("exposure:01:stops=33", "'stops' is 33, but must be -32 to 32"),
          std::pair("exposure:01:stops=\"3", "a quoted string without its closing quote"),
          std::pair("exposure:01:stops=3:3", "'stops'"),
          std::pair("exposure:01:stop=3", "no shader of the graph reads a parameter 'exposure:01:stop'")}) {
      frame.parameters = {parameter};
      EXPECT_EQ(opened.record(commands, frame), -1);
      EXPECT_NE(runtimeLibrary().error().find(part), std::string::npos) << runtimeLibrary().error();
    }
    frame.parameters = {"exposure:01:stops=\"3\""};
    EXPECT_EQ(opened.record(commands, frame), 0) << runtimeLibrary().error();
    planes.sinks.at("o-memory:out")->fetch(commands);
  });
  const std::vector<float> to = planes.sinks.at("o-memory:out")->fetched();
  for (size_t i = 0; i < to.size(); i += 4)
    ASSERT_FLOAT_EQ(to[i], 8 * from[i]) << i;
}

TEST_F(Bundles, StateSizesEndsMemoryAndNeeds) {
  const RuntimeLibrary& library = runtimeLibrary();
  const Scene scene = temporal();
  write(scene, {{24, 17}, {31, 13}});
  OpenedBundle opened(renderer, file);
  uint32_t count = 0;
  const lacuna_bundle_size* sizes = library.lacuna_bundle_sizes(opened.bundle, &count);
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(sizes[1].width, 31);
  EXPECT_EQ(sizes[1].height, 13);
  ASSERT_EQ(sizes[0].source_count, 5U);
  ASSERT_EQ(sizes[0].sink_count, 1U);
  for (uint32_t i = 0; i < 5; ++i) {
    const lacuna_end& end = sizes[0].sources[i];
    const PlaneType& plane = scene.sources.at(end.name);
    EXPECT_EQ(end.image, plane.format) << end.name;
    EXPECT_EQ(static_cast<int>(end.channels), static_cast<int>(plane.type.channels)) << end.name;
    EXPECT_EQ(static_cast<int>(end.format), static_cast<int>(plane.type.format)) << end.name;
    EXPECT_EQ(end.width, 24) << end.name;
  }
  const std::string needs = library.lacuna_bundle_needs(opened.bundle, 0);
  EXPECT_NE(needs.find("needs extension VK_KHR_synchronization2\n"), std::string::npos) << needs;
  EXPECT_NE(needs.find("needs feature scalarBlockLayout\n"), std::string::npos) << needs;
  Device device = givenDevice(renderer.given());
  RecordOptions options = scene.options();
  options.pipeline.schedules = {"baseline"};
  ExportOptions exported;
  exported.pipeline = options.pipeline;
  exported.device = &device;
  write(scene, {{24, 17}}, exported);
  OpenedBundle same(renderer, file);
  EXPECT_EQ(library.lacuna_bundle_memory(same.bundle, same.device, 24, 17),
            recordedPipeline(device, scene.graph(24, 17), options).plan().memoryBytes);
}

TEST_F(Bundles, OtherSizesAreRefusedWithThoseThatThereAre) {
  const Scene scene = pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32));
  write(scene, {{24, 17}, {31, 13}});
  OpenedBundle opened(renderer, file);
  EXPECT_FALSE(opened.makePipeline(24, 18));
  EXPECT_EQ(runtimeLibrary().error(),
            "lacuna: error: " + file + " has no graph for 24x18; it was exported for 24x17 or 31x13");
  EXPECT_EQ(runtimeLibrary().lacuna_bundle_memory(opened.bundle, opened.device, 24, 18), 0U);
  ASSERT_TRUE(opened.makePipeline(24, 17)) << runtimeLibrary().error();
  const Planes planes(renderer, scene, {8, 4}), right(renderer, scene, {});
  renderer.run([&](VkCommandBuffer commands) {
    EXPECT_EQ(opened.record(commands, planes.frame(0)), -1);
    EXPECT_EQ(runtimeLibrary().error(), "lacuna: error: record: i-memory:in has 8x4 pixels; " + file +
                                            " was exported for 24x17 or 31x13, for all sources alike");
    EXPECT_EQ(opened.record(commands, right.frame(0)), 0) << runtimeLibrary().error();
  });
}

TEST_F(Bundles, MissingFeaturesAreNamed) {
  constexpr uint32_t opCapability = 2U << 16U | 17U, float16 = 9, storage16 = 4433;
  write(pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32)), {{24, 17}});
  Bundle bundle = parseBundle(text(), file);
  for (auto& words : bundle.graphs.front().spirv) {
    if (words == nullptr)
      continue;
    vk::Spirv changed = *words;
    changed.insert(changed.begin() + 5, {opCapability, float16, opCapability, storage16});
    words = std::make_shared<const vk::Spirv>(changed);
  }
  bundle.graphs.front().lanes = 999;
  std::ofstream(file, std::ios::binary) << bundleText(bundle);
  OpenedBundle opened(renderer, file);
  EXPECT_FALSE(opened.makePipeline(24, 17));
  const std::string error = runtimeLibrary().error();
  EXPECT_NE(
      error.find(" needs shaderFloat16, storageBuffer16BitAccess, subgroups of 999 invocations; the device"),
      std::string::npos)
      << error;
  const std::string needs = runtimeLibrary().lacuna_bundle_needs(opened.bundle, 0);
  EXPECT_NE(needs.find("needs feature shaderFloat16\n"), std::string::npos) << needs;
}

// Behind the graph of a device that has more stands one for all others.
TEST_F(NetworkBundles, OfMatricesHaveAPlainGraphForOtherDevices) {
  const Scene scene{"i-memory:in cnn-unet o-memory:out\n",
                    {{"i-memory:in", colour(PixelFormat::f16)}},
                    {{"o-memory:out", colour(PixelFormat::f16)}}};
  ExportOptions options;
  options.model = "amd";
  write(scene, {{24, 17}}, options);
  OpenedBundle opened(renderer, file);
  const std::string needs = runtimeLibrary().lacuna_bundle_needs(opened.bundle, 0);
  EXPECT_NE(needs.find("could use extension VK_KHR_cooperative_matrix\n"), std::string::npos) << needs;
  EXPECT_NE(runtimeLibrary().lacuna_bundle_memory(opened.bundle, opened.device, 24, 17), 0U)
      << runtimeLibrary().error();
}

TEST_F(Bundles, DamagedForeignAndOtherVersionsAreRefusedRandom) {
  write(pointwise(colour(PixelFormat::f32), colour(PixelFormat::f32)), {{24, 17}});
  const std::string whole = text();
  ASSERT_EQ(mistakeIn(whole), "");
  std::mt19937_64& random = testRandom();
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    const size_t at = random() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    EXPECT_EQ(mistakeIn(damaged).find("lacuna: error: graph.lacuna: "), 0U) << "byte " << at;
  }
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / 50)
    EXPECT_EQ(mistakeIn(whole.substr(0, length)).find("lacuna: error: graph.lacuna: "), 0U) << length;
  EXPECT_EQ(mistakeIn(whole + "x"), "lacuna: error: graph.lacuna: the bundle has " +
                                        std::to_string(whole.size() + 1) + " bytes, but was written with " +
                                        std::to_string(whole.size()) + "; copy or export it again");
  std::string other = whole;
  other[8] = 7;
  EXPECT_EQ(mistakeIn(other),
            "lacuna: error: graph.lacuna: a bundle of version 7, but this library reads version 1; export it "
            "with the `lacuna` that came with the library");
  EXPECT_EQ(mistakeIn("lacuna:1\nmodule:eaw:01\n"),
            "lacuna: error: graph.lacuna: this is no bundle; expected a file that `lacuna export` wrote");
  // What a program wrote that computes right checksums of wrong contents.
  for (int i = 0; i < 300; ++i) {
    std::string wrong = whole;
    for (int change = 0; change < 3; ++change)
      wrong[32 + random() % (wrong.size() - 32)] = static_cast<char>(random());
    renewHead(wrong);
    const std::string mistake = mistakeIn(wrong);
    EXPECT_TRUE(mistake.empty() || mistake.find("lacuna: error: graph.lacuna: ") == 0) << mistake;
  }
  EXPECT_EQ(runtimeLibrary().lacuna_open_bundle((folder.path() + "/none").c_str()), nullptr);
  EXPECT_EQ(runtimeLibrary().error(),
            "lacuna: error: " + folder.path() + "/none: the bundle can't be read: No such file or directory");
}

TEST_F(Bundles, GraphsThatNeedMoreThanADeviceAreRefusedByTheirPlaces) {
  GraphOptions options = optionsFor({.width = 8, .height = 4});
  options.frames = Frames::none();
  const Graph graph = Graph::fromText(
      graphText("i-memory:in exposure o-memory:out\ni-memory:in o-png\nparam:o-png:01:filename:\"no.png\"\n"),
      options);
  const Error error = errorOf([&] { exportBundle(file, {graph}); });
  ASSERT_EQ(error.messages().size(), 1U) << error.what();
  EXPECT_GT(error.messages().front().line, 0) << error.what();
  EXPECT_GT(error.messages().front().column, 0) << error.what();
  EXPECT_NE(error.messages().front().text.find("o-png:01"), std::string::npos) << error.what();
  EXPECT_NE(error.messages().front().text.find("reads or writes a file"), std::string::npos) << error.what();
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(RuntimeLibraryFile, IsSmallAndLinksNeitherCompilersNorCodecs) {
  EXPECT_LT(std::filesystem::file_size(LACUNA_RUNTIME), 1'500'000U);
  link_map* map = nullptr;
  ASSERT_EQ(dlinfo(runtimeLibrary().handle, RTLD_DI_LINKMAP, &map), 0);
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  ASSERT_NE(strings, nullptr);
  int linked = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED)
      continue;
    ++linked;
    const std::string name = strings + entry->d_un.d_val;
    const std::string library = name.substr(0, name.find(".so"));
    EXPECT_TRUE(library == "libz" || library == "libstdc++" || library == "libm" || library == "libgcc_s" ||
                library == "libc" || library == "ld-linux-x86-64")
        << name;
  }
  EXPECT_GT(linked, 0);
}

}  // namespace
}  // namespace lacuna::test
