#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/module/description.h"
#include "graph/module/words.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

template <typename Enum>
Json wordArray(const std::vector<Enum>& values) {
  Json words = Json::array();
  for (const Enum value : values) {
    words.push_back(std::string(name(value)));
  }
  return words;
}

Json toJson(const ConnectorDescription& connector) {
  Json json;
  json["name"] = connector.name;
  json["direction"] = wordOf(directionWords(), connector.direction);
  json["channels"] = wordArray(connector.channels);
  json["formats"] = wordArray(connector.formats);
  json["colour"] = connector.colour ? Json(std::string(name(*connector.colour))) : Json();
  if (!connector.colourParameter.empty()) {
    json["colour"] = "@" + connector.colourParameter;
  }
  json["optional"] = connector.optional;
  json["array"] = connector.arrayCount == anyCount ? Json(true) : Json(connector.arrayCount);
  json["planes"] = connector.planes;
  json["images"] = connector.images;
  json["doc"] = documentation(connector);
  return json;
}

Json toJson(const ParameterDescription& parameter) {
  Json json;
  json["name"] = parameter.name;
  json["type"] = wordOf(parameterTypeWords(), parameter.type);
  json["count"] = parameter.count;
  json["default"] = Json::array();
  for (const ParameterValue& value : parameter.defaults) {
    std::visit([&](const auto& each) { json["default"].push_back(each); }, value);
  }
  json["range"] = parameter.minimum ? Json::array({*parameter.minimum, *parameter.maximum}) : Json();
  json["choices"] = parameter.choices;
  json["unit"] = parameter.unit;
  json["structural"] = parameter.structural;
  json["file"] = parameter.isFile;
  json["per_level"] = parameter.perLevel;
  json["doc"] = documentation(parameter);
  return json;
}

Json toJson(const VariantDescription& variant) {
  Json json;
  json["name"] = variant.name;
  json["nodes"] = variant.nodes;
  json["shader"] = variant.shader;
  json["workgroups"] = variant.workgroups;
  json["constants"] = Json::object();
  for (const VariantConstant& constant : variant.constants) {
    json["constants"][constant.name] = constant.values;
  }
  json["guarantee"] = variant.guarantee;
  json["doc"] = variant.doc;
  return json;
}

Json toJson(const NodeDescription& node) {
  Json json;
  json["name"] = node.name;
  json["kind"] = wordOf(nodeKindWords(), node.kind);
  json["footprint"] = textOf(node.footprint);
  json["shader"] = node.shader;
  json["when"] = node.when;
  json["memory"] = node.memory;
  if (node.largestSide.value > 0) {
    json["largest_side"] = node.largestSide.value;
  }
  if (node.kind == NodeKind::stencil) {
    json["levels"] = textOf(node.stencil.levels);
    json["radius"] = textOf(node.stencil.radius);
  }
  return json;
}

Json toJson(const WarmUpDescription& warmUp) {
  if (warmUp.all) {
    return "all";
  }
  if (warmUp.parameter.empty() && warmUp.share.empty()) {
    return warmUp.frames;
  }
  Json json = warmUp.share.empty() ? Json{{"parameter", warmUp.parameter}, {"factor", warmUp.factor}}
                                   : Json{{"share", warmUp.share}};
  if (warmUp.zeroIsAll) {
    json["zero"] = "all";
  }
  if (!warmUp.when.empty()) {
    json["when"] = warmUp.when;
  }
  return json;
}

template <typename T>
Json toArray(const std::vector<T>& list) {
  Json array = Json::array();
  for (const T& each : list) {
    array.push_back(toJson(each));
  }
  return array;
}

}  // namespace

std::string printJson(const ModuleDescription& module) {
  Json json;
  json["name"] = module.name;
  json["summary"] = module.summary;
  json["papers"] = module.papers;
  json["folder"] = module.folder;
  if (!module.warmUp.empty()) {
    json["warmup"] = module.warmUp.size() == 1 ? toJson(module.warmUp.front()) : toArray(module.warmUp);
  }
  if (module.readsOrigin) {
    json["origin"] = true;
  }
  json["connectors"] = toArray(module.connectors);
  json["parameters"] = toArray(shownParameters(module));
  json["nodes"] = toArray(module.nodes);
  json["variants"] = toArray(module.variants);
  return jsonText(json, 2) + "\n";
}

}  // namespace lacuna
