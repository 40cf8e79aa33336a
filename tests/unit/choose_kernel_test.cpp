// The variants that `auto` takes for a kernel, and their presentation in `plan`.

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/support/folder.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_random.h"

namespace lacuna::test {
namespace {

std::string bilateralText(const std::string& more) {
  return "i-memory:in bilateral-study o-memory:out\n" + more;
}

class KernelChoice : public testing::Test {
 protected:
  FilterChoice choose(const FilterKnowledge& known = {}, const ForcedSchedules& forced = {}) {
    diagnostics_ = {};
    return selectSchedule({graph_, node(), device_}, forced, known, diagnostics_).choice;
  }
  void graph(const std::string& more, Format format = Format::u8) {
    graph_ = cull(graphOf(bilateralText(more), {90, 60}, format));
  }
  // A variant, to be changed. Nodes point into the original description.
  VariantDescription& changed(const std::string& name) {
    ModuleInstance& owner = graph_.modules.modules[node().module];
    auto description = std::make_shared<ModuleDescription>(*owner.description);
    before_.push_back(std::exchange(owner.description, description));
    for (VariantDescription& variant : description->variants)
      if (variant.name == name)
        return variant;
    throw std::out_of_range("no variant " + name);
  }
  const Node& node() const { return nodeNamed(graph_, "bilateral-study:01:filter"); }
  std::vector<const VariantDescription*> variants() const { return variantsOf(graph_, node()); }

