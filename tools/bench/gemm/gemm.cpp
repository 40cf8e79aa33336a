// `lacuna bench gemm`: matrix products by coopmat-gemm, in the set-up of Vannson 2023, figure 12, and for a
// U-Net: each of the study's kernels and ours, by size, precision of sums and layout.

#include <algorithm>
#include <list>
#include <map>

#include "graph/lists.h"
#include "tools/bench/device/kept_tables.h"
#include "tools/bench/gemm/products.h"
#include "tools/bench/places.h"
#include "tools/bench/study.h"

namespace lacuna {
namespace {

// Products run back to back at least this long between two timestamps.
constexpr double gemmSpanMs = 2.0;
constexpr double packingPreheat = 0.1;                    // of a product's
constexpr const char* gemmNode = "coopmat-gemm:01:gemm";  // with all nodes that it builds, the product last

std::string factorText(const char* name, uint32_t rows, uint32_t columns, int seed) {
  return fmt::format(
      "module:random-array:{0}\nparam:random-array:{0}:rows:{1}\nparam:random-array:{0}:columns:{2}\n"
      "param:random-array:{0}:format:f16\nparam:random-array:{0}:seed:{3}\n",
      name, rows, columns, seed);
}
std::string factorA(const GemmShape& shape) {
  return factorText("a", shape.n, shape.p, 1);
}
std::string factorB(const GemmShape& shape) {
  return factorText("b", shape.p, shape.m, 2);
}

// The graph with a sink in memory instead of the file's.
NodeGraph graphInto(const Lab& lab, const std::string& modules, const std::string& output) {
  const NodeGraph graph = lab.graphOf(
      fmt::format("{}module:o-npy:01\nparam:o-npy:01:filename:\"-\"\nconnect:{}:output:o-npy:01:array\n",
                  modules, output));
  const auto sink = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                 [](const Node& node) { return node.kind == NodeKind::sink; });
  return graphBefore(graph, *sink);
}

std::vector<std::byte> madeBy(Lab& lab, const std::string& text, const std::string& output) {
  const auto session = lab.open(graphInto(lab, text, output));
  session->compute(0);
  return std::move(downloaded(*session).begin()->second);
}

// Zeros in the product's memory before, so that elements which a kernel omits aren't another one's results.
FrameGraph withEmptyOutput(FrameGraph schedule, const std::string& productNode) {
  auto& passes = schedule.passes;
  const auto product =
      std::find_if(passes.begin(), passes.end(), [&](const Pass& pass) { return pass.name == productNode; });
  const auto download = std::find_if(passes.begin(), passes.end(),
                                     [](const Pass& pass) { return pass.kind == PassKind::download; });
  if (product == passes.end() || download == passes.end())
    throw Error(ErrorKind::graph, "the module coopmat-gemm that is found has no pass " + productNode);
  Pass fill;
  fill.name = "empty output";
  fill.kind = PassKind::fill;
  fill.accesses = {{download->accesses.front().resource, AccessKind::write, AccessPoint::transfer}};
  passes.insert(product, std::move(fill));
  return schedule;
}

const Json* studyKernel(const std::string& variant) {
  return figureLike(study("gemm").at("figures"), {{"variant", variant}}, {"variant"});
}

// Null if none was measured. The study's kernels or ours.
const Json* fastestProduct(const ResultTable& table, bool ofStudy) {
  return fastest(table.rows, [&](const Json& row) { return row.value("ofStudy", !ofStudy) == ofStudy; });
}

// What products of all shapes share.
struct GemmStudy {
  Lab& lab;
  DeviceCeilings ceilings;
  GemmShape shape = {};  // of the last product, whose samples are kept
  std::unique_ptr<GemmSamples> samples = {};
  std::map<std::string, double> speeds =
      {};  // operations a second for the last shape, by variant, sums, layout
  ResultTable summary = {"gemm",
                         "the best of each",
                         "",
                         {{"our fastest", -40, "/task"},
                          {"TFLOP/s", 8, "/operationsPerSecond", "{:.4g}", 1e-12, Mark::measured},
                          {"% peak", 6, "/shareOfPeak", "{:.1f}", 100.0},
                          {"x study", 8, "/timesStudy", "{:.2f}"},
                          {" the study's fastest", -20, "/study"}}};

