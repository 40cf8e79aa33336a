#include "graph/module/node_checker.h"

#include <fmt/format.h>

namespace lacuna {

void NodeChecker::error(const std::string& key, std::string message, std::string hint) {
  file_.error(fmt::format("node[{}].{}", index_, key), std::move(message), std::move(hint));
}

bool NodeChecker::isWrong(const std::string& key) const {
  return file_.isWrong(fmt::format("node[{}].{}", index_, key));
}

const ParameterDescription* NodeChecker::structural(const std::string& key, const std::string& name) {
  const ParameterDescription* parameter = module_.parameter(name);
  if (parameter == nullptr) {
    error(key, fmt::format("there is no parameter '{}'", name), suggest(name, namesIn(module_.parameters)));
  } else if (!parameter->structural) {
    error(key, fmt::format("the parameter '{}' is not structural", name),
          "what changes the graph needs structural = true");
    return nullptr;
  } else if (parameter->count != 1) {
    error(key, fmt::format("the parameter '{}' has {} values", name, parameter->count));
    return nullptr;
  }
  return parameter;
}

void NodeChecker::checkCount(const std::string& key, const Count& count, double least, double most) {
  if (count.parameter.empty()) {
    return;
  }
  const ParameterDescription* parameter = structural(key, count.parameter);
  if (parameter == nullptr) {
    return;
  }
  if (parameter->type != ParameterType::integer) {
    error(key, fmt::format("the parameter '{}' is not of type int", count.parameter));
  } else if (!parameter->minimum || *parameter->minimum < least || *parameter->maximum > most) {
    error(key, fmt::format("the parameter '{}' needs a range within {} to {}", count.parameter, least, most));
  }
}

}  // namespace lacuna
