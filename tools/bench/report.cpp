#include "tools/bench/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "graph/vk/device.h"
#include "tools/shell/messages.h"
#include "tools/shell/text_file.h"

namespace lacuna {
namespace {

int wrongCount(const Json& json) {
  int count = json.is_object() && json.value("wrong", false) ? 1 : 0;
  if (json.is_structured()) {
    for (const Json& each : json) {
      count += wrongCount(each);
    }
  }
  return count;
}

}  // namespace

Report::Report(const BenchArguments& arguments, const vk::DeviceInfo& device) : arguments_(arguments) {
  json = {
      {"device", device.name}, {"driver", device.driver}, {"date", benchDate()}, {"runs", arguments.runs}};
}

std::string Report::printDevice() const {
  return fmt::format("{}, {}, {}\n", json.at("device").get<std::string>(),
                     json.at("driver").get<std::string>(), json.at("date").get<std::string>());
}

void Report::print(const std::string& text) const {
  if (!arguments_.json) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }
}

int Report::finish() const {
  // Names of files need not be UTF-8.
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (arguments_.json) {
    fmt::print("{}", text);
  }
  if (!arguments_.output.empty()) {
    writeTextFile(arguments_.output, text);
  }
  const int wrong = wrongCount(json);
  if (wrong > 0) {
    printError(fmt::format("{} of the schedules compute wrong results; they were not timed", wrong));
  }
  return wrong > 0 ? exitFailed : exitOk;
}

std::string benchDate() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace lacuna