  // Both factors are made on the device, once for all products of a shape.
  const GemmSamples& samplesOf(const GemmShape& of) {
    if (samples == nullptr || print(of) != print(shape)) {
      shape = of;
      samples = std::make_unique<GemmSamples>(of, madeBy(lab, factorA(of), "random-array:a"),
                                              madeBy(lab, factorB(of), "random-array:b"));
    }
    return *samples;
  }
};

Subject subjectOf(Lab& lab, const GemmTask& task) {
  return {lab,
          graphInto(lab,
                    factorA(task.shape) + factorB(task.shape) +
                        fmt::format("module:coopmat-gemm:01\nparam:coopmat-gemm:01:accumulate:{}\n"
                                    "param:coopmat-gemm:01:pack:{}\n"
                                    "connect:random-array:a:output:coopmat-gemm:01:a\n"
                                    "connect:random-array:b:output:coopmat-gemm:01:b\n",
                                    task.halfSums ? "f16" : "f32", task.pack),
                    "coopmat-gemm:01"),
          gemmNode, gemmNode};
}

// A product of two random matrices.
class GemmCase : public StudySubject {
 public:
  GemmCase(GemmStudy& all, const GemmTask& task)
      : StudySubject("variant"),
        all_(all),
        lab_(all.lab),
        task_(task),
        samples_(all.samplesOf(task.shape)),
        subject_(subjectOf(lab_, task)) {}

  ResultTable table() override {
    const bool isStudySize = task_.shape.isSquare() && task_.shape.n == study("gemm").at("size");
    ResultTable table{
        fmt::format("gemm-{}-{}-{}", print(task_.shape), task_.halfSums ? "f16" : "f32", layoutName(task_)),
        print(task_),
        "",
        {{"", -46, "/label"},
         {"ms", 10, "/ms", "{:.5f}"},
         {"TFLOP/s", 8, "/operationsPerSecond", "{:.4g}", 1e-12, Mark::measured},
         {"% peak", 6, "/shareOfPeak", "{:.1f}", 100.0},
         {"GB/s", 8, "/bytesPerSecond", "{:.1f}", 1e-9},
         {"+-%", 6, "/spread", "{:.1f}", 100.0},
         {"error", 8, "/error", "{:.1e}"},
         {isStudySize ? "study" : "", 14, isStudySize ? "/study" : "/none"}}};
    table.facts = {
        {"n", task_.shape.n},
        {"p", task_.shape.p},
        {"m", task_.shape.m},
        {"accumulate", task_.halfSums ? "f16" : "f32"},
        {"input", layoutName(task_)},
        {"operations", task_.shape.operations()},
        {"leastBytes", task_.shape.leastBytes()},
        {"peak", task_.halfSums ? all_.ceilings.tensorF16PerSecond : all_.ceilings.tensorF32PerSecond}};
    return table;
  }

  std::vector<StudyCandidate> candidates() override {
    std::vector<StudyCandidate> found;
    for (const VariantDescription* variant : subject_.variants()) {
      if (subject_.schedulesOf(*variant, lab_.arguments.schedules).empty())
        continue;
      found.push_back(candidateOf(*variant));
      if (const std::string reason = tooSlow(variant->name); !reason.empty()) {
        found.back().leftOut = {{"variant", variant->name},
                                {"schedule", variant->name},
                                {"label", "   " + variant->name},
                                {"refused", reason}};
      }
    }
    return found;
  }

  // The fastest row of the study's kernel shows its speed.
  void compare(ResultTable& table, size_t first) override {
    StudySubject::compare(table, first);
    for (size_t i = first; i < table.rows.size(); ++i) {
      Json& row = table.rows[i];
      if (!row.value("fastestOfVariant", false))
        continue;
      all_.speeds[speedKey(row.at("variant"))] = row.at("operationsPerSecond");
      if (const Json* kernel = studyKernel(row.at("variant"))) {
        const double speed = kernel->at("operationsPerSecond");
        row["study"] = fmt::format("{:.3g} ({:.1f}%)", speed * 1e-12,
                                   100.0 * speed / study("gemm").at("peakOperationsPerSecond").get<double>());
      }
    }
  }

