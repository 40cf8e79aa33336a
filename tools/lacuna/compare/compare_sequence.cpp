#include "tools/lacuna/compare/comparisons.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/files/frame_list.h"
#include "graph/parallel.h"
#include "modules/codecs/image_file.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// A name with %04d, and what is added to the frame for it.
struct Sequence {
  std::string pattern;
  int first = 0;

  std::string file(int frame) const { return framePath(pattern, frame + first); }
  FrameSet framesOf(const FrameSet& numbers) const {
    return numbers.shifted(-first).between(first == 0 ? -largestFrameNumber : 0,
                                           std::numeric_limits<int>::max());
  }
};

// "1:0" for three names: 1, 0, 0.
std::vector<int> firstNumbers(const std::string& text, size_t count) {
  std::vector<int> numbers;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(':', at), text.size());
    const auto number = parseInteger(text.substr(at, end - at));
    if (!number || std::abs(*number) > largestFrameNumber)
      throw FileError(fmt::format("--first {}: expected numbers such as 1 or 1:0", text));
    numbers.push_back(static_cast<int>(*number));
    at = end + 1;
  }
  if (numbers.size() > count)
    throw FileError(fmt::format("--first {}: {} numbers for {} names", text, numbers.size(), count));
  numbers.resize(count, numbers.back());
  return numbers;
}

std::vector<Sequence> sequencesOf(const CompareArguments& arguments) {
  std::vector<Sequence> all;
  for (const std::string& image : arguments.images)
    all.push_back({image});
  if (!arguments.baseline.empty())
    all.push_back({arguments.baseline});
  const std::vector<int> first = firstNumbers(arguments.first, all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].first = first[i];
    all[i].pattern = numberedFiles({}, all[i].pattern).pattern;
  }
  return all;
}

// All frames from the first to the last existing one.
FrameSet fromFirstToLast(const Sequence& image) {
  const FrameSet frames = image.framesOf(numberedFiles({}, image.pattern).numbers);
  if (frames.empty()) {
    throw FileError(
        fmt::format("{}: there is no such file; the first would be {}", image.pattern, image.file(0)));
  }
  return FrameSet::range(frames.front(), frames.back());
}

void checkFiles(const std::vector<Sequence>& sequences, const FrameSet& frames) {
  std::string missing;
  for (const Sequence& sequence : sequences) {
    const NumberedFiles files = numberedFiles({}, sequence.pattern);
    const FrameSet lacking = frames.without(sequence.framesOf(files.numbers.without(files.broken)));
    if (!lacking.empty()) {
      missing += (missing.empty() ? "" : "\nlacuna: error: ") +
                 lacksFiles(sequence.pattern, lacking, frames.size(),
                            [&](int frame) { return sequence.file(frame); });
    }
  }
  if (!missing.empty())
    throw FileError(missing);
}

void checkDifferences(const std::string& pattern, const std::vector<Sequence>& sequences,
                      const FrameSet& frames) {
  if (pattern.empty())
    return;
  if (!namesFrames(pattern)) {
    throw FileError(
        fmt::format("--difference {}: a picture for each frame; expected %04d in its name", pattern));
  }
  for (const int frame : frames) {
    std::vector<std::string> inputs;
    for (const Sequence& sequence : sequences)
      inputs.push_back(sequence.file(frame));
    checkDifferenceFile(framePath(pattern, frame), inputs);
  }
}

struct FrameRow {
  int frame = 0;
  Metrics metrics;
  std::optional<double> temporal;  // none if there is no frame before
  double baselineRelMse = 0.0;
  std::optional<double> baselineTemporal;
};

// Reads frame after frame; the previous frame is kept with its values on screen.
class Reader {
 public:
  // `difference`: names of the pictures of differences; if empty, none are written.
  Reader(const std::vector<Sequence>& sequences, std::string layer, std::string difference)
      : sequences_(sequences), layer_(std::move(layer)), difference_(std::move(difference)) {}

