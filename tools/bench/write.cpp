#include "tools/bench/write.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "tools/lacuna/shell/text_file.h"

namespace lacuna {

std::string benchDate() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void writeReport(const BenchArguments& arguments, const nlohmann::ordered_json& report) {
  // Names of files need not be UTF-8.
  const std::string text = report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (arguments.json) {
    fmt::print("{}", text);
  }
  if (!arguments.output.empty()) {
    writeTextFile(arguments.output, text);
  }
}

}  // namespace lacuna
