// `lacuna bench rhf`: the steps of Szeracki et al. 2015 and ours, in its set-up (finest scale, 8 bins a
// colour, 1280x720) or with --bins 20, like the method's authors. For comparison a plain loop on one thread
// of this machine.

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "graph/config/regex.h"
#include "tests/references/rhf.h"
#include "tools/bench/places.h"
#include "tools/bench/sequential.h"
#include "tools/bench/study.h"

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
  int samples = usualSamples;

  double pixels() const { return static_cast<double>(size.width) * size.height; }
  std::string name() const {
    return fmt::format("{} {}", std::filesystem::path(scene).stem().string(), print(size));
  }
};

std::vector<RhfTask> rhfTasks(const Lab& lab) {
  std::vector<RhfTask> tasks;
  for (const std::string& scene :
       lab.arguments.scenes.empty() ? std::vector{exampleScene("cornell")} : lab.arguments.scenes)
    for (const Extent size : lab.sizes({{1280, 720}}, {{128, 72}}))
      tasks.push_back({scene, size, lab.arguments.bins,
                       lab.arguments.samples > 0 ? lab.arguments.samples : usualSamples});
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
    for (const Json& step : study("rhf").at("steps"))
      steps.push_back({step.at("name"), step.at("variant"), step.at("layout"), step.at("ofStudy"),
                       step.value("isCoherent", false)});
    return steps;
  }();
  return all;
}

std::string stepOf(const std::string& schedule) {
  return schedule.substr(0, schedule.find_first_of("@/"));
}