  FrameRow row(int frame) {
    std::array<ColourImage, 3> images;
    std::array<std::vector<double>, 3> shown;
    inParallel(sequences_.size(), [&](size_t i) {
      images[i] = loadCompared(sequences_[i].file(frame), layer_);
      shown[i] = onScreen(images[i]);
    });
    const Named reference{sequences_[1].file(frame), &images[1]};
    for (const size_t i : compared())
      checkComparable({sequences_[i].file(frame), &images[i]}, reference);
    warnOnce(frame, images, reference);
    if (!difference_.empty())
      writeDifference(framePath(difference_, frame), images[0], images[1]);
    FrameRow row;
    row.frame = frame;
    std::array<Metrics, 2> metrics;
    const std::vector<size_t> which = compared();
    inParallel(which.size(), [&](size_t i) { metrics[i] = compare(images[which[i]], images[1]); });
    row.metrics = metrics[0];
    row.baselineRelMse = metrics[1].relMse;
    follows_ = frame == lastFrame_ + 1;
    row.temporal = temporalOf(0, shown);
    row.baselineTemporal = temporalOf(2, shown);
    lastFrame_ = frame;
    before_ = std::move(shown);
    return row;
  }

 private:
  std::vector<size_t> compared() const {
    return sequences_.size() > 2 ? std::vector<size_t>{0, 2} : std::vector<size_t>{0};
  }

  std::optional<double> temporalOf(size_t i, const std::array<std::vector<double>, 3>& shown) const {
    if (!follows_ || shown[i].empty() || before_[i].size() != shown[i].size())
      return std::nullopt;
    return temporalError(shown[i], before_[i], shown[1], before_[1]);
  }

  void warnOnce(int frame, const std::array<ColourImage, 3>& images, const Named& reference) {
    if (!hasWarned_ && images[0].hasAlpha != images[1].hasAlpha) {
      warnOfAlpha({sequences_[0].file(frame), images.data()}, reference);
      hasWarned_ = true;
    }
  }

  const std::vector<Sequence>& sequences_;
  std::string layer_;
  std::string difference_;
  std::array<std::vector<double>, 3> before_;
  int lastFrame_ = -2;
  bool follows_ = false;  // the frame before is in before_
  bool hasWarned_ = false;
};

// Means over the frames; for temporal errors, over frames that have one. The largest of the largest errors.
FrameRow meanOf(const std::vector<FrameRow>& rows) {
  FrameRow mean;
  double temporal = 0.0, baselineTemporal = 0.0;
  size_t pairs = 0;
  mean.metrics.ssim = 0.0;
  for (const FrameRow& row : rows) {
    const double share = 1.0 / static_cast<double>(rows.size());
    mean.metrics.relMse += share * row.metrics.relMse;
    mean.metrics.psnr += share * row.metrics.psnr;
    mean.metrics.ssim += share * row.metrics.ssim;
    mean.metrics.flip += share * row.metrics.flip;
    mean.metrics.meanRelativeError += share * row.metrics.meanRelativeError;
    // A NaN, for a frame where nothing can be measured, stays.
    mean.metrics.maxRelativeError =
        std::isnan(row.metrics.maxRelativeError)
            ? row.metrics.maxRelativeError
            : std::max(row.metrics.maxRelativeError, mean.metrics.maxRelativeError);
    mean.metrics.notFinite += row.metrics.notFinite;
    mean.baselineRelMse += share * row.baselineRelMse;
    temporal += row.temporal.value_or(0.0);
    baselineTemporal += row.baselineTemporal.value_or(0.0);
    pairs += row.temporal ? 1 : 0;
  }
  if (pairs > 0) {
    mean.temporal = temporal / static_cast<double>(pairs);
    mean.baselineTemporal = baselineTemporal / static_cast<double>(pairs);
  }
  return mean;
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "-";
}

std::string below(const std::optional<double>& baseline, const std::optional<double>& error) {
  return baseline && error && *error > 0.0 ? fmt::format("{:.2f}", *baseline / *error) : "-";
}

