#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ranges>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/run/run_pictures.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void saveGraph(const std::string& file, const DenoiseJob& job) {
  if (file == standardStream)
    fmt::print("{}", graphText(job, fs::current_path().string()));
  else
    writeTextFile(file, graphText(job, fs::absolute(file).parent_path().string()));
}

// Of files whose first layers are denoised.
std::string layersFolder(const DenoiseJob& job) {
  const fs::path output = framePath(job.output, 0);
  return (output.parent_path() / ".lacuna" / output.filename()).string() + ".layers";
}

class Jobs {
 public:
  Jobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, Json& out)
      : arguments_(arguments), jobs_(jobs), out_(out), count_(arguments.run, jobs.size()) {
    fitToDevices();
    for (const DenoiseJob& job : jobs)
      out_["inputs"].push_back({{"input", job.input.file}, {"method", nameOf(job.method)}});
  }

  int run(int code) {
    lookAtRenders(jobs_);
    sayMethods(arguments_, jobs_);
    const auto work = [this](const std::vector<size_t>& batch) {
      return batch.size() > 1 && !arguments_.dryRun ? runBatch(batch) : runEach(batch);
    };
    const auto load = [this](const DenoiseJob& job) {
      const RunArguments run = runOf(job, job.input.file);
      return loadState(run.graph, run.graph.graph)->loaded;
    };
    const int result = runSideBySide(batchesOf(jobs_, load), jobs_, arguments_.run, devices_, work);
    if (result >= exitSignal)
      return result;
    code = code == exitOk ? result : code;
    out_["seconds"] = commandSeconds();
    if (!arguments_.dryRun)
      count_.report();
    return code;
  }

 private:
  // On a CPU, and of raw photographs, wiener is fast; of large pictures on a CPU it is left out, and so are
  // networks for photographs.
  void fitToDevices() {
    constexpr uint64_t mostPixelsOfNetworks = 6'000'000;
    const auto isOfNetwork = [this](const DenoiseJob& job) {
      return arguments_.method.empty() && job.method == Method::unet && takenPlanes(job).noise &&
             job.strength > 0;
    };
    const auto isWiener = [](const DenoiseJob& job) {
      return job.method == Method::wiener && job.strength > 0;
    };
    if (std::ranges::none_of(jobs_, isWiener) && std::ranges::none_of(jobs_, isOfNetwork))
      return;
    try {
      openDevices(devices_, arguments_.run);
    } catch (const Error&) {
      devices_.clear();  // which the run reports
    }
    const bool isCpu = std::ranges::any_of(
        devices_, [](const Device& device) { return device.description().kind == "cpu"; });
    for (DenoiseJob& job : jobs_)
      if (isCpu && isOfNetwork(job) && pixelCount(job.input.info.extent) > mostPixelsOfNetworks) {
        job.method = Method::wiener;
        job.isTooLarge = true;
      }
    for (DenoiseJob& job : jobs_ | std::views::filter(isWiener)) {
      job.isFast = arguments_.fast.value_or(isCpu || job.input.info.isMosaic);
      job.isTooSlow =
          isCpu && arguments_.method.empty() && isSlowOnCpu(pixelCount(job.input.info.extent), job.isFast);
      if (job.isTooSlow) {
        job.method = Method::eaw;
        job.isFast = false;
      }
    }
  }

  RunArguments runOf(const DenoiseJob& job, const std::string& name) const {
    RunArguments run = arguments_.run;
    run.graph.graph = "graph of " + name;
    run.graph.text = graphText(job);
    run.frames = job.frames;
    return run;
  }

  int runEach(const std::vector<size_t>& batch) {
    int code = exitOk;
    for (const size_t i : batch) {
      if (const int interrupted = count_.interrupted(); interrupted != 0)  // while the one before was written
        return interrupted;
      count_.show(shownName(jobs_[i].input));
      const int result = runOne(jobs_[i], out_["inputs"][i]);
      if (result >= exitSignal)
        return result;
      count_.end(result != exitOk);
      code = code == exitOk ? result : code;
    }
    return code;
  }

  // Layers are denoised one after another, each in the files that the one before has written.
  int runOne(DenoiseJob& job, Json& out) {
    findMotion(arguments_, job);
    reportLayers(arguments_, job);
    const size_t count = job.input.others.size() + 1;
    std::optional<PartFolder> folder;
    if (count > 1 && !arguments_.dryRun)
      folder.emplace(layersFolder(job));
    const auto after = [&](size_t layers) {
      return fs::path(folder ? folder->name() : layersFolder(job)) / std::to_string(layers);
    };
    const std::string name = fs::path(job.output).filename().string();
    int code = exitOk;
    for (size_t i = 0; i < count && code == exitOk; ++i) {
      DenoiseJob one = job;
      if (i > 0) {
        const std::string before = (after(i) / name).string();
        one.input = job.input.others[i - 1];
        one.input.file = one.input.isSequence() ? before : framePath(before, 0);
        one.method = arguments_.method.empty() ? chooseMethod(planesOf(one.input)) : job.method;
      }
      const bool isLast = i + 1 == count;
      if (!isLast)
        one.output = (after(i + 1) / name).string();
      code = runLayer(one, isLast, out);
    }
    return code;
  }

  // The last one's files are the user's; of the others nothing is said.
  int runLayer(const DenoiseJob& job, bool isLast, Json& out) {
    RunArguments run = runOf(job, shownName(job.input));
    run.isStep = !isLast;
    run.begun = count_.ended() == 0 ? 0.0 : commandSeconds();
    const std::string& saved = arguments_.saveGraph;
    const bool isSaved = !saved.empty() && !(run.keepOutputs && fileIdOf(saved));
    if (arguments_.dryRun) {
      if (isSaved)
        saveGraph(saved, job);
      return exitOk;
    }
    if (isSaved && saved != standardStream)
      run.others.push_back(
          {"--save-graph " + saved, "the saved graph", saved, FileKind::graph, run.overwriteInput});
    const int code = runGraph(run, out, devices_);
    if (code == exitOk && isSaved)
      saveGraph(saved, job);
    else if (!saved.empty() && !isSaved)
      say(arguments_, fmt::format("lacuna: {} already exists, and is kept", saved));
    return code;
  }

  int runBatch(const std::vector<size_t>& batch) {
    PictureRun pictures{runOf(jobs_[batch.front()], fmt::format("{} pictures", batch.size())), "i-file:in",
                        "o-file:out"};
    for (const size_t i : batch) {
      reportLayers(arguments_, jobs_[i]);
      pictures.add(jobs_[i].input.file, framePath(jobs_[i].output, 0), out_["inputs"][i]);
    }
    const int code = runPictures(pictures, devices_, count_);
    return code == exitUsage ? runEach(batch) : code;  // one of them differs from its header
  }

  const DenoiseArguments& arguments_;
  std::vector<DenoiseJob>& jobs_;
  Json& out_;
  std::vector<Device> devices_;  // opened for the first of them
  PictureCount count_;
};

}  // namespace

int runJobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, int code, Json& out) {
  return Jobs(arguments, jobs, out).run(code);
}

}  // namespace lacuna
