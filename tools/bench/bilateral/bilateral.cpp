// `lacuna bench bilateral`: the steps of Larsson 2015 and ours, at its sizes and radii, in colour and grey.
// For comparison a sequential filter on one thread of this machine, which is the reference, and the study's
// own figures.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "tools/bench/curve.h"
#include "tools/bench/places.h"
#include "tools/bench/sequential.h"
#include "tools/bench/study.h"

namespace lacuna {
namespace {

// The work of a tap in each channel: an exponential, and, each as much as an FMA, the difference, its square,
// the falloff's and the spatial weight's products, and both sums.
constexpr double fmasPerExponential = 6;

struct BilateralTask {
  Extent size;
  Channels channels = Channels::rgb;
  int radius = 1;

  bool isColour() const { return channels == Channels::rgb; }
  double exponentials() const {  // taps x channels x pixels
    return double(2 * radius + 1) * (2 * radius + 1) * componentCount(channels) * size.width * size.height;
  }
};

std::vector<BilateralTask> bilateralTasks(const Lab& lab) {
  std::vector<BilateralTask> tasks;
  for (const Extent size : lab.sizes({{512, 512}, {1920, 1080}, {5522, 3651}})) {
    for (const Channels channels : {Channels::rgb, Channels::y})
      for (const int radius :
           lab.arguments.radii.empty() ? std::vector{1, 3, 5, 7, 9, 11, 13, 15} : lab.arguments.radii)
        tasks.push_back({size, channels, radius});
  }
  return tasks;
}

// Bytes of a pattern in which neighbours differ.
std::shared_ptr<const std::vector<std::byte>> noise(size_t size) {
  std::minstd_rand random(1);
  std::vector<std::byte> bytes(size);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random() >> 16U); });
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

Subject subjectOf(Lab& lab, const BilateralTask& task) {
  const BilateralSigmas sigmas;
  ValueType type;
  type.channels = task.channels;
  type.format = Format::u8;
  type.extent = task.size;
  type.colour = ColourTag::rec709;
  return {
      lab,
      lab.graphOf(fmt::format("module:i-memory:in\nmodule:bilateral-study:01\nmodule:o-memory:out\n"
                              "connect:i-memory:in:output:bilateral-study:01:input\n"
                              "connect:bilateral-study:01:output:o-memory:out:input\n"
                              "param:bilateral-study:01:radius:{}\nparam:bilateral-study:01:sigma_space:{}\n"
                              "param:bilateral-study:01:sigma_range:{}\nparam:bilateral-study:01:border:{}\n",
                              task.radius, sigmas.space, sigmas.range, lab.arguments.border),
                  {{"i-memory:in", type}}),
      "bilateral-study:01:filter", "bilateral-study:01:filter"};
}

// The study's figures for a size and radius, with ratios among them; it has none for grey pictures.
Json bilateralStudyOf(const BilateralTask& task) {
  Json figures = Json::array();
  const Json key = {{"width", task.size.width}, {"height", task.size.height}, {"radius", task.radius}};
  for (const Json& figure : study("bilateral").at("figures"))
    if (task.isColour() && agree(figure, key, {"width", "height", "radius"}))
      figures.push_back(figure);
  for (Json& figure : figures) {
    figure["label"] = "| " + figure.at("name").get<std::string>();
    setRatio(figure, "timesSequential", msOf(fastestWith(figures, "variant", "sequential")), msOf(&figure));
    setRatio(figure, "timesNaive", msOf(fastestWith(figures, "variant", "naive")), msOf(&figure));
  }
  return figures;
}

// A curve for each variant: the fastest of its rows at each x, where there is one.
template <class X>
ResultTable curvesOf(const ResultTable& rows, const char* by, const std::string& unit, const X& x) {
  std::vector<Curve> curves;
  std::map<std::string, std::map<double, double>> fastest;
  for (const Json& row : rows.rows) {
    if (const double at = row.contains("ms") && row.contains("schedule") ? x(row) : 0.0; at > 0.0) {
      const std::string variant = row.at("variant");
      if (!fastest.contains(variant))
        curves.push_back({variant});
      double& ms = fastest[variant].try_emplace(at, row.at("ms")).first->second;
      ms = std::min(ms, row.at("ms").get<double>());
    }
  }
  for (Curve& curve : curves)
    for (const auto& [at, ms] : fastest.at(curve.name))
      curve.points.push_back({at, ms});
  ResultTable table = tableOf(fmt::format("{}, by {}", rows.title, unit), unit, "ms", curves);
  table.name = fmt::format("{}-by-{}", rows.name, by);
  return table;
}