  // The packing of factors, our fastest kernel ("fastest"), and its speed relative to the study's best.
  std::vector<ResultTable> finish(ResultTable& table) override {
    const Json* ours = fastestProduct(table, false);
    const Json* theirs = fastestProduct(table, true);
    Json packed;
    for (const Json* row : {ours, theirs})
      packed = row != nullptr && packed.is_null() ? packing(row->at("schedule")) : packed;
    if (ours != nullptr) {
      table.facts["fastest"] = {{"schedule", ours->at("schedule")}, {"ms", ours->at("ms")}};
      setRatio(table.facts, "timesStudy", msOf(theirs), msOf(ours));
      Json& line = all_.summary.rows.emplace_back(*ours);
      line["task"] = table.title;
      if (theirs != nullptr) {
        line["timesStudy"] = table.facts.at("timesStudy");
        line["study"] = " " + theirs->at("schedule").get<std::string>();
      }
    }
    if (!packed.is_null()) {
      table.facts["packing"] = packed;
      lab_.report.print(lacuna::print(table, packed));
    }
    return {};
  }

 private:
  // Only products are timed.
  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row) {
    const std::string& variant = subject_.named(schedule).variant->name;
    const bool ofStudy = studyKernel(variant) != nullptr;
    row = {{"variant", variant},
           {"schedule", schedule},
           {"ofStudy", ofStudy},
           {"label", (ofStudy ? "   " : "+  ") + schedule}};
    auto chain = subject_.open(schedule, row, {.change = [&](FrameGraph passes) {
                                 return withEmptyOutput(std::move(passes), subject_.nodeName());
                               }});
    if (chain == nullptr)
      return nullptr;
    const double error = samples_.errorOf(chain->compute());
    if (!isRight(row, error, allowedError(task_)))
      return nullptr;
    row["error"] = error;
    chain->repeat(chain->passes().size() - 1, true, gemmSpanMs);
    return chain;
  }

  // For a variant: a row for each schedule of --schedule and --candidates; for the study's variants with
  // several blocks, "best" is each square one. Otherwise a search finds the best of all.
  StudyCandidate candidateOf(const VariantDescription& variant) {
    const std::vector<std::string>& asked = lab_.arguments.schedules;
    std::vector<std::string> schedules = subject_.schedulesOf(variant, asked);
    bool isBest = lab_.arguments.candidates == "best";
    decltype(RoundsOptions::more) more;
    const bool isWhole = asked.empty() || std::find(asked.begin(), asked.end(), variant.name) != asked.end();
    if (const Json* kernel = studyKernel(variant.name); isBest && isWhole && kernel != nullptr) {
      isBest = !kernel->value("squareBlocks", false);
      std::erase_if(schedules, [&](const std::string& schedule) {
        const auto [width, height] = pixelsOfWorkgroup(subject_.named(schedule));
        return !isBest && width != height;
      });
    }
    if (isBest && isWhole) {
      std::erase_if(schedules,
                    [&](const auto& s) { return !subject_.rejectionOf(subject_.named(s)).empty(); });
      schedules = {schedules.empty() ? print(defaultSchedule(variant)) : schedules.front()};
      more = [search = KernelSearch({&variant}, [this](const KernelSchedule& schedule) {
                return schedule.storage == ResourceKind::buffer && subject_.rejectionOf(schedule).empty();
              })](const std::vector<TimedSchedule>& ranked) mutable { return search.next(ranked); };
    }
    return {schedules, [this](const std::string& schedule, Json& row) { return open(schedule, row); }, isBest,
            more};
  }

  // Passes that copy the factors into panels, outside of the products' times; a row, or null if the kernel
  // reads the original factors.
  Json packing(const std::string& schedule) const {
    Json row = {{"label", "   packing both factors, in no product's time"}, {"variant", "packing"}};
    const auto chain = subject_.open(schedule, row);
    if (chain == nullptr || chain->passes().size() == 1)
      return nullptr;
    chain->run();
    double ms = 0.0, bytes = 0.0;
    for (size_t pass = 0; pass + 1 < chain->passes().size(); ++pass) {
      chain->repeat(pass, false, gemmSpanMs);
      chain->preheat(packingPreheat * lab_.effort.preheatMs);
      std::vector<double> samples;
      for (BenchRuns runs(lab_.effort); runs.next();)
        samples.push_back(chain->run().front());
      ms += median(samples);
      bytes += chain->bytes(pass);
    }
    row.update({{"ms", ms}, {"bytes", bytes}, {"bytesPerSecond", bytes / (ms * 1e-3)}});
    return row;
  }

