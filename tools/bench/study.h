#pragma once
// The one driver of studies: candidates of several subjects, each checked before it is timed, beside the
// figures of a paper.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/run/tune/tune.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/kernel/kernel_search.h"
#include "tests/references/picture.h"
#include "tools/bench/chain.h"

namespace lacuna {

// What is compared: the schedules of a variant or of a step.
struct StudyCandidate {
  std::vector<std::string> schedules;
  OpenChain open;
  bool isBest = false;  // a row for the fastest schedule alone, as measureRows() finds it
  decltype(RoundsOptions::more) more = {};
  Json leftOut = nullptr;  // if set, the row in place of measured ones, which says why
};

// What is filtered or multiplied, by several candidates.
class StudySubject {
 public:
  virtual ~StudySubject() = default;

  // With what is known before candidates are measured.
  virtual ResultTable table() = 0;
  virtual std::vector<StudyCandidate> candidates() { return {}; }
  // Computes derived values of a candidate's rows, from `first` on: by default those of derive().
  virtual void compare(ResultTable& table, size_t first);
  // After the last candidate. Returns tables to follow.
  virtual std::vector<ResultTable> finish(ResultTable&) { return {}; }

 protected:
  // `candidate`: the key of rows that names what they are a candidate of.
  explicit StudySubject(const char* candidate) : candidate_(candidate) {}

  const char* candidate_;
};

// A description of a study. Its figures and those of its paper are in studies.json.
struct Study {
  std::string name;
  std::string head;          // lines before the first table
  bool hasOneTable = false;  // of all subjects
  // Made one after the other: only one of them is in memory.
  std::vector<std::function<std::unique_ptr<StudySubject>()>> subjects = {};
  std::function<std::vector<ResultTable>()> summaries = [] { return std::vector<ResultTable>(); };
};

// Measures all of it. Returns the exit code.
int runStudy(Lab& lab, const Study& study);

// "the first", "the best", "all": the measured ones of a variant's schedules.
std::string candidatesText(const Lab& lab);

// A row's values that follow from its "ms": "timesSequential", "timesFloor", "nsPerPixel", "spread", and
// "operationsPerSecond", "paddedOperationsPerSecond", "bytesPerSecond" and "shareOfPeak", as far as the row
// or its table's facts have "sequentialMs", "floorMs", "width", "height", "operations", "paddedOperations",
// "leastBytes" and "peak".
void derive(Json& row, const Json& facts);

// A kernel of a graph, under any of its schedules.
class Subject {
 public:
  // `node`: the one whose schedule is chosen, as nodeNamed() finds it. `timed`: the one whose passes are
  // timed, with all nodes that it builds. Throws Error.
  Subject(Lab& lab, NodeGraph graph, const std::string& node, std::string timed);

  const NodeGraph& graph() const { return graph_; }
  const std::string& nodeName() const { return node_; }
  std::vector<const VariantDescription*> variants() const { return variantsOf(graph_, node()); }
  KernelSchedule named(const std::string& schedule) const {
    return *kernelScheduleNamed(variants(), schedule);
  }
  std::string rejectionOf(const KernelSchedule& schedule) const;

  // For a variant, the schedules of --schedule and --candidates: the first that the device can run; for
  // `best` and `all` every one that matches a name. A complete name selects one. Empty if it isn't requested.
  std::vector<std::string> schedulesOf(const VariantDescription& variant,
                                       const std::vector<std::string>& asked) const;

  // As openChain(). An empty name: the default choice.
  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row,
                                   const ChainOptions& options = {}) const;

 private:
  const Node& node() const { return nodeNamed(graph_, node_); }

  Lab& lab_;
  NodeGraph graph_;
  std::string node_, timed_;
};

// Throws Error with all names of --schedule that no variant has.
void checkVariants(const BenchArguments& arguments, const std::vector<const VariantDescription*>& variants);

// What is compared before anything is timed: wrong results aren't.
std::vector<float> floatsOf(std::span<const std::byte> halves);
test::Picture pictureOf(std::span<const float> values, Extent size, int components);

// The error by the Frobenius norm. NaN if some value is; infinite if sizes differ.
double relativeError(std::span<const float> made, std::span<const float> expected);

// The first result, in halves, which the others must equal.
class ExpectedPicture {
 public:
  bool isThere() const { return !first_.empty(); }
  // As relativeError(); 0 for the first picture, or NaN.
  double errorOf(std::span<const std::byte> halves);

 private:
  std::vector<std::byte> first_;
};

// Whether `error` is at most `allowed`. Marks a row as wrong; NaN is wrong, too.
bool isRight(Json& row, double error, double allowed);

}  // namespace lacuna