// A picture of noise, 8 bit; the sequential filter's result, and the first variant that agreed.
class BilateralCase : public StudySubject {
 public:
  BilateralCase(Lab& lab, const BilateralTask& task)
      : StudySubject("variant"),
        lab_(lab),
        task_(task),
        pixels_(noise(pixelCount(task.size) * bytesPerPixel(task.channels, Format::u8))),
        sequential_(sequentialBilateral(*pixels_, task.size, componentCount(task.channels), task.radius, {})),
        subject_(subjectOf(lab, task)) {}

  ResultTable table() override {
    ResultTable table;
    table.name = fmt::format("bilateral-{}-{}-radius{}", print(task_.size),
                             task_.isColour() ? "colour" : "grey", task_.radius);
    table.title = fmt::format("{}, {}, radius {}", print(task_.size), task_.isColour() ? "colour" : "grey",
                              task_.radius);
    table.columns = {{"", -35, "/label"},
                     {"ms", 12, "/ms", "{:.4f}", 1.0, Mark::measured},
                     {"x seq.", 9, "/timesSequential", "{:.1f}"},
                     {"x naive", 8, "/timesNaive", "{:.2f}"}};
    table.facts = {{"width", task_.size.width},
                   {"height", task_.size.height},
                   {"channels", componentCount(task_.channels)},
                   {"radius", task_.radius},
                   {"exponentials", task_.exponentials()},
                   {"sequentialMs", sequential_.ms},
                   {"study", bilateralStudyOf(task_)}};
    if (!table.facts.at("study").empty()) {
      table.columns.insert(table.columns.end(), {{"| Larsson 2015", -14, "/study/label"},
                                                 {"ms", 12, "/study/ms", "{:.4f}"},
                                                 {"x seq.", 7, "/study/timesSequential", "{:.1f}"},
                                                 {"x naive", 8, "/study/timesNaive", "{:.2f}"}});
    }
    // The plain loop's time, here and in the study.
    Json row = {{"label", "  sequential, one thread"}, {"variant", "sequential"}, {"guarantee", "reference"}};
    if (sequential_.ms > 0.0) {
      row["ms"] = sequential_.ms;
      row["timesSequential"] = 1.0;
    }
    row["study"] = besideOf(table, row);
    table.rows.push_back(std::move(row));
    return table;
  }

  std::vector<StudyCandidate> candidates() override {
    std::vector<StudyCandidate> all;
    for (const VariantDescription* variant : subject_.variants()) {
      std::vector<std::string> schedules = subject_.schedulesOf(*variant, lab_.arguments.schedules);
      if (schedules.empty() && variant->name == "naive")  // the picture with which others are compared
        schedules = subject_.schedulesOf(*variant, {variant->name});
      all.push_back({schedules,
                     [this](const std::string& schedule, Json& row) { return open(schedule, row); },
                     lab_.arguments.candidates == "best"});
    }
    return all;
  }

  // The best time of the study's version of the same steps is shown beside the fastest of our variant.
  void compare(ResultTable& table, size_t first) override {
    StudySubject::compare(table, first);
    for (size_t i = first; i < table.rows.size(); ++i)
      if (Json& row = table.rows[i]; row.contains("ms"))
        row["study"] = row.at("fastestOfVariant") ? besideOf(table, row) : Json::object();
  }

  // The fastest exact one, and the work of the variant `rows`; then the study's figures 6.1 and 6.2.
  std::vector<ResultTable> finish(ResultTable& table) override {
    if (const Json* best = fastestWith(table.rows, "guarantee", "exact")) {
      table.facts["fastestExact"] = {{"schedule", best->at("schedule")}, {"ms", best->at("ms")}};
      std::string note = fmt::format("fastest exact one: {}, {:.4f} ms",
                                     best->at("schedule").get<std::string>(), msOf(best));
      for (const Json& figure : table.facts.at("study")) {
        note +=
            !figure.value("fastest", false)
                ? ""
                : fmt::format("; the study's: {}, 16x16{}, {:.4f} ms", figure.at("name").get<std::string>(),
                              figure.contains("tilingFactor")
                                  ? fmt::format(", 1x{}", figure.at("tilingFactor").get<int>())
                                  : "",
                              msOf(&figure));
      }
      table.notes.push_back(note);
    }
    if (const Json* row = fastestWith(table.rows, "variant", "rows")) {
      const double count = table.facts.at("exponentials"), seconds = msOf(row) * 1e-3;
      table.figures = {{"exponentials that rows needs", count, "count"},
                       {"exponentials a second", count / seconds, "count"},
                       {"FMAs that rows needs", fmasPerExponential * count, "count"},
                       {"FMAs a second", fmasPerExponential * count / seconds, "count"}};
      table.facts["needed"] = {{"schedule", row->at("schedule")},
                               {"exponentials", count},
                               {"exponentialsPerSecond", count / seconds},
                               {"fmas", fmasPerExponential * count},
                               {"fmasPerSecond", fmasPerExponential * count / seconds}};
    }
    if (lab_.arguments.candidates != "all")
      return {};
    return {
        curvesOf(table, "workgroup", "workgroup",
                 [](const Json& row) {
                   return row.at("workgroup")[0] == row.at("workgroup")[1]
                              ? row.at("workgroup")[0].get<double>()
                              : 0.0;
                 }),
        curvesOf(table, "n", "N", [](const Json& row) {
          return row.contains("n") && row.at("workgroup") == Json{16, 16} ? row.at("n").get<double>() : 0.0;
        })};
  }