  std::string speedKey(const std::string& variant) const {
    return fmt::format("{} {} {}", variant, task_.halfSums, task_.pack);
  }

  // By the speed of the last shape: the reason why the variant is omitted.
  std::string tooSlow(const std::string& variant) const {
    const auto speed = all_.speeds.find(speedKey(variant));
    if (speed == all_.speeds.end())
      return {};
    const double seconds = task_.shape.operations() / speed->second;
    if (lab_.effort.seconds <= 0.0 || fewestRuns * seconds <= lab_.effort.seconds)
      return {};
    return fmt::format("left out: {} products would take {:.1f} s, by the shape before; --limit is {:g} s",
                       fewestRuns, fewestRuns * seconds, lab_.effort.seconds);
  }

  GemmStudy& all_;
  Lab& lab_;
  GemmTask task_;
  const GemmSamples& samples_;
  Subject subject_;
};

std::string gemmHead(const Lab& lab, const DeviceCeilings& ceilings) {
  const Json& paper = study("gemm");
  std::string text = fmt::format(
      "coopmat-gemm: products of f16 matrices of normal numbers; of each variant's candidates {}\n"
      "ms: of a product, median of up to {} runs, each of at least {:.0f} ms back to back between two "
      "timestamps\n"
      "TFLOP/s: 2 n p m operations a product\n",
      candidatesText(lab), lab.effort.runs, gemmSpanMs);
  text +=
      ceilings.tensorF32PerSecond == 0.0
          ? "% peak: not known here; `lacuna bench device --part tensor` measures it, on devices that have "
            "tensor cores\n"
          : fmt::format(
                "% peak: of {:.0f} TFLOP/s with f32 sums and {:.0f} with f16 sums, which `lacuna bench "
                "device` found\n",
                ceilings.tensorF32PerSecond * 1e-12, ceilings.tensorF16PerSecond * 1e-12);
  text += fmt::format(
      "GB/s: of factors and product once; +-%: the slowest run less the fastest, which shows clocks that "
      "move\n"
      "error: of {} elements, relative to double precision; +: beyond the study\n"
      "study: {}, {}, TFLOP/s (of its peak):\n       {}\n",
      GemmSamples::count, paper.at("title").get<std::string>(), paper.at("device").get<std::string>(),
      paper.at("note").get<std::string>());
  for (const Json& note : lab.report.json.at("notes"))
    text += note.get<std::string>() + "\n";
  return text;
}

}  // namespace

int runBenchGemm(const BenchArguments& arguments) {
  Lab lab(arguments);
  GemmStudy all{lab, keptCeilings(lab.device.info())};
  std::vector<std::string> notes;
  const std::vector<GemmTask> tasks = gemmTasks(lab, notes);
  lab.report.json.update({{"spanMs", gemmSpanMs},
                          {"limitSeconds", arguments.limitSeconds},
                          {"ceilings", toJson(all.ceilings)},
                          {"notes", notes}});
  // Kernels depend on the layout of factors, not on the shape, so names are looked for among those of the
  // first shape.
  std::list<Subject> subjects;
  std::vector<const VariantDescription*> variants;
  Study gemm{"gemm", gemmHead(lab, all.ceilings)};
  for (const GemmTask& task : tasks) {
    if (print(task.shape) == print(tasks.front().shape)) {
      const auto own = subjects.emplace_back(subjectOf(lab, task)).variants();
      variants.insert(variants.end(), own.begin(), own.end());
    }
    gemm.subjects.emplace_back([&] { return std::make_unique<GemmCase>(all, task); });
  }
  if (!tasks.empty())
    checkVariants(arguments, variants);
  gemm.summaries = [&] {
    return all.summary.rows.empty() ? std::vector<ResultTable>() : std::vector{all.summary};
  };
  return runStudy(lab, gemm);
}

}  // namespace lacuna
