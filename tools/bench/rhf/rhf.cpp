// `lacuna bench rhf`: the steps of Szeracki et al. 2015 and ours, in its set-up (finest scale, 8 bins a
// colour, 1280x720) or with --bins 20, like the method's authors. For comparison a plain loop on one thread
// of this machine.

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "graph/config/regex.h"
#include "tests/references/rhf.h"
#include "tools/bench/check.h"
#include "tools/bench/places.h"
#include "tools/bench/rhf/quality.h"
#include "tools/bench/rhf/sequential.h"
#include "tools/bench/subject.h"

namespace lacuna {
namespace {

constexpr const char* rhfNode = "rhf:01:scales";  // with all nodes that it builds
constexpr const char* searchNode = "rhf:01:scales/search0";
constexpr const char* imageValue = "pathtrace:01:render.output";
constexpr const char* histogramValue = "pathtrace:01:render.histogram";
// Variants that round bins, and the method `pairs`, which sums in another order, may decide differently for
// pixels whose distance is about the threshold.
constexpr double allowedRounded = 5e-2;
constexpr Extent referenceSize{33, 21};  // of cases that a reference in double precision also computes
constexpr double mostRhfError = 2e-3;    // its relative error, without such pixels: halves are rounded

struct RhfTask {
  std::string scene;  // file
  Extent size;
  int bins = 8;  // a colour
  int samples = 64;

  double pixels() const { return static_cast<double>(size.width) * size.height; }
  std::string name() const {
    return fmt::format("{} {}x{}", std::filesystem::path(scene).stem().string(), size.width, size.height);
  }
};

std::vector<RhfTask> rhfTasks(const Lab& lab) {
  std::vector<RhfTask> tasks;
  for (const std::string& scene :
       lab.arguments.scenes.empty() ? std::vector{exampleScene("cornell")} : lab.arguments.scenes) {
    for (const Extent size : lab.sizes({{1280, 720}}, {{128, 72}})) {
      tasks.push_back({scene, size, lab.arguments.bins, lab.arguments.samples});
    }
  }
  return tasks;
}

// A step of the study, with all before it, or one of ours: a variant of the module, or the method `pairs`.
struct RhfStep {
  std::string name, variant, layout;
  bool isOfStudy;
  bool isCoherent;  // loads bypass the first-level cache