void printHead(bool hasBaseline) {
  fmt::print("{:>6} {:>12} {:>8} {:>8} {:>8} {:>12} {:>12}{}\n", "frame", "relMSE", "PSNR dB", "SSIM", "FLIP",
             "rel. error", "temporal",
             hasBaseline ? fmt::format(" {:>14} {:>16}", "relMSE, below", "temporal, below") : "");
}

void printRow(const std::string& name, const FrameRow& row, bool hasBaseline) {
  const Metrics& m = row.metrics;
  fmt::print("{:>6} {:>12} {:>8} {:>8} {:>8} {:>12} {:>12}{}\n", name, metricText(m.relMse, "{:.6g}"),
             metricText(m.psnr, "{:.2f}"), metricText(m.ssim, "{:.5f}"), metricText(m.flip, "{:.5f}"),
             metricText(m.meanRelativeError, "{:.6g}"), cell(row.temporal),
             hasBaseline ? fmt::format(" {:>14} {:>16}", below(row.baselineRelMse, m.relMse),
                                       below(row.baselineTemporal, row.temporal))
                         : "");
}

Json optionalJson(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json toJson(const FrameRow& row, bool hasBaseline) {
  Json json = toJson(row.metrics);
  json["temporalError"] = optionalJson(row.temporal);
  if (hasBaseline) {
    json["baseline"] = {{"relMSE", finiteJson(row.baselineRelMse)},
                        {"relMSETimesBelow", timesJson(row.baselineRelMse, row.metrics.relMse)},
                        {"temporalError", optionalJson(row.baselineTemporal)},
                        {"temporalErrorTimesBelow",
                         timesJson(row.baselineTemporal.value_or(0.0), row.temporal.value_or(0.0))}};
  }
  return json;
}

}  // namespace

std::vector<std::vector<std::string>> filesOfSequences(const CompareArguments& arguments,
                                                       const std::vector<int>& frames) {
  std::vector<std::vector<std::string>> files;
  for (const Sequence& sequence : sequencesOf(arguments)) {
    files.emplace_back();
    for (const int frame : frames)
      files.back().push_back(sequence.file(frame));
  }
  return files;
}

int compareSequences(const CompareArguments& arguments, Json& out) {
  const std::vector<Sequence> sequences = sequencesOf(arguments);
  Diagnostics mistakes;
  const std::optional<FrameSet> asked = parseFrames(arguments.frames, mistakes);
  if (!asked) {
    printDiagnostics(mistakes);
    return exitUsage;
  }
  const FrameSet frames = asked->empty() ? fromFirstToLast(sequences[0]) : *asked;
  checkFiles(sequences, frames);
  const bool hasBaseline = sequences.size() > 2;
  const std::string difference = arguments.difference.value_or("");
  checkDifferences(difference, sequences, frames);
  std::vector<std::string> firstFiles;
  for (const Sequence& sequence : sequences)
    firstFiles.push_back(sequence.file(frames.front()));
  checkLayers(firstFiles, arguments.layer);
  Reader reader(sequences, arguments.layer, difference);
  std::vector<FrameRow> rows;
  Json json = {{"image", arguments.image()}, {"reference", arguments.reference()}, {"frames", Json::array()}};
  if (!arguments.json)
    printHead(hasBaseline);
  for (const int frame : frames) {
    rows.push_back(reader.row(frame));
    json["frames"].push_back({{"frame", frame}});
    json["frames"].back().update(toJson(rows.back(), hasBaseline));
    if (!arguments.json) {
      printRow(std::to_string(frame), rows.back(), hasBaseline);
      std::fflush(stdout);
    }
  }
  const FrameRow mean = meanOf(rows);
  warnNotFinite(mean.metrics.notFinite);
  if (!arguments.json)
    printRow("mean", mean, hasBaseline);
  json["mean"] = toJson(mean, hasBaseline);
  out.update(json);
  return checkLimits(arguments.limits, mean.metrics, mean.temporal);
}

}  // namespace lacuna
