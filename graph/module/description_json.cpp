#include <initializer_list>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/module/description.h"
#include "graph/module/keys.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json jsonOf(const T& value) {
  if constexpr (std::is_constructible_v<Json, const T&>)
    return value;
  else if constexpr (requires { textOf(value); })
    return textOf(value);
  else
    return {};
}
Json jsonOf(const When& when) {
  return when.text;
}
Json jsonOf(const std::optional<NumberRange>& range) {
  return range ? Json::array({range->minimum, range->maximum}) : Json();
}
Json jsonOf(const ParameterValues& values) {
  Json json = Json::array();
  for (const ParameterValue& value : values)
    std::visit([&](const auto& each) { json.push_back(each); }, value);
  return json;
}
Json jsonOf(const std::vector<VariantConstant>& constants) {
  Json json = Json::object();
  for (const VariantConstant& constant : constants)
    json[constant.name] = constant.values;
  return json;
}
template <typename E>
Json jsonOf(const E& value, const WordList<E>& words) {
  return wordOf(words, value);
}
template <typename E>
Json jsonOf(const std::vector<E>& values, const WordList<E>& words) {
  Json json = Json::array();
  for (const E& value : values)
    json.push_back(wordOf(words, value));
  return json;
}
template <typename E>
Json jsonOf(const std::optional<OrParameter<E>>& value, const WordList<E>& words) {
  return !value ? Json()
                : Json(value->parameter.empty() ? wordOf(words, value->value) : "@" + value->parameter);
}
template <typename E>
Json jsonOf(const std::optional<E>&, const WordList<E>&) {
  return {};
}

// The values of these keys of a table (keys.h).
template <typename T>
Json toJson(const T& table, std::initializer_list<const char*> names) {
  Json all, json;
  const auto add = [&](const Key& key, const auto& value, const auto&... words) {
    all[key.name] = jsonOf(value, words...);
  };
  keys(add, table);
  for (const char* name : names)
    json[name] = all.at(name);
  return json;
}

Json toJson(const ConnectorDescription& connector) {
  Json json = toJson(connector, {"name", "direction", "channels", "formats", "colour", "optional", "array",
                                 "planes", "images", "doc"});
  json["array"] = connector.arrayCount == anyCount ? Json(true) : Json(connector.arrayCount);
  json["doc"] = documentation(connector);
  return json;
}

Json toJson(const ParameterDescription& parameter) {
  Json json = toJson(parameter, {"name", "type", "count", "default", "range", "choices", "unit", "structural",
                                 "file", "per_level", "doc"});
  json["doc"] = documentation(parameter);
  return json;
}

Json toJson(const VariantDescription& variant) {
  return toJson(variant, {"name", "nodes", "shader", "workgroups", "constants", "guarantee", "doc"});
}

Json toJson(const NodeDescription& node) {
  Json json = toJson(node, {"name", "kind", "footprint", "shader", "when", "memory"});
  if (node.largestSide.value > 0)
    json["largest_side"] = node.largestSide.value;
  if (node.kind == NodeKind::stencil)
    json.update(toJson(node.stencil, {"levels", "radius"}));
  return json;
}

Json toJson(const WarmUpDescription& warmUp) {
  if (warmUp.all)
    return "all";
  if (warmUp.parameter.empty() && warmUp.share.empty())
    return warmUp.frames;
  Json json = warmUp.share.empty() ? toJson(warmUp, {"parameter", "factor"}) : toJson(warmUp, {"share"});
  if (!warmUp.zero.empty())
    json["zero"] = warmUp.zero;
  if (!warmUp.when.empty())
    json["when"] = warmUp.when.text;
  return json;
}

template <typename T>
Json toArray(const std::vector<T>& list) {
  Json array = Json::array();
  for (const T& each : list)
    array.push_back(toJson(each));
  return array;
}

}  // namespace

std::string printJson(const ModuleDescription& module) {
  Json json = toJson(module, {"name", "summary", "papers"});
  json["folder"] = module.folder;
  if (!module.warmUp.empty())
    json["warmup"] = module.warmUp.size() == 1 ? toJson(module.warmUp.front()) : toArray(module.warmUp);
  if (module.readsOrigin)
    json["origin"] = true;
  json["connectors"] = toArray(module.connectors);
  json["parameters"] = toArray(shownParameters(module));
  json["nodes"] = toArray(module.nodes);
  json["variants"] = toArray(module.variants);
  return jsonText(json, 2) + "\n";
}

}  // namespace lacuna
