#include "tools/bench/atrous/filters.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "tests/references/eaw.h"
#include "tools/shell/command_words.h"

namespace lacuna {
namespace {

const test::EawParameters& eawParameters() {
  static const test::EawParameters parameters{6,
                                              {0.1},
                                              {},
                                              {2.6, 0.62, 0.3, 0.15, 0.13, 0.11, 0.1, 0.1},
                                              {3.4, 0.8, 0.4, 0.3, 0.05, 0.05, 0.05, 0.05},
                                              {1, 1, 1, 1, 1, 1, 1, 1},
                                              Format::f16};
  return parameters;
}

test::GuidedParameters guidedParameters(Format precision) {
  test::GuidedParameters parameters;
  parameters.precision = precision;
  return parameters;
}

// The graph of a module with the guided filter's connectors.
std::string guidedText(const std::string& module) {
  return fmt::format(
      "module:i-memory:colour\nmodule:i-memory:normal\nmodule:i-memory:depth\n"
      "module:{0}:01\nmodule:o-memory:out\n"
      "connect:i-memory:colour:output:{0}:01:input\nconnect:i-memory:normal:output:{0}:01:normal\n"
      "connect:i-memory:depth:output:{0}:01:depth\nconnect:{0}:01:output:o-memory:out:input\n",
      module);
}

// The parameters that svgf-packed has in common with atrous-guided.
std::string packedText() {
  const std::string guided = guidedParameters(Format::f32).text();
  std::string text;
  for (const std::string_view line : splitLines(guided))
    if (line.find(":precision:") == std::string_view::npos)
      text += replaceAll(std::string(line), "atrous-guided", "svgf-packed") + "\n";
  return text;
}

}  // namespace

const std::vector<AtrousFilter>& atrousFilters() {
  static const std::vector<AtrousFilter> all = {
      {"eaw", "eaw:01:atrous", true,
       "module:i-memory:colour\nmodule:eaw:01\nmodule:o-memory:out\n"
       "connect:i-memory:colour:output:eaw:01:input\nconnect:eaw:01:output:o-memory:out:input\n" +
           eawParameters().text(),
       [](const test::GuidedInput& input) {
         return test::eawSynthesis(test::eawLevels(input.colour, eawParameters()), eawParameters());
       }},
      {"guided", "atrous-guided:01:levels", false,
       guidedText("atrous-guided") + guidedParameters(Format::f16).text(),
       [](const test::GuidedInput& input) { return test::guided(input, guidedParameters(Format::f16)); }},
      {"svgf", "svgf-packed:01:levels", false, guidedText("svgf-packed") + packedText(),
       [](const test::GuidedInput& input) { return test::guided(input, guidedParameters(Format::f32)); }},
  };
  return all;
}

}  // namespace lacuna
