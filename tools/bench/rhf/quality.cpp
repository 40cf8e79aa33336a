// Equal quality as in Szeracki et al. 2015, section 4 (figures 5e and 6e): the number of unfiltered samples
// whose RMS error, a mean over 10x10 blocks, is that of a filtered picture of few samples, and both times.

#include <cstring>
#include <filesystem>

#include "graph/lists.h"
#include "tools/bench/lab.h"
#include "tools/bench/places.h"
#include "tools/metrics/block_rms.h"

namespace lacuna {
namespace {

constexpr Blocks studyBlocks{10, 10};
constexpr int partsOfSamples = 4;  // unfiltered samples are counted in quarters of the filtered ones
// A frame's samples: CPU drivers end loops after 65535 rounds.
constexpr int mostSamplesOfFrame = 1024, mostSamplesOfCpuFrame = 32;
constexpr int usualReference = 32768, usualReferenceOfCpu = 512;  // the study's; a quick one

struct QualityTask {
  std::string scene;  // file
  Extent size;
  int reference = usualReference;
  int bins = 8;        // a colour
  std::string filter;  // lines of rhf's parameters
  std::string name() const { return std::filesystem::path(scene).stem().string(); }
};

// Frames show the same moment, each with the next samples of one sequence.
std::string renderText(const QualityTask& task, int samples, int seed) {
  return fmt::format(
      "module:pathtrace:01\nmodule:o-memory:01\n"
      "param:pathtrace:01:filename:\"{}\"\nparam:pathtrace:01:width:{}\nparam:pathtrace:01:height:{}\n"
      "param:pathtrace:01:samples:{}\nparam:pathtrace:01:seed:{}\nparam:pathtrace:01:still:true\n"
      "param:pathtrace:01:precision:f32\n",
      std::filesystem::absolute(task.scene).string(), task.size.width, task.size.height, samples, seed);
}

// The picture in the session's sink, of floats.
ColourImage pictureOf(Session& session, Extent size) {
  const NodeGraph& graph = session.schedule().graph;
  const Value& value = graph.values[nodeNamed(graph, "o-memory:01:image").inputs.front().value];
  const std::span<const std::byte> bytes = session.downloadMemory(value.name);
  std::vector<float> rgba(size_t{4} * size.width * size.height);
  if (bytes.size() != rgba.size() * sizeof(float))
    throw Error(ErrorKind::graph, "the modules pathtrace and rhf that are found give no picture of floats");
  std::memcpy(rgba.data(), bytes.data(), bytes.size());
  ColourImage picture{size, ColourTag::rec709, {}, false};
  for (size_t i = 0; i < rgba.size(); i += 4)
    picture.rgb.insert(picture.rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
  return picture;
}

// An unfiltered render that grows frame by frame.
class GrowingRender {
 public:
  GrowingRender(Lab& lab, const QualityTask& task, int samplesOfFrame, int seed)
      : size_(task.size),
        samplesOfFrame_(samplesOfFrame),
        session_(lab.open(lab.graphOf(renderText(task, samplesOfFrame, seed) +
                                      "module:accum:01\nconnect:pathtrace:01:output:accum:01:input\n"
                                      "connect:accum:01:output:o-memory:01:input\n"))) {}

  void grow() {
    session_->upload(frames_);
    session_->compute(frames_++);
  }
  int samples() const { return frames_ * samplesOfFrame_; }
  ColourImage picture() { return pictureOf(*session_, size_); }
  // Milliseconds of a frame; what was added up until now is lost.
  double msOfFrame(const BenchEffort& effort) {
    session_->upload(frames_);
    return median(timesOf(*session_, {frames_}, effort).totals);
  }

 private:
  Extent size_;
  int samplesOfFrame_, frames_ = 0;
  std::unique_ptr<Session> session_;
};

class QualityBench {
 public:
  QualityBench(Lab& lab, QualityTask task) : lab_(lab), task_(std::move(task)) {
    GrowingRender render(lab, task_, std::min(task_.reference, samplesOfFrame()), 2);
    while (render.samples() < task_.reference)
      render.grow();
    reference_ = render.picture();
  }

  // Of so many samples, filtered.
  ResultTable table(int samples) {
    ResultTable table{fmt::format("rhf-quality-{}-{}", task_.name(), samples),
                      fmt::format("{}, {}, {} samples, {} x 3 bins: equal quality", task_.name(),
                                  print(task_.size), samples, task_.bins),
                      "",
                      {{"", -11, "/label"},
                       {"samples", 10, "/samples", "{:.0f}"},
                       {"block RMS", 12, "/blockRms", "{:.6f}"},
                       {"render ms", 12, "/renderMs", "{:.2f}"},
                       {"rhf ms", 10, "/filterMs", "{:.2f}"},
                       {"ms", 12, "/ms", "{:.2f}", 1.0, Mark::measured}}};
    table.facts = {{"scene", task_.scene},
                   {"width", task_.size.width},
                   {"height", task_.size.height},
                   {"bins", task_.bins},
                   {"reference", task_.reference}};
    table.rows.push_back(filtered(samples));
    table.rows.push_back(unfiltered(samples, table.rows[0].at("blockRms")));
    addRatios(table);
    return table;
  }

 private:
  int samplesOfFrame() const { return lab_.isCpu() ? mostSamplesOfCpuFrame : mostSamplesOfFrame; }
  double errorOf(const ColourImage& picture) const { return blockRms(picture, reference_, studyBlocks).mean; }

  Json filtered(int samples) {
    const auto session = lab_.open(lab_.graphOf(
        renderText(task_, samples, 1) +
        fmt::format("module:rhf:01\nconnect:pathtrace:01:output:rhf:01:input\n"
                    "connect:pathtrace:01:histogram:rhf:01:histogram\nparam:pathtrace:01:bins:{}\n"
                    "connect:rhf:01:output:o-memory:01:input\n{}",
                    task_.bins, task_.filter)));
    session->upload(0);
    const SessionTimes times = timesOf(*session, {0}, lab_.effort);
    double filterMs = 0.0;
    for (const PassId pass : times.passes.ids()) {
      filterMs +=
          session->schedule().passes[pass].name.starts_with("rhf:01") ? median(times.passes[pass]) : 0.0;
    }
    const double ms = median(times.totals);
    return {{"label", "filtered"},
            {"samples", static_cast<double>(samples)},
            {"blockRms", errorOf(pictureOf(*session, task_.size))},
            {"renderMs", std::max(ms - filterMs, 0.0)},
            {"filterMs", filterMs},
            {"ms", ms}};
  }

  // Errors fall with the root of the samples: with that the count of the first frame below `error` is
  // corrected to equal it.
  Json unfiltered(int filtered, double error) {
    const int ofFrame = std::min(std::max(filtered / partsOfSamples, 1), samplesOfFrame());
    GrowingRender render(lab_, task_, ofFrame, 1);
    double own = HUGE_VAL;
    while (!(own <= error) && render.samples() + ofFrame <= task_.reference / 2) {
      render.grow();
      own = errorOf(render.picture());
    }
    Json row = {{"label", "unfiltered"}};
    if (!(own <= error)) {
      row["refused"] = fmt::format(
          "worse than the filtered picture up to {} samples; for more, raise "
          "--reference",
          render.samples());
      return row;
    }
    const double samples = render.samples() * own * own / (error * error);
    const double ms = render.msOfFrame(lab_.effort) * samples / ofFrame;
    row.update({{"samples", samples}, {"blockRms", error}, {"renderMs", ms}, {"ms", ms}});
    return row;
  }

  void addRatios(ResultTable& table) const {
    const Json &few = table.rows[0], &many = table.rows[1];
    if (many.contains("ms")) {
      table.figures = {{"samples for equal quality, ratio",
                        many.at("samples").get<double>() / few.at("samples").get<double>()},
                       {"time for equal quality, ratio", msOf(&many) / msOf(&few)}};
    }
    for (const Json& figure : study("rhf").at("quality")) {
      if (figure.at("scene") == task_.name()) {
        table.notes.push_back(
            fmt::format("the study, {}: {} samples filtered as good as {}, {} times the time (figure {})",
                        figure.at("name").get<std::string>(), figure.at("samples").get<int>(),
                        figure.at("unfiltered").get<int>(), figure.at("ratio").get<int>(),
                        figure.at("figure").get<std::string>()));
      }
    }
  }

  Lab& lab_;
  QualityTask task_;
  ColourImage reference_;
};

// "rhf:01:threshold=0.5" -> "param:rhf:01:threshold:0.5\n"
std::string parameterLines(const std::vector<std::string>& parameters) {
  std::string lines;
  for (std::string each : parameters) {
    std::replace(each.begin(), each.end(), '=', ':');
    lines += "param:" + each + "\n";
  }
  return lines;
}

// --samples; or the usual ones and those of the study's figure, which take a CPU too long.
std::vector<int> samplesOf(const Lab& lab, const std::string& scene) {
  if (lab.arguments.samples > 0)
    return {lab.arguments.samples};
  std::vector<int> all = {usualSamples};
  for (const Json& figure : study("rhf").at("quality"))
    if (const int samples = figure.at("samples");
        !lab.isCpu() && figure.at("scene") == scene && samples != usualSamples)
      all.push_back(samples);
  return all;
}

}  // namespace

int runRhfQuality(Lab& lab) {
  const BenchArguments& arguments = lab.arguments;
  lab.report.print(
      lab.report.printDevice() +
      "block RMS: root of the mean squared error of radiance in each of 10x10 blocks, its mean\n");
  for (const std::string& scene :
       arguments.scenes.empty() ? std::vector{exampleScene("cornell-sky")} : arguments.scenes) {
    for (const Extent size : lab.sizes({{640, 640}}, {{64, 64}})) {
      if (size.width < studyBlocks.columns || size.height < studyBlocks.rows) {
        throw Error(ErrorKind::call,
                    fmt::format("--size {}: --quality needs at least 10x10 pixels", print(size)));
      }
      const int reference = arguments.reference > 0 ? arguments.reference
                            : lab.isCpu()           ? usualReferenceOfCpu
                                                    : usualReference;
      const QualityTask task{scene, size, reference, arguments.bins, parameterLines(arguments.parameters)};
      QualityBench bench(lab, task);
      for (const int samples : samplesOf(lab, task.name()))
        lab.report.add(bench.table(samples));
    }
  }
  return lab.report.finish();
}

}  // namespace lacuna
