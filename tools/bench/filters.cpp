#include "tools/bench/filters.h"

#include <algorithm>

#include "graph/schedule/stencil/schedule_names.h"

namespace lacuna {

const std::vector<BenchFilter>& benchFilters() {
  static const std::vector<BenchFilter> all = {
      {"eaw", "eaw:01:atrous", true,
       "lacuna:1\nmodule:i-memory:colour\nmodule:eaw:01\nmodule:o-memory:out\n"
       "connect:i-memory:colour:output:eaw:01:input\nconnect:eaw:01:output:o-memory:out:input\n"
       "param:eaw:01:levels:6\nparam:eaw:01:noise:0.1\n"},
      {"guided", "atrous-guided:01:levels", false,
       "lacuna:1\nmodule:i-memory:colour\nmodule:i-memory:normal\nmodule:i-memory:depth\n"
       "module:atrous-guided:01\nmodule:o-memory:out\n"
       "connect:i-memory:colour:output:atrous-guided:01:input\n"
       "connect:i-memory:normal:output:atrous-guided:01:normal\n"
       "connect:i-memory:depth:output:atrous-guided:01:depth\n"
       "connect:atrous-guided:01:output:o-memory:out:input\nparam:atrous-guided:01:levels:5\n"},
  };
  return all;
}

std::string baselineOf(const BenchFilter& filter) {
  return filter.synthesis ? "baseline@16x16/image/pass" : "baseline@16x16/image";
}

std::vector<std::string> schedulesOf(const BenchFilter& filter, const std::vector<std::string>& asked) {
  std::vector<std::string> names = {baselineOf(filter)};
  for (const std::string& prefix : asked.empty() ? std::vector<std::string>{""} : asked) {
    for (const StencilSchedule& schedule : schedulesNamed(prefix, filter.synthesis)) {
      const std::string name = print(schedule);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace lacuna
