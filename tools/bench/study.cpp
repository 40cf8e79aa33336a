#include "tools/bench/study.h"

#include <Imath/half.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

#include "graph/lists.h"
#include "tools/bench/places.h"

namespace lacuna {
namespace {

void measureCandidate(Lab& lab, StudySubject& subject, StudyCandidate& candidate, ResultTable& table) {
  const size_t first = table.rows.size();
  if (candidate.leftOut.is_null()) {
    measureRows(candidate.schedules, candidate.isBest, candidate.open, lab.effort, table.rows,
                candidate.more);
  } else {
    table.rows.push_back(candidate.leftOut);
  }
  subject.compare(table, first);
  lab.report.show(table);
}

}  // namespace

int runStudy(Lab& lab, const Study& study) {
  Report& report = lab.report;
  if (!lab.arguments.candidates.empty())
    report.json["candidates"] = lab.arguments.candidates;
  report.json["study"] = lacuna::study(study.name);
  report.print(report.printDevice() + study.head);
  ResultTable* table = nullptr;
  for (const auto& make : study.subjects) {
    const std::unique_ptr<StudySubject> subject = make();
    std::vector<StudyCandidate> candidates = subject->candidates();
    if (table == nullptr) {
      ResultTable own = subject->table();
      if (candidates.empty() && own.rows.empty() && own.refused.empty())
        continue;
      table = &report.begin(std::move(own));
    }
    for (StudyCandidate& candidate : candidates)
      measureCandidate(lab, *subject, candidate, *table);
    const std::vector<ResultTable> behind = subject->finish(*table);
    if (!study.hasOneTable || &make == &study.subjects.back()) {
      report.end(*table);
      table = nullptr;
    }
    for (const ResultTable& each : behind)
      report.add(each);
  }
  for (const ResultTable& summary : study.summaries())
    report.add(summary);
  return report.finish();
}

void StudySubject::compare(ResultTable& table, size_t first) {
  std::string isFastest = candidate_;
  isFastest.front() = static_cast<char>(std::toupper(isFastest.front()));
  isFastest = "fastestOf" + isFastest;
  for (size_t i = first; i < table.rows.size(); ++i) {
    if (Json& row = table.rows[i]; row.contains("ms")) {
      derive(row, table.facts);
      setRatio(row, "timesNaive", msOf(fastestWith(table.rows, candidate_, "naive")), msOf(&row));
      row[isFastest] = &row == fastestWith(table.rows, candidate_, row.at(candidate_));
    }
  }
}

std::string candidatesText(const Lab& lab) {
  return (lab.arguments.candidates == "all" ? "" : "the ") + lab.arguments.candidates;
}

void derive(Json& row, const Json& facts) {
  const auto number = [&](std::initializer_list<const char*> pointers) {
    for (const char* pointer : pointers) {
      const Json::json_pointer at(pointer);
      if (row.contains(at) || facts.contains(at))
        return (row.contains(at) ? row : facts).at(at).get<double>();
    }
    return 0.0;
  };
  const double ms = msOf(&row);
  setRatio(row, "timesSequential", number({"/sequentialMs", "/sequential/ms"}), ms);
  setRatio(row, "timesFloor", ms, number({"/floorMs", "/floor/ms"}));
  setRatio(row, "nsPerPixel", ms * 1e6, number({"/width"}) * number({"/height"}));
  setRatio(row, "spread", number({"/mostMs"}) - number({"/leastMs"}), ms);
  setRatio(row, "bytesPerSecond", number({"/leastBytes", "/bytes"}) * 1e3, ms);
  setRatio(row, "operationsPerSecond", number({"/operations"}) * 1e3, ms);
  setRatio(row, "paddedOperationsPerSecond", number({"/paddedOperations"}) * 1e3, ms);
  setRatio(row, "shareOfPeak", number({"/operationsPerSecond"}), number({"/peak"}));
}

Subject::Subject(Lab& lab, NodeGraph graph, const std::string& node, std::string timed)
    : lab_(lab), graph_(std::move(graph)), node_(nodeNamed(graph_, node).name), timed_(std::move(timed)) {}

std::string Subject::rejectionOf(const KernelSchedule& schedule) const {
  return rejection(graph_, node(), schedule, lab_.device.info().limits);
}

std::vector<std::string> Subject::schedulesOf(const VariantDescription& variant,
                                              const std::vector<std::string>& asked) const {
  const bool isFirst = lab_.arguments.candidates == "first";
  std::vector<std::string> names;
  for (const std::string& name : asked.empty() ? std::vector{variant.name} : asked) {
    const auto meant = kernelScheduleNamed(variants(), name);
    if (!meant || meant->variant != &variant)
      continue;
    std::vector<KernelSchedule> all = {*meant};
    if (const bool isWhole = name.find_first_of("@/") == std::string::npos; isWhole || !isFirst) {
      all = kernelSchedulesNamed(variants(), name);
      std::erase_if(all, [&](const KernelSchedule& each) { return each.storage != meant->storage; });
    }
    if (isFirst) {  // one that is refused shows why
      const auto fitting =
          std::find_if(all.begin(), all.end(), [&](const auto& each) { return rejectionOf(each).empty(); });
      all = {fitting == all.end() ? all.front() : *fitting};
    }
    for (const KernelSchedule& each : all)
      if (!contains(names, print(each)))
        names.push_back(print(each));
  }
  return names;
}

std::unique_ptr<BenchChain> Subject::open(const std::string& schedule, Json& row,
                                          const ChainOptions& options) const {
  if (const std::string refused = schedule.empty() ? "" : rejectionOf(named(schedule)); !refused.empty()) {
    row["refused"] = refused;
    return nullptr;
  }
  return openChain(lab_, graph_, schedule.empty() ? ForcedSchedules{} : ForcedSchedules{{node_, schedule}},
                   timed_, row, options);
}

void checkVariants(const BenchArguments& arguments, const std::vector<const VariantDescription*>& variants) {
  if (variants.empty())
    throw Error(ErrorKind::graph, "the module that is found has no variants");
  std::vector<std::string> known;
  for (const VariantDescription* variant : variants)
    if (!contains(known, variant->name))
      known.push_back(variant->name);
  checkSchedules(
      arguments, [&](const std::string& name) { return kernelScheduleNamed(variants, name).has_value(); },
      fmt::format("no schedule has this name; there are {}; then @WxH, then /CONSTANT",
                  fmt::join(known, ", ")));
}

std::vector<float> floatsOf(std::span<const std::byte> halves) {
  std::vector<float> values(halves.size() / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, &halves[2 * i], 2);
    values[i] = imath_half_to_float(bits);
  }
  return values;
}

