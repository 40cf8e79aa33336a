#include "graph/module/words.h"

namespace lacuna {
namespace {

template <typename Enum>
WordList<Enum> named(std::initializer_list<Enum> values) {
  WordList<Enum> words;
  for (const Enum value : values) {
    words.emplace_back(std::string(name(value)), value);
  }
  return words;
}

}  // namespace

const WordList<Direction>& directionWords() {
  static const WordList<Direction> words{{"input", Direction::input}, {"output", Direction::output}};
  return words;
}

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
                                        {"native", NodeKind::native}};
  return words;
}

const WordList<Support>& supportWords() {
  static const WordList<Support> words{{"square", Support::square}, {"circular", Support::circular}};
  return words;
}

const WordList<Channels>& channelWords() {
  static const WordList<Channels> words = [] {
    WordList<Channels> all =
        named({Channels::y, Channels::rgb, Channels::rgba, Channels::mv, Channels::normal, Channels::depth,
               Channels::any1, Channels::any2, Channels::any4});
    all.emplace_back("any", Channels::any1);
    return all;
  }();
  return words;
}

const WordList<Format>& formatWords() {
  static const WordList<Format> words =
      named({Format::u8, Format::u16, Format::f16, Format::f32, Format::u32});
  return words;
}

const WordList<ColourTag>& colourWords() {
  static const WordList<ColourTag> words =
      named({ColourTag::rec2020, ColourTag::rec709, ColourTag::data, ColourTag::own});
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

}  // namespace lacuna
