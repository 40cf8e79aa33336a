// `lacuna bench gemm`: matrix products by coopmat-gemm, in the set-up of Vannson 2023, figure 12, and for a
// U-Net: each of the study's kernels and ours, by size, precision of sums and layout.

#include <algorithm>
#include <list>
#include <map>
#include <optional>

#include "graph/lists.h"
#include "tools/bench/check.h"
#include "tools/bench/device/ceilings.h"
#include "tools/bench/gemm/samples.h"
#include "tools/bench/places.h"
#include "tools/bench/subject.h"

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

// Makes both factors on the device, once for all products of a shape.
GemmSamples samplesOf(Lab& lab, const GemmShape& shape) {
  return {shape, madeBy(lab, factorA(shape), "random-array:a"),
          madeBy(lab, factorB(shape), "random-array:b")};
}

// Zeros in the product's memory before, so that elements which a kernel omits aren't another one's results.
FrameGraph withEmptyOutput(FrameGraph schedule, const std::string& productNode) {
  auto& passes = schedule.passes;
  const auto product =
      std::find_if(passes.begin(), passes.end(), [&](const Pass& pass) { return pass.name == productNode; });
  const auto download = std::find_if(passes.begin(), passes.end(),
                                     [](const Pass& pass) { return pass.kind == PassKind::download; });
  if (product == passes.end() || download == passes.end()) {
    throw BenchMistake(
        fmt::format("lacuna: the module coopmat-gemm that is found has no pass {}\n", productNode));
  }
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

// A product of two random matrices.
class GemmCase {
 public:
  GemmCase(Lab& lab, const GemmTask& task, const GemmSamples& samples)
      : lab_(lab),
        task_(task),
        samples_(samples),
        subject_(lab,
                 graphInto(lab,
                           factorA(task.shape) + factorB(task.shape) +
                               fmt::format("module:coopmat-gemm:01\nparam:coopmat-gemm:01:accumulate:{}\n"
                                           "param:coopmat-gemm:01:pack:{}\n"
                                           "connect:random-array:a:output:coopmat-gemm:01:a\n"
                                           "connect:random-array:b:output:coopmat-gemm:01:b\n",
                                           task.halfSums ? "f16" : "f32", task.pack),
                           "coopmat-gemm:01"),
                 gemmNode, gemmNode) {}

  const Subject& subject() const { return subject_; }

  // Only products are timed.
  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row) const {
    const std::string& variant = subject_.named(schedule).variant->name;
    const bool ofStudy = studyKernel(variant) != nullptr;
    row = {{"variant", variant},
           {"schedule", schedule},
           {"ofStudy", ofStudy},
           {"label", (ofStudy ? "   " : "+  ") + schedule}};
    auto chain = subject_.open(schedule, row, [&](FrameGraph passes) {
      return withEmptyOutput(std::move(passes), subject_.nodeName());
    });
    if (chain == nullptr) {
      return nullptr;
    }
    const double error = samples_.errorOf(chain->compute());
    if (!isRight(row, error, allowedError(task_))) {
      return nullptr;
    }
    row["error"] = error;
    chain->repeat(chain->passes().size() - 1, true, gemmSpanMs);
    return chain;
  }

  // For a variant: a row for each schedule of --schedule and --candidates; for the study's variants with
  // several blocks, "best" is each square one. Otherwise a search finds the best of all.
  void measureVariant(const VariantDescription& variant, Json& rows) const {
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
    measureRows(
        schedules, isBest, [this](const std::string& schedule, Json& row) { return open(schedule, row); },
        lab_.effort, rows, more);
  }

  // Passes that copy the factors into panels, outside of the products' times; a row, or null if the kernel
  // reads the original factors.
  Json packing(const std::string& schedule) const {
    Json row = {{"label", "   packing both factors, in no product's time"}, {"variant", "packing"}};
    const auto chain = subject_.open(schedule, row);
    if (chain == nullptr || chain->passes().size() == 1) {
      return nullptr;
    }
    chain->run();
    double ms = 0.0, bytes = 0.0;
    for (size_t pass = 0; pass + 1 < chain->passes().size(); ++pass) {
      chain->repeat(pass, false, gemmSpanMs);
      chain->preheat(packingPreheat * lab_.effort.preheatMs);
      std::vector<double> samples;
      for (BenchRuns runs(lab_.effort); runs.next();) {
        samples.push_back(chain->run().front());
      }
      ms += median(samples);
      bytes += chain->bytes(pass);
    }
    row.update({{"ms", ms}, {"bytes", bytes}, {"bytesPerSecond", bytes / (ms * 1e-3)}});
    return row;
  }

 private:
  Lab& lab_;
  GemmTask task_;
  const GemmSamples& samples_;
  Subject subject_;
};

// Null if none was measured. The study's kernels or ours.
const Json* fastestProduct(const ResultTable& table, bool ofStudy) {
  return fastest(table.rows, [&](const Json& row) { return row.value("ofStudy", !ofStudy) == ofStudy; });
}

