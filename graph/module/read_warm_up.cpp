// `warmup = "all"`, `warmup = 12`, `warmup = { parameter = "history", factor = 8 }`, or a list of such
// tables: read, and checked against the module.

#include <fmt/format.h>

#include <algorithm>

#include "graph/module/read_module.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

constexpr int64_t maxWarmUp = 1'000'000'000;  // frames
constexpr int64_t maxWarmUpFactor = 1'000'000;

WarmUpDescription readWarmUpTable(TableReader& reader) {
  WarmUpDescription warmUp;
  warmUp.share = reader.string("share").value_or("");
  const Need need = warmUp.share.empty() ? Need::required : Need::optional;
  warmUp.parameter = reader.string("parameter", need).value_or("");
  warmUp.factor = reader.integer("factor", 1, maxWarmUpFactor).value_or(1);
  const auto zero = reader.string("zero");
  if (zero && *zero != "all") {
    reportUnknownWord(reader, "zero", *zero, {"all"});
  }
  warmUp.zeroIsAll = zero.has_value();
  warmUp.when = reader.string("when").value_or("");
  for (const char* key : {"parameter", "factor", "zero"}) {
    if (!warmUp.share.empty() && reader.has(key)) {
      reader.error(key, fmt::format("'{}' does not go with 'share'", key));
    }
  }
  return warmUp;
}

bool takesLastFrames(const NodeDescription& node) {
  return node.kind == NodeKind::native ||
         std::ranges::any_of(node.inputs, [](const NodeInput& input) { return input.feedback; }) ||
         std::ranges::any_of(node.outputs, [](const NodeOutput& output) { return output.kept; });
}

}  // namespace

std::vector<WarmUpDescription> readWarmUp(TableReader& reader) {
  const toml::node* node = reader.value("warmup");
  std::vector<WarmUpDescription> terms;
  const auto readTerm = [&](TableReader& table) { terms.push_back(readWarmUpTable(table)); };
  if (node == nullptr) {
    return terms;
  }
  if (node->is_table()) {
    reader.table("warmup", "'warmup'", Need::required, readTerm);
  } else if (node->is_array()) {
    reader.tables("warmup", "'warmup'", [&](TableReader& table, size_t) { readTerm(table); });
  } else if (node->is_string()) {
    const std::string word = reader.string("warmup").value_or("");
    terms.emplace_back().all = true;
    if (word != "all") {
      reportUnknownWord(reader, "warmup", word, {"all"});
    }
  } else if (node->is_integer()) {
    terms.emplace_back().frames = reader.integer("warmup", 0, maxWarmUp).value_or(0);
  } else {
    reader.error("warmup",
                 fmt::format("'warmup' must be a number of frames, \"all\", a table with 'parameter' or "
                             "'share', or a list of such tables, not {}",
                             describeType(*node)));
  }
  return terms;
}

namespace {

class WarmUpChecker : TableChecker {
 public:
  WarmUpChecker(const ModuleDescription& module, const WarmUpDescription& term, const std::string& table,
                TomlFile& file)
      : TableChecker(module, table, file), term_(term) {}

  void run() {
    checkWhen(term_.when);
    if (!term_.share.empty()) {
      checkParameter("share", term_.share, "a float of a single value with a range above 0 and up to 1",
                     [](const ParameterDescription& p) {
                       return p.type == ParameterType::floating && p.minimum.value_or(0.0) > 0.0 &&
                              p.maximum.value_or(2.0) <= 1.0;
                     });
    } else if (!term_.parameter.empty()) {
      checkParameter("parameter", term_.parameter, "an int of a single value with a range from 0 or more",
                     [](const ParameterDescription& p) {
                       return p.type == ParameterType::integer && p.minimum.value_or(-1.0) >= 0.0;
                     });
    }
  }

 private:
  template <class Fits>
  void checkParameter(const std::string& key, const std::string& name, const char* kind, const Fits& fits) {
    const ParameterDescription* parameter = module_.parameter(name);
    if (parameter == nullptr) {
      error(key, fmt::format("the module has no parameter '{}'", name),
            suggest(name, namesIn(module_.parameters)));
    } else if (parameter->count != 1 || !fits(*parameter)) {
      error(key, fmt::format("'{}' is not {}", name, kind));
    }
  }

  const WarmUpDescription& term_;
};

}  // namespace

void checkWarmUp(const ModuleDescription& module, TomlFile& file) {
  if (module.warmUp.empty()) {
    return;
  }
  if (std::ranges::none_of(module.nodes, takesLastFrames)) {
    file.error("warmup", "'warmup' is for modules that read the previous frame's values",
               "no node has an input with feedback = true, or an output with kept = true");
  }
  const bool isList = module.warmUp.size() > 1;
  for (size_t i = 0; i < module.warmUp.size(); ++i) {
    WarmUpChecker(module, module.warmUp[i], isList ? fmt::format("warmup[{}]", i) : "warmup", file).run();
  }
}

}  // namespace lacuna