void checkSteps(const BenchArguments& arguments) {
  std::vector<std::string> known;
  for (const RhfStep& step : rhfSteps())
    known.push_back(step.name);
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

// Number of compared bins of two pixels by the definition, and by a method that compares each pair of pixels
// once.
Json termsOf(const RhfTask& task) {
  const RhfDefaults defaults;
  const int side = 2 * defaults.search + 1, around = 2 * defaults.patch + 1;
  const double bins = task.pixels() * 3.0 * task.bins;
  return {{"search", bins * side * side * around * around},
          {"pairs", bins * 2.0 * defaults.search * (defaults.search + 1)}};
}

// A rendered scene, which is rendered once. Throws Error if the scene or a module can't be used.
class RhfCase : public StudySubject {
 public:
  RhfCase(Lab& lab, const RhfTask& task, double copyBytesPerSecond)
      : StudySubject("step"), lab_(lab), task_(task), copyBytesPerSecond_(copyBytesPerSecond) {
    const NodeGraph graph = graphOf({"once", "once", "bins", false, false});
    const auto session = lab.open(graphBefore(graph, nodeNamed(graph, searchNode)));
    session->upload(0);
    session->compute(0);
    for (auto& [name, bytes] : downloaded(*session))
      if (name == imageValue || name == histogramValue)
        rendered_[name] = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    if (rendered_.count(imageValue) == 0 || rendered_.count(histogramValue) == 0)
      throw Error(ErrorKind::graph, "the module pathtrace that is found gives no output and histogram");
  }

  ResultTable table() override {
    const SequentialTime sequential = sequentialRhf(floatsIn(*rendered_.at(histogramValue)), task_.size, {});
    // Input, histograms and output once.
    const double floorBytes = 2.0 * static_cast<double>(rendered_.at(imageValue)->size()) +
                              static_cast<double>(rendered_.at(histogramValue)->size());
    const double floorMs = 1e3 * floorBytes / copyBytesPerSecond_;
    ResultTable table{
        fmt::format("rhf-{}", task_.name()),
        fmt::format("{}, {} x 3 bins, {} samples; floor {:.4f} ms; the plain loop's by {} of {} rows",
                    task_.name(), task_.bins, task_.samples, floorMs, sequential.rows, task_.size.height),
        "",
        {{"", -32, "/label"},
         {"ms", 11, "/ms", "{:.4f}", 1.0, Mark::measured},
         {"x naive", 9, "/timesNaive", "{:.2f}"},
         {"x 1 CPU", 9, "/timesSequential", "{:.2f}"},
         {"x floor", 9, "/timesFloor", "{:.2f}"},
         {"MB", 10, "/bytes", "{:.2f}", 1e-6},
         {"ns/pixel", 10, "/nsPerPixel", "{:.2f}"}}};
    std::replace(table.name.begin(), table.name.end(), ' ', '-');
    table.facts = {{"task", task_.name()},
                   {"scene", task_.scene},
                   {"width", task_.size.width},
                   {"height", task_.size.height},
                   {"bins", task_.bins},
                   {"samples", task_.samples},
                   {"sequential", {{"ms", sequential.ms}, {"rows", sequential.rows}}},
                   {"floor", {{"bytes", floorBytes}, {"ms", floorMs}}},
                   {"terms", termsOf(task_)}};
    Json& row = table.rows.emplace_back(Json{{"label", "   one thread, plain loop"},
                                             {"step", "sequential"},
                                             {"guarantee", "reference"},
                                             {"ms", sequential.ms}});
    setRatio(row, "timesSequential", sequential.ms, sequential.ms);
    row["nsPerPixel"] = sequential.ms * 1e6 / task_.pixels();
    return table;
  }

  std::vector<StudyCandidate> candidates() override {
    std::vector<StudyCandidate> all;
    for (const RhfStep& step : rhfSteps()) {
      all.push_back({schedulesOf(step),
                     [this, &step](const std::string& name, Json& row) { return open(step, name, row); },
                     lab_.arguments.candidates == "best"});
    }
    return all;
  }

  std::vector<ResultTable> finish(ResultTable& table) override {
    if (const Json* best = fastestWith(table.rows, "guarantee", "exact")) {
      table.facts["fastestExact"] = {{"step", best->at("step")}, {"ms", best->at("ms")}};
      const double search = table.facts.at("terms").at("search"), pairs = table.facts.at("terms").at("pairs");
      table.notes = {
          fmt::format(" a search compares {:.3g} G bins of two pixels, each pair once {:.3g} G",
                      search * 1e-9, pairs * 1e-9),
          fmt::format(" fastest exact step: {}, {:.4f} ms, {:.4g} G bins of a search a second",
                      best->at("step").get<std::string>(), msOf(best), search * 1e-6 / msOf(best))};
    }
    return {};
  }

 private:
  // One empty name for `pairs`.
  std::vector<std::string> schedulesOf(const RhfStep& step) const {
    std::vector<std::string> asked;
    for (const std::string& name : lab_.arguments.schedules)
      if (stepOf(name) == step.name)
        asked.push_back(step.scheduleOf(name));
    if (asked.empty() && !lab_.arguments.schedules.empty())
      return {};
    if (step.variant.empty())
      return {""};
    const Subject subject = subjectOf(step);
    std::vector<std::string> found;
    for (const VariantDescription* variant : subject.variants())
      if (variant->name == step.variant)
        found = subject.schedulesOf(*variant, asked.empty() ? std::vector{step.variant} : asked);
    if (found.empty()) {
      throw Error(ErrorKind::call, asked.empty()
                                       ? "the module rhf that is found has no variant " + step.variant
                                       : fmt::format("--schedule {}: expected {}@WxH, then /CONSTANT",
                                                     asked.front(), step.name));
    }
    return found;
  }

  Subject subjectOf(const RhfStep& step) const { return {lab_, graphOf(step), searchNodeOf(step), rhfNode}; }

  std::unique_ptr<BenchChain> open(const RhfStep& step, const std::string& schedule, Json& row) {
    const Subject subject = subjectOf(step);
    const std::string guarantee = step.variant.empty() ? "exact" : subject.named(schedule).variant->guarantee;
    row = {{"step", step.name}, {"ofStudy", step.isOfStudy}, {"guarantee", guarantee}};
    if (!schedule.empty())
      row["schedule"] = schedule;
    row["label"] = fmt::format("{}{} {}", step.isOfStudy ? ' ' : '+', guarantee == "exact" ? ' ' : '~',
                               step.labelOf(schedule));
    const double rounded = guarantee == "exact" && !schedule.empty() ? 0.0 : allowedRounded;
    auto chain = subject.open(schedule, row, {.changeShaders = shaderChange(step)});
    // The first picture that agrees with the reference's, for a small one, is the reference of the others.
    if (chain == nullptr || (!expected_.isThere() && !agreesWithReference(step, schedule, rounded, row)) ||
        !isRight(row, expected_.errorOf(chain->compute()), rounded))
      return nullptr;
    return chain;
  }

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
    if (!step.isCoherent)
      return {};
    return [](Shaders& shaded) {
      for (Pass& pass : shaded.passes) {
        if (pass.name == searchNode) {
          const std::string plain = std::exchange(
              pass.glsl, Regex("readonly (restrict )?buffer").replace(pass.glsl, "coherent $0"));
          if (plain == pass.glsl)
            throw std::logic_error("the search reads no buffers");
        }
      }
    };
  }

  // If rounding may decide differently, nothing is compared.
  bool agreesWithReference(const RhfStep& step, const std::string& schedule, double rounded,
                           Json& row) const {
    RhfTask task = task_;
    task.size = referenceSize;
    const RhfCase small(lab_, task, copyBytesPerSecond_);
    const auto chain = small.subjectOf(step).open(schedule, row, {.changeShaders = shaderChange(step)});
    if (chain == nullptr)
      return false;
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
  double copyBytesPerSecond_;
  BenchPixels rendered_;
  ExpectedPicture expected_;
};

// The time by size and scene.
ResultTable scalingOf(const std::deque<ResultTable>& tables) {
  ResultTable scaling{"rhf-scaling", "ns/pixel, by size and scene", "", {{"", -26, "/step"}}};
  for (const ResultTable& table : tables) {
    scaling.columns.push_back({table.facts.at("task"), 22, fmt::format("/{}", scaling.columns.size()),
                               "{:.2f}", 1.0, Mark::measured});
  }
  for (const RhfStep& step : rhfSteps()) {
    Json row = {{"step", step.name}};
    for (size_t i = 0; i < tables.size(); ++i)
      if (const Json* best = fastestWith(tables[i].rows, "step", step.name))
        row[std::to_string(i + 1)] = best->at("nsPerPixel");
    if (row.size() > 1)
      scaling.rows.push_back(std::move(row));
  }
  return scaling;
}

}  // namespace