test::Picture pictureOf(std::span<const float> values, Extent size, int components) {
  test::Picture picture(static_cast<int>(size.width), static_cast<int>(size.height), components);
  std::copy(values.begin(), values.end(), picture.values.begin());
  return picture;
}

double relativeError(std::span<const float> made, std::span<const float> expected) {
  double error = made.size() == expected.size() ? 0.0 : INFINITY, size = 0.0;
  for (size_t i = 0; i < std::min(made.size(), expected.size()); ++i) {
    const double difference = double{made[i]} - expected[i];
    error += difference * difference;
    size += double{expected[i]} * expected[i];
  }
  return error == 0.0 ? 0.0 : std::sqrt(error / size);
}

double ExpectedPicture::errorOf(std::span<const std::byte> halves) {
  const bool isFirst = first_.empty();
  if (isFirst)
    first_.assign(halves.begin(), halves.end());
  // Millions of conversions are omitted if the bits are equal.
  return !isFirst && std::equal(halves.begin(), halves.end(), first_.begin(), first_.end())
             ? 0.0
             : relativeError(floatsOf(halves), floatsOf(first_));
}

bool isRight(Json& row, double error, double allowed) {
  const bool right = error <= allowed;
  if (!right) {
    row["refused"] = fmt::format("wrong: relative error {:.1e}, expected {:.1e} at most", error, allowed);
    row["wrong"] = true;
  }
  return right;
}

}  // namespace lacuna
