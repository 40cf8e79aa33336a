#include "graph/module/words.h"

namespace lacuna {

const WordList<ParameterType>& parameterTypeWords() {
  static const WordList<ParameterType> words{{"float", ParameterType::floating},
                                             {"int", ParameterType::integer},
                                             {"bool", ParameterType::boolean},
                                             {"string", ParameterType::string},
                                             {"choice", ParameterType::choice}};
  return words;
}

const WordList<NodeKind>& nodeKindWords() {
  static const WordList<NodeKind> words{{"pointwise", NodeKind::pointwise}, {"stencil", NodeKind::stencil},
                                        {"reduce", NodeKind::reduce},       {"kernel", NodeKind::kernel},
                                        {"source", NodeKind::source},       {"sink", NodeKind::sink},
                                        {"native", NodeKind::native},       {"host", NodeKind::host}};
  return words;
}

const WordList<Support>& supportWords() {
  static const WordList<Support> words{{"square", Support::square},
                                       {"circular", Support::circular},
                                       {"row", Support::row},
                                       {"column", Support::column},
                                       {"separable", Support::separable}};
  return words;
}

const std::vector<std::string>& tapTypeWords() {
  static const std::vector<std::string> words{"float", "vec2", "vec3", "vec4"};
  return words;
}

const std::vector<std::string>& reduceTypeWords() {
  static const std::vector<std::string> words{"float", "vec2",  "vec3", "vec4", "uint", "uvec2",
                                              "uvec3", "uvec4", "mat2", "mat3", "mat4"};
  return words;
}

const WordList<Direction>& directionWords() {
  static const WordList<Direction> words{{"input", Direction::input}, {"output", Direction::output}};
  return words;
}

const WordList<BorderRule>& borderWords() {
  static const WordList<BorderRule> words{{"zero-weight", BorderRule::zeroWeight},
                                          {"clamp", BorderRule::clamp},
                                          {"reflect", BorderRule::reflect},
                                          {"reflect-101", BorderRule::reflect101},
                                          {"valid-only", BorderRule::validOnly}};
  return words;
}

const WordList<MosaicPattern>& patternWords() {
  static const WordList<MosaicPattern> words = [] {
    WordList<MosaicPattern> list;
    for (const char* word : {"rggb", "grbg", "gbrg", "bggr", "x-trans", "none"})
      list.emplace_back(word, *patternFromName(word));
    return list;
  }();
  return words;
}

const WordList<VariantDevice>& deviceWords() {
  static const WordList<VariantDevice> words{{"any", VariantDevice::any},
                                             {"cpu", VariantDevice::cpu},
                                             {"gpu", VariantDevice::gpu},
                                             {"none", VariantDevice::none}};
  return words;
}

}  // namespace lacuna