int runBenchRhf(const BenchArguments& arguments) {
  checkSteps(arguments);
  Lab lab(arguments);
  if (arguments.quality)
    return runRhfQuality(lab);
  const double bandwidth = lab.bandwidth();
  lab.report.json["copyBytesPerSecond"] = bandwidth;
  const Json& paper = study("rhf");
  Study rhf{"rhf",
            fmt::format(
                "rhf, finest scale, defaults; of each step's workgroups {}\n"
                "ms: medians of up to {} runs by timestamps, all passes of the module\n"
                "x naive, x 1 CPU: times as fast as naive, as one thread of this machine\n"
                "x floor: of input, histograms and output once, copied at {:.1f} GB/s\n"
                "+: beyond the study; ~: not exact; of the study each step includes those before it\n"
                "Szeracki et al. 2015: of figure 4 only {:.1f} s on a {} is in the text (1280x720, {} bins a "
                "colour)\n",
                candidatesText(lab), lab.effort.runs, bandwidth * 1e-9,
                paper.at("processorMs").get<double>() * 1e-3, paper.at("processor").get<std::string>(),
                paper.at("bins").get<int>())};
  for (const RhfTask& task : rhfTasks(lab)) {
    rhf.subjects.emplace_back(
        [&lab, task, bandwidth] { return std::make_unique<RhfCase>(lab, task, bandwidth); });
  }
  rhf.summaries = [&] {
    const auto& tables = lab.report.tables();
    return tables.size() > 1 ? std::vector{scalingOf(tables)} : std::vector<ResultTable>();
  };
  return runStudy(lab, rhf);
}

}  // namespace lacuna