  std::vector<std::shared_ptr<const ModuleDescription>> before_;
  NodeGraph graph_ = cull(graphOf(bilateralText({}), {90, 60}, Format::u8));
  DeviceModel device_ = wideDevice();
  Diagnostics diagnostics_;
};

TEST_F(KernelChoice, UnmeasuredItIsTheFirstForTheDevice) {
  EXPECT_EQ(choose().schedule, "rows@32x4/n4/image");
  EXPECT_EQ(choose().reason, "auto: the first for CPUs that fits");
  EXPECT_EQ(choose().candidates.size(), variants().size());
  device_.cpu = false;
  EXPECT_EQ(choose().schedule, "rows@32x4/n4/image");
  EXPECT_EQ(choose().reason, "auto: the first for GPUs that fits");
  graph("param:bilateral-study:01:radius:2\n");
  EXPECT_EQ(choose().schedule, "pairs@32x4/image");
}

TEST_F(KernelChoice, WhereNoneIsExactItIsTheFirstThatFits) {
  for (const VariantDescription* variant : variants())
    changed(variant->name).guarantee = "rounded";
  changed("naive").shared = "width * height * 65536";
  EXPECT_EQ(choose().candidates.front().family, "constant");
  EXPECT_EQ(choose().reason, "auto: the first that fits");
  EXPECT_FALSE(diagnostics_.hasErrors());
}

// Missing parts of a name become the first that fits; if nothing fits, the message is about the default.
TEST_F(KernelChoice, AVariantIsTheFirstOfItThatFits) {
  device_.maxSharedMemory = 1U << 15U;
  VariantDescription& rows = changed("rows");
  rows.workgroups = {{32, 8}, {16, 8}, {32, 4}};
  rows.constants = {{"N", {8, 4, 2}}};
  rows.shared = "width * height * N * 32";  // the device has room for 1024
  EXPECT_EQ(choose().schedule, "rows@32x8/n4/image");
  EXPECT_EQ(choose().candidates.size(), variants().size() + 1);
  const auto named = [&](const char* name) { return choose({}, {{"bilateral-study:01", name}}).schedule; };
  EXPECT_EQ(named("rows"), "rows@32x8/n4/image");
  EXPECT_EQ(named("rows/n8"), "rows@16x8/n8/image");
  EXPECT_EQ(named("rows@32x4/buffer"), "rows@32x4/n8/buffer");
  EXPECT_EQ(diagnostics_.render(), "");
  rows.shared = "65536";
  EXPECT_EQ(named("rows/n2"), "rows@32x8/n2/image");
  EXPECT_EQ(
      diagnostics_.sorted().front().message,
      "the device can't run bilateral-study:01:filter as rows@32x8/n2/image: 65536 bytes of shared memory, "
      "the device has 32768");
}

TEST_F(KernelChoice, ConstantsGoTogether) {
  VariantDescription& rows = changed("rows");
  rows.workgroups = {{32, 8}, {32, 4}};
  rows.constants = {{"N", {6, 2, 8}}};
  rows.whole = {"width * N / 64", "2 * N / height"};
  const auto named = [&](const char* name) { return choose({}, {{"bilateral-study:01", name}}).schedule; };
  EXPECT_EQ(named("rows"), "rows@32x8/n8/image");
  EXPECT_EQ(named("rows@32x4"), "rows@32x4/n6/image");
  EXPECT_EQ(diagnostics_.render(), "");
  EXPECT_EQ(named("rows@32x8/n2"), "rows@32x8/n2/image");
  EXPECT_EQ(
      diagnostics_.sorted().front().message,
      "the device can't run bilateral-study:01:filter as rows@32x8/n2/image: 2 * N / height is not a whole "
      "number above 0, "
      "so these constants don't go together");
}

TEST_F(KernelChoice, MatricesAreForDevicesThatHaveThem) {
  changed("rows").matrix = true;
  changed("table").device = VariantDevice::any;
  device_.cpu = false;
  EXPECT_EQ(choose().candidates.front().family, "table");
  EXPECT_EQ(choose().reason, "auto: the first for GPUs that fits");
  EXPECT_EQ(choose({}, {{"bilateral-study:01", "rows"}}).schedule, "rows@32x4/n4/image");
  for (const MatrixKind kind : {MatrixKind::nv, MatrixKind::khr}) {
    device_.matrices = kind;
    EXPECT_EQ(choose().candidates.front().family, "rows");
  }
  EXPECT_EQ(diagnostics_.render(), "");
}

TEST_F(KernelChoice, UnmeasuredItIsTheBestEstimate) {
  changed("naive").cost = {.operations = "1000000 * columns * rows"};
  changed("table").cost = {.operations = "90000 * columns * rows", .loads = "columns * rows"};
  EXPECT_EQ(choose().candidates.front().family, "table");
  EXPECT_TRUE(choose().reason.ends_with(" by estimate")) << choose().reason;
  VariantDescription& naive = changed("naive");
  naive.workgroups = {{8, 8}, {16, 16}, {32, 4}};
  naive.cost = {.operations = "columns * rows * 9000 / width"};
  EXPECT_EQ(choose().schedule, "naive@32x4/buffer");
  EXPECT_EQ(choose().candidates[1].family, "naive");
  EXPECT_GT(choose().candidates[1].ms, choose().candidates[0].ms);
  FilterKnowledge known;
  known.measured = {{"rows@32x4/n4/image", 1000.0}};
  known.date = "2026-11-30";
  EXPECT_EQ(choose(known).schedule, "rows@32x4/n4/image");
  EXPECT_EQ(diagnostics_.render(), "");
}

TEST_F(KernelChoice, SubgroupsAreForDevicesThatHaveThem) {
  const std::string first = choose().candidates.front().family;
  changed(first).subgroup = 8;
  EXPECT_NE(choose().candidates.front().family, first);
  device_.shuffledLanes = 8;
  EXPECT_EQ(choose().candidates.front().family, first);
  device_.matrices = MatrixKind::khr;
  EXPECT_NE(choose().candidates.front().family, first);
}

TEST_F(KernelChoice, AVariantStatesItsWorkgroups) {
  const std::string first = choose().candidates.front().family;
  VariantDescription& variant = changed(first);
  variant.groups = {"columns / 7", "max(rows, 3) * width"};
  const KernelSchedule schedule = defaultSchedule(variant);
  EXPECT_EQ(workgroupsOf(graph_, node(), schedule),
            (std::array<uint32_t, 2>{90 / 7, 60 * schedule.workgroup[0]}));
}

TEST_F(KernelChoice, LargeImagesAreBuffers) {
  device_.maxImageSize = 90;
  EXPECT_EQ(choose().schedule, "rows@32x4/n4/image");
  device_.maxImageSize = 89;
  EXPECT_EQ(choose().schedule, "rows@32x4/n4/buffer");
  EXPECT_EQ(choose({}, {{"bilateral-study:01", "rows"}}).schedule, "rows@32x4/n4/buffer");
  EXPECT_FALSE(diagnostics_.hasErrors());
  choose({}, {{"bilateral-study:01", "rows/image"}});
  EXPECT_EQ(diagnostics_.sorted().front().message,
            "the device can't run bilateral-study:01:filter as rows@32x4/n4/image: 90 pixels a side, images "
            "hold 89");
}

// A requested schedule need not exist for all kernels of a module.
TEST_F(KernelChoice, ANameIsForTheKernelsThatHaveIt) {
  const Folder folder;
  folder.write("lines/main.glsl", "");
  folder.write("lines/module.toml", R"toml(name = "lines"
summary = "two passes"
connector = [{ name = "input", direction = "input" }, { name = "output", direction = "output" }]
variant = [
  { name = "blocked", nodes = ["across"], workgroups = [[32, 4]], constants = { N = [4, 1] }, images = true },
  { name = "blocked", nodes = ["down"], workgroups = [[32, 4]], constants = { N = [4, 1] }, images = true },
]
[[node]]
name = "across"
kind = "kernel"
shader = "main.glsl"
inputs = [{ name = "input", source = "input" }]
outputs = [{ name = "output" }]
[[node]]
name = "down"
kind = "kernel"
shader = "main.glsl"
inputs = [{ name = "input", source = "across.output" }]
outputs = [{ name = "output", connector = "output" }]
)toml");
  graph_ = cull(graphOf("i-memory:in lines o-memory:out\n", {90, 60}, Format::u8,
                        {LACUNA_MODULE_FOLDER, folder.path()}));
  const auto scheduleOf = [&](const char* node, const char* asked) {
    return selectSchedule({graph_, nodeNamed(graph_, node), device_}, {{"lines:01", asked}}, {}, diagnostics_)
        .choice.schedule;
  };
  EXPECT_EQ(scheduleOf("lines:01:across", "blocked/n1"), "blocked@32x4/n1/image");
  EXPECT_EQ(scheduleOf("lines:01:down", "blocked/n1"), "blocked@32x4/n1/image");

  ModuleInstance& owner = graph_.modules.modules[nodeNamed(graph_, "lines:01:down").module];
  const auto before = owner.description;  // nodes point into it
  auto renamed = std::make_shared<ModuleDescription>(*before);
  renamed->variants.back().name = "columns";
  owner.description = renamed;
  EXPECT_EQ(scheduleOf("lines:01:across", "blocked/n1"), "blocked@32x4/n1/image");
  EXPECT_EQ(scheduleOf("lines:01:down", "blocked/n1"), "columns@32x4/n4/image");
  EXPECT_FALSE(diagnostics_.hasErrors());
  scheduleOf("lines:01:down", "bloked");
  EXPECT_TRUE(diagnostics_.hasErrors());
  graph_ = {};
}

// Compared with the same rule, written out; unsupported and inexact schedules are among the fastest.
TEST_F(KernelChoice, RandomTakesTheFastestMeasuredThatIsExactAndRuns) {
  const unsigned seed = drawnSeed();
  SCOPED_TRACE(seed);
  Random random(seed);
  device_.maxSharedMemory = 1U << 16U;
  std::vector<KernelSchedule> all;
  for (const VariantDescription* variant : variants()) {
    const auto some = allKernelSchedules(*variant);
    all.insert(all.end(), some.begin(), some.end());
  }
  int rejected = 0, inexact = 0;
  for (int round = 0; round < 200; ++round) {
    device_.maxWorkgroupInvocations = random.oneIn(2) ? 256 : 1024;
    FilterKnowledge known;
    known.date = "2026-11-22";
    for (int i = random.upTo(12); i >= 0; --i) {
      const auto& schedule = all[static_cast<size_t>(random.upTo(static_cast<int>(all.size()) - 1))];
      known.measured.push_back({print(schedule), 1.0 + random.upTo(100000) * 1e-4 + i * 1e-6});  // none equal
    }
    std::string expected;
    double least = 1e9;
    for (const TimedSchedule& measured : known.measured) {
      const bool isExact = !measured.name.starts_with("half") && !measured.name.starts_with("exponent");
      const bool runs =
          !measured.name.starts_with("pairs") &&  // up to radius 3
          (device_.maxWorkgroupInvocations == 1024 || measured.name.find("@32x32") == std::string::npos);
      inexact += isExact ? 0 : 1;
      rejected += runs ? 0 : 1;
      // A schedule may be listed twice: the first entry counts.
      const auto first = std::find_if(known.measured.begin(), known.measured.end(),
                                      [&](const auto& other) { return other.name == measured.name; });
      if (isExact && runs && first->ms < least) {
        least = first->ms;
        expected = measured.name;
      }
    }
    const FilterChoice choice = choose(known);
    EXPECT_EQ(choice.schedule, expected.empty() ? "rows@32x4/n4/image" : expected);
    EXPECT_EQ(choice.reason.starts_with("auto: the fastest of "), !expected.empty()) << choice.reason;
    EXPECT_EQ(diagnostics_.render(), "");
  }
  EXPECT_GT(rejected, 0);
  EXPECT_GT(inexact, 0);
}

TEST_F(KernelChoice, TellsWhatWasMeasured) {
  FilterKnowledge known;
  known.date = "2026-11-22";
  known.measured = {{"exponent@8x8/n2/image", 1.0},
                    {"tiles@8x8/n2/buffer", 2.0},
                    {"unrolled@16x16/n4/buffer", 3.0},
                    {"pairs@8x8/image", 0.5},
                    {"spiral@8x8/image", 0.1},       // no more
                    {"tiles@8x8/n2/m3/image", 0.1},  // neither
                    {"rows@32x4", 0.1}};             // no whole name
  const FilterChoice choice = choose(known);
  EXPECT_EQ(choice.schedule, "tiles@8x8/n2/buffer");
  EXPECT_EQ(choice.reason, "auto: the fastest of 2 measured on 2026-11-22");
  const auto& all = choice.candidates;
  ASSERT_EQ(all.size(), variants().size() + 3);
  EXPECT_EQ(all[0].name, "exponent@8x8/n2/image");
  EXPECT_FALSE(all[0].exact);
  EXPECT_EQ(all[1].name, "tiles@8x8/n2/buffer");
  EXPECT_EQ(all[1].family, "tiles");
  EXPECT_EQ(all[1].ms, 2.0);
  EXPECT_EQ(all[1].measured, "2026-11-22");
  EXPECT_EQ(all[2].name, "unrolled@16x16/n4/buffer");
  EXPECT_EQ(all[3].name, "rows@32x4/n4/image");  // the choice otherwise
  EXPECT_EQ(all[3].measured, "");
  EXPECT_NE(all.back().rejected, "");
}

TEST_F(KernelChoice, NamesStandAboveMeasurements) {
  FilterKnowledge known;
  known.date = "2026-11-22";
  known.measured = {{"tiles@8x8/n2/buffer", 2.0}};
  const FilterChoice choice = choose(known, {{"bilateral-study:01", "exponent@8x8"}});
  EXPECT_EQ(choice.schedule, "exponent@8x8/n4/image");
  EXPECT_EQ(choice.reason, "asked for as 'exponent@8x8'");
  EXPECT_TRUE(choice.forced);
  for (const char* scope : {"", "bilateral-study:01"}) {
    choose(known, {{scope, "rows4/buffer/gathered"}});
    EXPECT_NE(diagnostics_.render().find("no schedule of bilateral-study:01:filter is called"),
              std::string::npos);
  }
  choose(known, {{"bilateral-study:01:filter", "pairs"}});
  EXPECT_NE(diagnostics_.render().find("the device can't run bilateral-study:01:filter as pairs@32x4/image"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