 private:
  // The study's figure for a row's steps.
  static Json besideOf(const ResultTable& table, const Json& row) {
    const Json* beside = figureLike(table.facts.at("study"), row, {"variant"});
    return beside != nullptr ? *beside : Json::object();
  }

  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row) {
    const KernelSchedule named = subject_.named(schedule);
    const VariantDescription& variant = *named.variant;
    row = {{"variant", variant.name},
           {"schedule", schedule},
           {"workgroup", named.workgroup},
           {"guarantee", variant.guarantee},
           {"label", (variant.guarantee == "exact" ? "  " : "~ ") + schedule}};
    for (size_t i = 0; i < variant.constants.size(); ++i)
      if (variant.constants[i].name == "N")
        row["n"] = named.constants[i];
    auto chain =
        subject_.open(schedule, row, {.change = [&](FrameGraph passes) {
                        return replaceUploads(std::move(passes), {{"i-memory:in:image.output", pixels_}});
                      }});
    if (chain != nullptr) {
      if (const std::string mistake = mistakeOf(chain->compute(), variant.guarantee == "exact");
          !mistake.empty()) {
        row["refused"] = mistake;
        row["wrong"] = true;
        return nullptr;
      }
    }
    return chain;
  }

  // The mistake, or empty. Sums in another order than the plain loop's may be rounded to the next level.
  std::string mistakeOf(std::span<const std::byte> made, bool isExact) {
    const size_t channels = componentCount(task_.channels), stride = made.size() / pixelCount(task_.size);
    const size_t radius = static_cast<size_t>(task_.radius), width = task_.size.width;
    const auto level = [](std::byte value) { return static_cast<int>(value); };
    for (size_t y = radius; y < radius + sequential_.rows; ++y) {
      for (size_t x = radius; x + radius < width; ++x) {
        for (size_t c = 0; c < channels; ++c) {
          const size_t pixel = y * width + x;
          const int is = level(made[pixel * stride + c]), expected = sequential_.output[pixel * channels + c];
          if (std::abs(is - expected) > 1)
            return fmt::format("wrong: {} at {}, {}; the sequential filter has {}", is, x, y, expected);
        }
      }
    }
    if (first_.empty())
      first_.assign(made.begin(), made.end());
    for (size_t i = 0; i < made.size(); ++i) {
      const int is = level(made[i]), expected = level(first_[i]);
      if (i % stride < channels && std::abs(is - expected) > (isExact ? 0 : 1)) {
        return fmt::format("wrong: {} at {}, {}; the first correct picture has {}", is, i / stride % width,
                           i / stride / width, expected);
      }
    }
    return {};
  }

  Lab& lab_;
  BilateralTask task_;
  std::shared_ptr<const std::vector<std::byte>> pixels_;
  SequentialBilateral sequential_;
  Subject subject_;
  std::vector<std::byte> first_;  // the first correct picture
};

}  // namespace

int runBenchBilateral(const BenchArguments& arguments) {
  Lab lab(arguments);
  const BilateralSigmas sigmas;
  const std::vector<BilateralTask> tasks = bilateralTasks(lab);
  checkVariants(arguments, subjectOf(lab, tasks.front()).variants());
  lab.report.json.update(
      {{"sigmaSpace", sigmas.space}, {"sigmaRange", sigmas.range}, {"border", arguments.border}});
  const Json& paper = study("bilateral");
  Study bilateral{
      "bilateral",
      fmt::format("bilateral, per channel, 8 bit, sigma_space {}, sigma_range {}, {}; of each variant's "
                  "schedules {}\n"
                  "ms: medians of up to {} runs by timestamps; x: times as fast as the sequential filter, as "
                  "naive; ~: "
                  "not exact\n"
                  "right of |: {},\n            the best times on a {} (0 SEQ: on a {})\n",
                  sigmas.space, sigmas.range, arguments.border, candidatesText(lab), lab.effort.runs,
                  paper.at("title").get<std::string>(), paper.at("device").get<std::string>(),
                  paper.at("processor").get<std::string>())};
  for (const BilateralTask& task : tasks)
    bilateral.subjects.emplace_back([&] { return std::make_unique<BilateralCase>(lab, task); });
  return runStudy(lab, bilateral);
}

}  // namespace lacuna