  // The variant's schedule that a name of the step means, and back.
  std::string scheduleOf(const std::string& named) const { return variant + named.substr(name.size()); }
  std::string labelOf(const std::string& schedule) const {
    return schedule.empty() ? name : name + schedule.substr(variant.size());
  }
};

const std::vector<RhfStep>& rhfSteps() {
  static const std::vector<RhfStep> all = [] {
    std::vector<RhfStep> steps;
    for (const Json& step : study("rhf").at("steps")) {
      steps.push_back({step.at("name"), step.at("variant"), step.at("layout"), step.at("ofStudy"),
                       step.value("isCoherent", false)});
    }
    return steps;
  }();
  return all;
}

std::string stepOf(const std::string& schedule) {
  return schedule.substr(0, schedule.find_first_of("@/"));
}

void checkSteps(const BenchArguments& arguments) {
  std::vector<std::string> known;
  for (const RhfStep& step : rhfSteps()) {
    known.push_back(step.name);
  }
  checkSchedules(
      arguments,
      [](const std::string& name) {
        return std::any_of(rhfSteps().begin(), rhfSteps().end(), [&](const RhfStep& step) {
          return step.name == stepOf(name) && (!step.variant.empty() || name == step.name);
        });
      },
      fmt::format("no step has this name; there are {}; then @WxH, except for pairs",
                  fmt::join(known, ", ")));
}

std::vector<float> floatsIn(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

// A rendered scene, which is rendered once. Throws BenchMistake if the scene or a module can't be used.
class RhfCase {
 public:
  RhfCase(Lab& lab, const RhfTask& task) : lab_(lab), task_(task) {
    const NodeGraph graph = graphOf({"once", "once", "bins", false, false});
    const auto session = lab.open(graphBefore(graph, nodeNamed(graph, searchNode)));
    session->upload(0);
    session->compute(0);
    for (auto& [name, bytes] : downloaded(*session)) {
      if (name == imageValue || name == histogramValue) {
        rendered_[name] = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
      }
    }
    if (rendered_.count(imageValue) == 0 || rendered_.count(histogramValue) == 0) {
      throw BenchMistake("lacuna: the module pathtrace that is found gives no output and histogram\n");
    }
  }

  SequentialTime sequential() const {
    return sequentialRhf(floatsIn(*rendered_.at(histogramValue)), task_.size, {});
  }
  double floorBytes() const {  // input, histograms and output once
    return 2.0 * static_cast<double>(rendered_.at(imageValue)->size()) +
           static_cast<double>(rendered_.at(histogramValue)->size());
  }

  Subject subjectOf(const RhfStep& step) const { return {lab_, graphOf(step), searchNodeOf(step), rhfNode}; }

  std::unique_ptr<BenchChain> open(const RhfStep& step, const std::string& schedule, Json& row) {
    const Subject subject = subjectOf(step);
    const std::string guarantee = step.variant.empty() ? "exact" : subject.named(schedule).variant->guarantee;
    row = {{"step", step.name}, {"ofStudy", step.isOfStudy}, {"guarantee", guarantee}};
    if (!schedule.empty()) {
      row["schedule"] = schedule;
    }
    row["label"] = fmt::format("{}{} {}", step.isOfStudy ? ' ' : '+', guarantee == "exact" ? ' ' : '~',
                               step.labelOf(schedule));
    const double rounded = guarantee == "exact" && !schedule.empty() ? 0.0 : allowedRounded;
    auto chain = subject.open(schedule, row, {}, shaderChange(step));
    // The first picture that agrees with the reference's, for a small one, is the reference of the others.
    if (chain == nullptr || (!expected_.isThere() && !agreesWithReference(step, schedule, rounded, row)) ||
        !isRight(row, expected_.errorOf(chain->compute()), rounded)) {
      return nullptr;
    }
    return chain;
  }

 private:
  static std::string searchNodeOf(const RhfStep& step) { return step.variant.empty() ? rhfNode : searchNode; }

  NodeGraph graphOf(const RhfStep& step) const {
    return withConstants(
        lab_.graphOf(fmt::format(
            "module:pathtrace:01\nmodule:rhf:01\nmodule:o-memory:01\n"
            "connect:pathtrace:01:output:rhf:01:input\nconnect:pathtrace:01:histogram:rhf:01:histogram\n"
            "connect:rhf:01:output:o-memory:01:input\n"
            "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
            "param:pathtrace:01:samples:{}\nparam:pathtrace:01:bins:{}\n"
            "param:rhf:01:scales:1\nparam:rhf:01:method:{}\nparam:rhf:01:layout:{}\n",
            std::filesystem::absolute(task_.scene).string(), task_.size.width, task_.size.height,
            task_.samples, task_.bins, step.variant.empty() ? "pairs" : "search", step.layout)),
        rendered_);
  }

  static std::function<void(Shaders&)> shaderChange(const RhfStep& step) {
    if (!step.isCoherent) {
      return {};
    }
    return [](Shaders& shaded) {
      for (Pass& pass : shaded.passes) {
        if (pass.name == searchNode) {
          const std::string plain = std::exchange(
              pass.glsl, Regex("readonly (restrict )?buffer").replace(pass.glsl, "coherent $0"));
          if (plain == pass.glsl) {
            throw std::logic_error("the search reads no buffers");
          }
        }
      }
    };
  }

  // If rounding may decide differently, nothing is compared.
  bool agreesWithReference(const RhfStep& step, const std::string& schedule, double rounded,
                           Json& row) const {
    RhfTask task = task_;
    task.size = referenceSize;
    const RhfCase small(lab_, task);
    const auto chain = small.subjectOf(step).open(schedule, row, {}, shaderChange(step));
    if (chain == nullptr) {
      return false;
    }
    test::Histograms histograms(static_cast<int>(referenceSize.width), static_cast<int>(referenceSize.height),
                                3 * task.bins);
    histograms.values = floatsIn(*small.rendered_.at(histogramValue));
    test::RhfParameters parameters;
    parameters.scales = 1;
    const test::RhfResult reference = test::rhf(
        pictureOf(floatsOf(*small.rendered_.at(imageValue)), referenceSize, 4), histograms, parameters);
    const std::vector<float> made = floatsOf(chain->compute());
    std::vector<float> compared, expected;
    for (size_t i = 0; i < made.size(); ++i) {
      if (reference.doubt[i / 4] == 0.0) {
        compared.push_back(made[i]);
        expected.push_back(static_cast<float>(reference.picture.values[i]));
      }
    }
    return isRight(row, relativeError(compared, expected), mostRhfError + rounded);
  }

  Lab& lab_;
  RhfTask task_;
  BenchPixels rendered_;
  ExpectedPicture expected_;
};

// Number of compared bins of two pixels by the definition, and by a method that compares each pair of pixels
// once.
Json termsOf(const RhfTask& task) {
  const RhfDefaults defaults;
  const int side = 2 * defaults.search + 1, around = 2 * defaults.patch + 1;
  const double bins = task.pixels() * 3.0 * task.bins;
  return {{"search", bins * side * side * around * around},
          {"pairs", bins * 2.0 * defaults.search * (defaults.search + 1)}};
}

class RhfBench {
 public:
  explicit RhfBench(Lab& lab) : lab_(lab), bandwidth_(lab.bandwidth()) {
    lab.report.json["candidates"] = lab.arguments.candidates;
    lab.report.json["copyBytesPerSecond"] = bandwidth_;
    lab.report.json["study"] = study("rhf");
    for (const RhfStep& step : rhfSteps()) {
      scaling_.rows.push_back({{"step", step.name}});
    }
  }

  int run() {
    lab_.report.print(lab_.report.printDevice() + head());
    for (const RhfTask& task : rhfTasks(lab_)) {
      RhfCase scene(lab_, task);
      measure(scene, task);
    }
    std::erase_if(scaling_.rows.get_ref<Json::array_t&>(), [](const Json& row) { return row.size() < 2; });
    if (lab_.report.tables().size() > 1) {
      lab_.report.add(scaling_);
    }
    return lab_.report.finish();
  }

 private:
  void measure(RhfCase& scene, const RhfTask& task) {
    ResultTable& table = lab_.report.begin(tableOf(task, scene));
    table.rows.push_back({{"label", "   one thread, plain loop"},
                          {"step", "sequential"},
                          {"guarantee", "reference"},
                          {"ms", table.facts.at("sequential").at("ms")}});
    compareRows(table, 0);
    for (const RhfStep& step : rhfSteps()) {
      const size_t first = table.rows.size();
      measureRows(
          schedulesOf(scene, step), lab_.arguments.candidates == "best",
          [&](const std::string& schedule, Json& row) { return scene.open(step, schedule, row); },
          lab_.effort, table.rows);
      compareRows(table, first);
      lab_.report.show(table);
    }
    addFoot(table);
    lab_.report.end(table);
    addScaling(table, task);
  }

  // One empty name for `pairs`.
  std::vector<std::string> schedulesOf(const RhfCase& scene, const RhfStep& step) const {
    std::vector<std::string> asked;
    for (const std::string& name : lab_.arguments.schedules) {
      if (stepOf(name) == step.name) {
        asked.push_back(step.scheduleOf(name));
      }
    }
    if (asked.empty() && !lab_.arguments.schedules.empty()) {
      return {};
    }
    if (step.variant.empty()) {
      return {""};
    }
    const Subject subject = scene.subjectOf(step);
    std::vector<std::string> found;
    for (const VariantDescription* variant : subject.variants()) {
      if (variant->name == step.variant) {
        found = subject.schedulesOf(*variant, asked.empty() ? std::vector{step.variant} : asked);
      }
    }
    if (found.empty()) {
      throw BenchMistake(
          asked.empty()
              ? fmt::format("lacuna: the module rhf that is found has no variant {}\n", step.variant)
              : fmt::format("lacuna: --schedule {}: expected {}@WxH, then /CONSTANT\n", asked.front(),
                            step.name));
    }
    return found;
  }

  ResultTable tableOf(const RhfTask& task, const RhfCase& scene) const {
    const SequentialTime sequential = scene.sequential();
    const double floorMs = 1e3 * scene.floorBytes() / bandwidth_;
    ResultTable table{
        fmt::format("rhf-{}", task.name()),
        fmt::format("{}, {} x 3 bins, {} samples; floor {:.4f} ms; the plain loop's by {} of {} rows",
                    task.name(), task.bins, task.samples, floorMs, sequential.rows, task.size.height),
        "",
        {{"", -32, "/label"},
         {"ms", 11, "/ms", "{:.4f}", 1.0, Mark::measured},
         {"x naive", 9, "/timesNaive", "{:.2f}"},
         {"x 1 CPU", 9, "/timesSequential", "{:.2f}"},
         {"x floor", 9, "/timesFloor", "{:.2f}"},
         {"MB", 10, "/bytes", "{:.2f}", 1e-6},
         {"ns/pixel", 10, "/nsPerPixel", "{:.2f}"}}};
    std::replace(table.name.begin(), table.name.end(), ' ', '-');
    table.facts = {{"scene", task.scene},
                   {"width", task.size.width},
                   {"height", task.size.height},
                   {"bins", task.bins},
                   {"samples", task.samples},
                   {"sequential", {{"ms", sequential.ms}, {"rows", sequential.rows}}},
                   {"floor", {{"bytes", scene.floorBytes()}, {"ms", floorMs}}},
                   {"terms", termsOf(task)}};
    return table;
  }

  // Computes derived values of measured rows, from `first` on, which must contain all of their steps.
  static void compareRows(ResultTable& table, size_t first) {
    const double pixels = table.facts.at("width").get<double>() * table.facts.at("height").get<double>();
    for (size_t i = first; i < table.rows.size(); ++i) {
      if (Json& row = table.rows[i]; row.contains("ms")) {
        const double ms = row.at("ms");
        row["nsPerPixel"] = ms * 1e6 / pixels;
        setRatio(row, "timesSequential", table.facts.at("sequential").at("ms"), ms);
        if (row.at("step") != "sequential") {
          setRatio(row, "timesFloor", ms, table.facts.at("floor").at("ms"));
          setRatio(row, "timesNaive", msOf(fastestWith(table.rows, "step", "naive")), ms);
          row["fastestOfStep"] = &row == fastestWith(table.rows, "step", row.at("step"));
        }
      }
    }
  }

  static void addFoot(ResultTable& table) {
    if (const Json* best = fastestWith(table.rows, "guarantee", "exact")) {
      table.facts["fastestExact"] = {{"step", best->at("step")}, {"ms", best->at("ms")}};
      const double search = table.facts.at("terms").at("search"), pairs = table.facts.at("terms").at("pairs");
      table.notes = {
          fmt::format(" a search compares {:.3g} G bins of two pixels, each pair once {:.3g} G",
                      search * 1e-9, pairs * 1e-9),
          fmt::format(" fastest exact step: {}, {:.4f} ms, {:.4g} G bins of a search a second",
                      best->at("step").get<std::string>(), msOf(best), search * 1e-6 / msOf(best))};
    }
  }

  // The time by size and scene.
  void addScaling(const ResultTable& table, const RhfTask& task) {
    const std::string key = std::to_string(scaling_.columns.size());
    scaling_.columns.push_back({task.name(), 22, "/" + key, "{:.2f}", 1.0, Mark::measured});
    for (Json& row : scaling_.rows) {
      if (const Json* best = fastestWith(table.rows, "step", row.at("step"))) {
        row[key] = best->at("nsPerPixel");
      }
    }
  }

  std::string head() const {
    const std::string& candidates = lab_.arguments.candidates;
    const Json& paper = study("rhf");
    return fmt::format(
        "rhf, finest scale, defaults; of each step's workgroups {}{}\n"
        "ms: medians of up to {} runs by timestamps, all passes of the module\n"
        "x naive, x 1 CPU: times as fast as naive, as one thread of this machine\n"
        "x floor: of input, histograms and output once, copied at {:.1f} GB/s\n"
        "+: beyond the study; ~: not exact; of the study each step includes those before it\n"
        "Szeracki et al. 2015: of figure 4 only {:.1f} s on a {} is in the text (1280x720, {} bins a "
        "colour)\n",
        candidates == "all" ? "" : "the ", candidates, lab_.effort.runs, bandwidth_ * 1e-9,
        paper.at("processorMs").get<double>() * 1e-3, paper.at("processor").get<std::string>(),
        paper.at("bins").get<int>());
  }

  Lab& lab_;
  double bandwidth_;
  ResultTable scaling_{"rhf-scaling", "ns/pixel, by size and scene", "", {{"", -26, "/step"}}};
};

}  // namespace

int runBenchRhf(const BenchArguments& arguments) {
  checkSteps(arguments);
  Lab lab(arguments);
  if (arguments.quality) {
    return benchRhfQuality(lab);
  }
  return RhfBench(lab).run();
}

}  // namespace lacuna
