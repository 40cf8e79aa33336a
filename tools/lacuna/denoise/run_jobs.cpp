#include "tools/lacuna/denoise/run_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/files/file_id.h"
#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "tools/lacuna/denoise/batches.h"
#include "tools/lacuna/denoise/report_jobs.h"
#include "tools/shell/interrupt.h"
#include "tools/shell/messages.h"
#include "tools/shell/progress.h"
#include "tools/shell/text_file.h"

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

class Jobs {
 public:
  Jobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, Json& out)
      : arguments_(arguments),
        jobs_(jobs),
        out_(out),
        progress_(arguments.run.quiet ? ShowProgress::never : arguments.run.progress, jobs.size()) {
    for (const DenoiseJob& job : jobs)
      out_["inputs"].push_back({{"input", job.input.file}, {"method", nameOf(job.method)}});
  }

  int run(int code) {
    sayMethods(arguments_, jobs_);
    for (const std::vector<size_t>& batch : batchesOf(jobs_)) {
      if (Interrupts::signal() != 0) {  // while the picture before was written
        printNote(fmt::format("interrupted: {} of {} inputs are done", ended_, jobs_.size()));
        return exitSignal + Interrupts::signal();
      }
      const int result = batch.size() > 1 && !arguments_.dryRun ? runBatch(batch) : runEach(batch);
      if (result >= exitSignal)
        return result;
      code = code == exitOk ? result : code;
    }
    out_["seconds"] = commandSeconds();
    if (jobs_.size() > 1)
      say(arguments_, fmt::format("{} of {} inputs in {}, {:.1f} a second", jobs_.size() - failed_,
                                  jobs_.size(), duration(commandSeconds()),
                                  static_cast<double>(jobs_.size()) / (commandSeconds() - start_)));
    if (failed_ > 0 && jobs_.size() > 1)
      printNote(fmt::format("{} of {} inputs failed", failed_, jobs_.size()));
    return code;
  }

 private:
  void showProgress(const DenoiseInput& input) {
    progress_.update(fmt::format("{}: {} of {} done", shownName(input), ended_, jobs_.size()),
                     static_cast<int>(ended_), static_cast<int>(jobs_.size() - ended_),
                     commandSeconds() - start_);
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
      showProgress(jobs_[i].input);
      const int result = runOne(jobs_[i], out_["inputs"][i]);
      if (result >= exitSignal)
        return result;
      ++ended_;
      failed_ += result == exitOk ? 0 : 1;
      code = code == exitOk ? result : code;
    }
    return code;
  }

  int runOne(DenoiseJob& job, Json& out) {
    findMotion(arguments_, job);
    warnOfLayers(job);
    RunArguments run = runOf(job, shownName(job.input));
    run.begun = ended_ == 0 ? 0.0 : commandSeconds();
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

  // Frame i is the picture batch[i].
  int runBatch(const std::vector<size_t>& batch) {
    RunArguments run = runOf(jobs_[batch.front()], fmt::format("{} pictures", batch.size()));
    run.runs = 1;
    showProgress(jobs_[batch.front()].input);
    auto& inputs = run.graph.files["i-file:in"];
    auto& outputs = run.graph.files["o-file:out"];
    for (const size_t i : batch) {
      warnOfLayers(jobs_[i]);
      inputs.push_back(jobs_[i].input.file);
      outputs.push_back(framePath(jobs_[i].output, 0));
      out_["inputs"][i].update({{"frames", 0}, {"files", Json::array()}, {"leftOut", Json::array()}});
    }
    double before = commandSeconds();
    run.watch = [&](const RunProgress& now) {
      const size_t at = static_cast<size_t>(now.frame);
      Json& out = out_["inputs"][batch[at]];
      out["seconds"] = commandSeconds() - before;
      before = commandSeconds();
      ++ended_;
      if (now.damaged.empty()) {
        out["frames"] = 1;
        out["files"].push_back(outputs[at]);
      } else {
        out["leftOut"].push_back(0);
        ++failed_;
        printError(now.damaged);
      }
      showProgress(jobs_[batch[at]].input);
    };
    Json all;
    const int code = runGraph(run, all, devices_);
    if (code == exitUsage)  // one of them is not as its header says, so each runs by itself
      return runEach(batch);
    for (const auto& kept : all.value("kept", Json::array())) {
      const auto at = std::find(outputs.begin(), outputs.end(), kept.get<std::string>());
      out_["inputs"][batch[static_cast<size_t>(at - outputs.begin())]]["kept"] = {kept};
    }
    return code;
  }

  const DenoiseArguments& arguments_;
  std::vector<DenoiseJob>& jobs_;
  Json& out_;
  std::vector<Device> devices_;  // opened for the first of them
  Progress progress_;
  const double start_ = commandSeconds();
  size_t ended_ = 0, failed_ = 0;
};

}  // namespace

int runJobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, int code, Json& out) {
  return Jobs(arguments, jobs, out).run(code);
}

}  // namespace lacuna
