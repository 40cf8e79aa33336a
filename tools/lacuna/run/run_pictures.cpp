#include "tools/lacuna/run/run_pictures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "tools/shell/messages.h"
#include "tools/shell/program.h"

namespace lacuna {

using Json = nlohmann::ordered_json;

PictureCount::PictureCount(const RunArguments& run, size_t total)
    : run_(run), total_(total), progress_(run.quiet ? ShowProgress::never : run.progress, total) {}

void PictureCount::show(const std::string& name) {
  const size_t ended = this->ended();
  progress_.update(fmt::format("{}: {} of {} done", name, ended, total_), static_cast<int>(ended),
                   static_cast<int>(total_ - ended), commandSeconds() - start_);
}

size_t PictureCount::ended() const {
  const std::scoped_lock lock(mutex_);
  return ended_;
}

void PictureCount::end(bool isFailed) {
  const std::scoped_lock lock(mutex_);
  ++ended_;
  failed_ += isFailed ? 1 : 0;
}

int PictureCount::interrupted() const {
  if (Interrupts::signal() == 0)
    return 0;
  printNote(fmt::format("interrupted: {} of {} inputs are done", ended_, total_));
  return exitSignal + Interrupts::signal();
}

void PictureCount::report() const {
  if (total_ > 1 && !run_.quiet && !run_.json) {
    printLine(fmt::format("{} of {} inputs in {}, {:.1f} a second", total_ - failed_, total_,
                          duration(commandSeconds()),
                          static_cast<double>(total_) / (commandSeconds() - start_)));
  }
  if (failed_ > 0 && total_ > 1)
    printNote(fmt::format("{} of {} inputs failed", failed_, total_));
}

void PictureRun::add(const std::string& input, const std::string& output, Json& report) {
  inputs.push_back(input);
  outputs.push_back(output);
  reports.push_back(&report);
}

int runPictures(const PictureRun& pictures, std::vector<Device>& devices, PictureCount& count) {
  if (const int interrupted = count.interrupted(); interrupted != 0)
    return interrupted;
  RunArguments run = pictures.run;
  run.runs = 1;
  run.graph.files = {{pictures.source, pictures.inputs}, {pictures.sink, pictures.outputs}};
  for (Json* report : pictures.reports)
    report->update({{"frames", 0}, {"files", Json::array()}, {"leftOut", Json::array()}});
  double before = commandSeconds();
  run.watch = [&](const RunProgress& now) {
    const auto at = static_cast<size_t>(now.frame);
    Json& report = *pictures.reports[at];
    report["seconds"] = commandSeconds() - before;
    before = commandSeconds();
    if (now.damaged.empty()) {
      report["frames"] = 1;
      report["files"].push_back(pictures.outputs[at]);
    } else {
      report["leftOut"].push_back(0);
      printError(now.damaged);
    }
    count.end(!now.damaged.empty());
    count.show(pictures.inputs[at]);
  };
  count.show(pictures.inputs.front());
  Json all = Json::object();
  const int code = runGraph(run, all, devices);
  for (const auto& kept : all.value("kept", Json::array())) {
    const auto at = std::find(pictures.outputs.begin(), pictures.outputs.end(), kept.get<std::string>());
    (*pictures.reports[static_cast<size_t>(at - pictures.outputs.begin())])["kept"] = {kept};
  }
  return code;
}

}  // namespace lacuna