ResultTable tableOf(const GemmTask& task, const DeviceCeilings& ceilings) {
  const bool isStudySize = task.shape.isSquare() && task.shape.n == study("gemm").at("size");
  ResultTable table{
      fmt::format("gemm-{}-{}-{}", print(task.shape), task.halfSums ? "f16" : "f32", layoutName(task)),
      print(task),
      "",
      {{"", -46, "/label"},
       {"ms", 10, "/ms", "{:.5f}"},
       {"TFLOP/s", 8, "/operationsPerSecond", "{:.4g}", 1e-12, Mark::measured},
       {"% peak", 6, "/shareOfPeak", "{:.1f}", 100.0},
       {"GB/s", 8, "/bytesPerSecond", "{:.1f}", 1e-9},
       {"+-%", 6, "/spread", "{:.1f}", 100.0},
       {"error", 8, "/error", "{:.1e}"},
       {isStudySize ? "study" : "", 14, isStudySize ? "/study" : "/none"}}};
  table.facts = {{"n", task.shape.n},
                 {"p", task.shape.p},
                 {"m", task.shape.m},
                 {"accumulate", task.halfSums ? "f16" : "f32"},
                 {"input", layoutName(task)},
                 {"operations", task.shape.operations()},
                 {"leastBytes", task.shape.leastBytes()},
                 {"peak", task.halfSums ? ceilings.tensorF16PerSecond : ceilings.tensorF32PerSecond}};
  return table;
}

// Computes derived values of measured rows, from `first` on, which must contain all of their variants. The
// fastest row of the study's kernel shows its speed.
void compareGemmRows(ResultTable& table, size_t first) {
  const Json& paper = study("gemm");
  for (size_t i = first; i < table.rows.size(); ++i) {
    Json& row = table.rows[i];
    if (!row.contains("ms")) {
      continue;
    }
    const double perSecond = table.facts.at("operations").get<double>() / (msOf(&row) * 1e-3);
    row["operationsPerSecond"] = perSecond;
    setRatio(row, "shareOfPeak", perSecond, table.facts.at("peak"));
    row["bytesPerSecond"] = table.facts.at("leastBytes").get<double>() / (msOf(&row) * 1e-3);
    setRatio(row, "spread", row.at("mostMs").get<double>() - row.at("leastMs").get<double>(), msOf(&row));
    row["fastestOfVariant"] = &row == fastestWith(table.rows, "variant", row.at("variant"));
    if (const Json* kernel = studyKernel(row.at("variant"));
        kernel != nullptr && row.at("fastestOfVariant")) {
      const double speed = kernel->at("operationsPerSecond");
      row["study"] = fmt::format("{:.3g} ({:.1f}%)", speed * 1e-12,
                                 100.0 * speed / paper.at("peakOperationsPerSecond").get<double>());
    }
  }
}

class GemmBench {
 public:
  explicit GemmBench(const BenchArguments& arguments)
      : lab_(arguments), ceilings_(keptCeilings(lab_.device.info())) {}

  int run() {
    Json& json = lab_.report.json;
    std::vector<std::string> notes;
    const std::vector<GemmTask> tasks = gemmTasks(lab_, notes);
    json["candidates"] = lab_.arguments.candidates;
    json["spanMs"] = gemmSpanMs;
    json["limitSeconds"] = lab_.arguments.limitSeconds;
    json["ceilings"] = toJson(ceilings_);
    json["notes"] = notes;
    json["study"] = study("gemm");
    for (auto first = tasks.begin(); first != tasks.end();) {
      const auto end = std::find_if(
          first, tasks.end(), [&](const GemmTask& task) { return print(task.shape) != print(first->shape); });
      measureShape({first, end});
      first = end;
    }
    if (!summary_.rows.empty()) {
      lab_.report.add(summary_);
    }
    return lab_.report.finish();
  }

 private:
  // Kernels depend on the layout of factors, not on the shape, so names are looked for among those of the
  // first shape.
  void measureShape(const std::vector<GemmTask>& tasks) {
    const GemmSamples samples = samplesOf(lab_, tasks.front().shape);
    std::list<GemmCase> cases;
    std::vector<const VariantDescription*> variants;
    for (const GemmTask& task : tasks) {
      const auto own = cases.emplace_back(lab_, task, samples).subject().variants();
      variants.insert(variants.end(), own.begin(), own.end());
    }
    if (!hasHead_) {
      checkVariants(lab_.arguments, variants);
      lab_.report.print(lab_.report.printDevice() + head());
      hasHead_ = true;
    }
    auto task = tasks.begin();
    for (const GemmCase& product : cases) {
      const auto own = product.subject().variants();
      if (std::any_of(own.begin(), own.end(),
                      [&](const VariantDescription* variant) {  // not all read fragments
                        return !product.subject().schedulesOf(*variant, lab_.arguments.schedules).empty();
                      })) {
        measure(product, *task);
      }
      ++task;
    }
  }

  void measure(const GemmCase& product, const GemmTask& task) {
    ResultTable& table = lab_.report.begin(tableOf(task, ceilings_));
    for (const VariantDescription* variant : product.subject().variants()) {
      const size_t first = table.rows.size();
      if (product.subject().schedulesOf(*variant, lab_.arguments.schedules).empty()) {
        continue;
      }
      if (const std::string reason = tooSlow(*variant, task); !reason.empty()) {
        table.rows.push_back({{"variant", variant->name},
                              {"schedule", variant->name},
                              {"label", "   " + variant->name},
                              {"refused", reason}});
      } else {
        product.measureVariant(*variant, table.rows);
      }
      compareGemmRows(table, first);
      lab_.report.show(table);
      if (const Json* best = fastestWith(table.rows, "variant", variant->name)) {
        speeds_[speedKey(*variant, task)] = best->at("operationsPerSecond");
      }
    }
    Json packing;
    for (const bool ofStudy : {false, true}) {
      if (const Json* row = fastestProduct(table, ofStudy); row != nullptr && packing.is_null()) {
        packing = product.packing(row->at("schedule"));
      }
    }
    summarise(table);
    if (!packing.is_null()) {
      table.facts["packing"] = packing;
      lab_.report.print(lacuna::print(table, packing));
    }
    lab_.report.end(table);
  }

  // Our fastest kernel ("fastest"), and its speed relative to the study's best.
  void summarise(ResultTable& table) {
    const Json* ours = fastestProduct(table, false);
    const Json* theirs = fastestProduct(table, true);
    if (ours == nullptr) {
      return;
    }
    table.facts["fastest"] = {{"schedule", ours->at("schedule")}, {"ms", ours->at("ms")}};
    setRatio(table.facts, "timesStudy", msOf(theirs), msOf(ours));
    Json& line = summary_.rows.emplace_back(*ours);
    line["task"] = table.title;
    if (theirs != nullptr) {
      line["timesStudy"] = table.facts.at("timesStudy");
      line["study"] = " " + theirs->at("schedule").get<std::string>();
    }
  }

  static std::string speedKey(const VariantDescription& variant, const GemmTask& task) {
    return fmt::format("{} {} {}", variant.name, task.halfSums, task.pack);
  }

  // By the speed of the last shape: the reason why the variant is omitted.
  std::string tooSlow(const VariantDescription& variant, const GemmTask& task) const {
    const auto speed = speeds_.find(speedKey(variant, task));
    if (speed == speeds_.end()) {
      return {};
    }
    const double seconds = task.shape.operations() / speed->second;
    if (lab_.effort.seconds <= 0.0 || fewestRuns * seconds <= lab_.effort.seconds) {
      return {};
    }
    return fmt::format("left out: {} products would take {:.1f} s, by the shape before; --limit is {:g} s",
                       fewestRuns, fewestRuns * seconds, lab_.effort.seconds);
  }

  std::string head() const {
    const std::string& candidates = lab_.arguments.candidates;
    const Json& paper = study("gemm");
    std::string text = fmt::format(
        "coopmat-gemm: products of f16 matrices of normal numbers; of each variant's candidates {}{}\n"
        "ms: of a product, median of up to {} runs, each of at least {:.0f} ms back to back between two "
        "timestamps\n"
        "TFLOP/s: 2 n p m operations a product\n",
        candidates == "all" ? "" : "the ", candidates, lab_.effort.runs, gemmSpanMs);
    text +=
        ceilings_.tensorF32PerSecond == 0.0
            ? "% peak: not known here; `lacuna bench device --part tensor` measures it, on devices that have "
              "tensor cores\n"
            : fmt::format(
                  "% peak: of {:.0f} TFLOP/s with f32 sums and {:.0f} with f16 sums, which `lacuna bench "
                  "device` found\n",
                  ceilings_.tensorF32PerSecond * 1e-12, ceilings_.tensorF16PerSecond * 1e-12);
    text += fmt::format(
        "GB/s: of factors and product once; +-%: the slowest run less the fastest, which shows clocks that "
        "move\n"
        "error: of {} elements, relative to double precision; +: beyond the study\n"
        "study: {}, {}, TFLOP/s (of its peak):\n       {}\n",
        GemmSamples::count, paper.at("title").get<std::string>(), paper.at("device").get<std::string>(),
        paper.at("note").get<std::string>());
    for (const Json& note : lab_.report.json.at("notes")) {
      text += note.get<std::string>() + "\n";
    }
    return text;
  }

  Lab lab_;
  DeviceCeilings ceilings_;
  bool hasHead_ = false;
  std::map<std::string, double> speeds_;  // operations a second for the last shape
  ResultTable summary_{"gemm",
                       "the best of each",
                       "",
                       {{"our fastest", -40, "/task"},
                        {"TFLOP/s", 8, "/operationsPerSecond", "{:.4g}", 1e-12, Mark::measured},
                        {"% peak", 6, "/shareOfPeak", "{:.1f}", 100.0},
                        {"x study", 8, "/timesStudy", "{:.2f}"},
                        {" the study's fastest", -20, "/study"}}};
};

}  // namespace

int runBenchGemm(const BenchArguments& arguments) {
  return GemmBench(arguments).run();
}

}  // namespace lacuna
