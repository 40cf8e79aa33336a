#include "graph/shader/generate/filter_text.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>

#include "graph/shader/generate/body_outline.h"

namespace lacuna {
namespace {

constexpr double unknownTrips = 4.0;

// Cost of built-in functions for each component. Other operations cost one.
const std::map<std::string, Operations, std::less<>>& builtIns() {
  static const std::map<std::string, Operations, std::less<>> all = {
      {"exp2", {0, 1}},
      {"log2", {0, 1}},
      {"sqrt", {0, 1}},
      {"inversesqrt", {0, 1}},
      {"sin", {0, 1}},
      {"cos", {0, 1}},
      {"exp", {1, 1}},
      {"log", {1, 1}},
      {"pow", {1, 2}},
      {"tan", {1, 3}},
      {"atan", {12, 1}},
      {"acos", {12, 1}},
      {"asin", {12, 1}},
      {"tanh", {4, 2}},
      {"abs", {0, 0}},
      {"clamp", {2, 0}},
      {"mix", {2, 0}},
      {"smoothstep", {6, 1}},
      {"mod", {3, 1}},
      {"dot", {3, 0}},
      {"length", {3, 1}},
      {"distance", {6, 1}},
      {"normalize", {6, 1}},
      {"cross", {6, 0}},
      {"packHalf2x16", {2, 0}},
      {"unpackHalf2x16", {2, 0}},
      {"unpackSnorm2x16", {6, 0}},
      {"packSnorm2x16", {8, 0}},
      {"uintBitsToFloat", {0, 0}},
      {"floatBitsToUint", {0, 0}},
      {"if", {0, 0}},
      {"for", {0, 0}},
      {"while", {0, 0}},
      {"return", {0, 0}},
  };
  return all;
}

// Number of components of a type's name; 0: unknown type.
double widthOf(const std::string& type) {
  if (type == "float" || type == "int" || type == "uint" || type == "bool")
    return 1.0;
  for (const char* vector : {"vec", "ivec", "uvec", "bvec"}) {
    const std::string prefix = vector;
    if (type.size() == prefix.size() + 1 && type.starts_with(prefix) && type.back() >= '2' &&
        type.back() <= '4')
      return type.back() - '0';
  }
  return type == "mat2" ? 4.0 : type == "mat3" ? 9.0 : type == "mat4" ? 16.0 : 0.0;
}

bool isSwizzle(const std::string& word) {
  return word.size() <= 4 && word.find_first_not_of("xyzwrgba") == std::string::npos;
}

using Tokens = std::span<const PlacedToken>;

class Counter {
 public:
  explicit Counter(std::string_view glsl) : outline_(outlineOf(tokenize(glsl))) {
    const Tokens all = outline_.tokens;
    for (const PlacedToken& token : all)
      if (token.kind == TokenKind::directive)
        define(token.text);
    for (const StructOutline& each : outline_.structs)
      addStruct(each);
    for (const FunctionOutline& each : outline_.functions) {
      if (each.isDefined()) {
        functions_[each.name].push_back({std::max(1.0, typeWidth(each.returnType)),
                                         all.subspan(each.open + 1, each.close - each.open - 1)});
      }
    }
  }

  bool has(const std::string& function) const { return functions_.count(function) != 0; }

  Operations cost(const std::string& function) {
    const auto known = costs_.find(function);
    if (known != costs_.end())
      return known->second;
    costs_[function] = {};  // of a function that calls itself, which GLSL forbids
    Operations most;
    for (const Function& overload : functions_[function]) {
      const Operations here = block(overload.body, overload.width);
      most = here.plain + here.special > most.plain + most.special ? here : most;
    }
    return costs_[function] = most;
  }

  double structWords(const std::string& name) const {
    const auto found = structs_.find(name);
    return found == structs_.end() ? 0.0 : found->second;
  }

 private:
  struct Function {
    double width = 1.0;  // of what it returns
    Tokens body;
  };

  // `#define n0_State vec4` is a type, too.
  void define(const std::string& directive) {
    const std::vector<std::string> words = directiveWords(directive);
    if (words.size() == 3 && words[0] == "define" && widthOf(words[2]) > 0.0)
      aliases_[words[1]] = widthOf(words[2]);
  }

  double typeWidth(const std::string& type) const {
    const auto alias = aliases_.find(type);
    const auto made = structs_.find(type);
    return alias != aliases_.end() ? alias->second : made != structs_.end() ? made->second : widthOf(type);
  }

  void addStruct(const StructOutline& each) {
    double words = 0.0;
    for (const auto& [type, name] : each.members) {
      if (const double width = typeWidth(type.substr(0, type.find('['))); width > 0.0) {
        words += width;
        widths_[name] = width;
      }
    }
    structs_[each.name] = words;
  }

  // Statements of a block; `returned`: components of what it returns.
  Operations block(Tokens body, double returned) {
    Operations sum;
    size_t begin = 0;
    for (size_t i = 0; i < body.size(); ++i) {
      const std::string& text = body[i].text;
      if (text == "for" && i + 1 < body.size()) {
        const size_t header = afterBracket(body, i + 1);
        const size_t end = header < body.size() && body[header].text == "{" ? afterBracket(body, header)
                                                                            : statementEnd(body, header);
        const Operations once = block(body.subspan(header, end - header), returned);
        const double trips = tripsOf(body.subspan(i + 2, header - i - 3));
        sum.plain += trips * (once.plain + 2.0);
        sum.special += trips * once.special;
        i = end - 1;
        begin = end;
      } else if (text == ";" || text == "{" || text == "}" || body[i].kind == TokenKind::directive) {
        add(sum, statement(body.subspan(begin, i - begin), returned));
        begin = i + 1;
      }
    }
    add(sum, statement(body.subspan(begin), returned));
    return sum;
  }

  static size_t statementEnd(Tokens body, size_t i) {
    while (i < body.size() && body[i].text != ";")
      ++i;
    return std::min(i + 1, body.size());
  }

  static double tripsOf(Tokens header) {
    for (size_t i = 0; i + 1 < header.size(); ++i) {
      if (header[i].text == "<" || header[i].text == "<=") {
        const PlacedToken& limit =
            header[i + 1].text == "=" && i + 2 < header.size() ? header[i + 2] : header[i + 1];
        const double trips = limit.kind == TokenKind::number ? std::atof(limit.text.c_str()) : unknownTrips;
        return std::clamp(trips, 1.0, 65536.0);
      }
    }
    return unknownTrips;
  }

  static void add(Operations& sum, const Operations& more) {
    sum.plain += more.plain;
    sum.special += more.special;
  }

  // Components that a statement computes: of its declaration, return value or assignment.
  double statementWidth(Tokens statement, double returned) {
    if (statement.empty())
      return 1.0;
    const size_t first = statement[0].text == "const" && statement.size() > 2 ? 1 : 0;
    if (const double declared = typeWidth(statement[first].text);
        declared > 0.0 && first + 1 < statement.size() &&
        statement[first + 1].kind == TokenKind::identifier) {
      widths_[statement[first + 1].text] = declared;
      return structs_.count(statement[first].text) != 0 ? 1.0 : declared;
    }
    if (statement[0].text == "return")
      return statement.size() > 1 && structs_.count(statement[1].text) != 0 ? 1.0 : returned;
    for (size_t i = 1; i < statement.size(); ++i) {
      if (statement[i].text == "=" && statement[i - 1].text != "=") {
        size_t left = i - 1;
        while (left > 0 && statement[left].kind == TokenKind::symbol && statement[left].text != "]")
          --left;  // += and the like
        const std::string& target = statement[left].text;
        if (left > 0 && statement[left - 1].text == "." && isSwizzle(target))
          return static_cast<double>(target.size());
        const auto known = widths_.find(target);
        return known == widths_.end() ? 1.0 : std::min(known->second, 4.0);
      }
    }
    return 1.0;
  }

  Operations statement(Tokens statement, double returned) {
    const double width = std::min(statementWidth(statement, returned), 4.0);
    Operations sum;
    for (size_t i = 0; i < statement.size(); ++i) {
      const PlacedToken& token = statement[i];
      const bool isCall =
          token.kind == TokenKind::identifier && i + 1 < statement.size() && statement[i + 1].text == "(";
      if (isCall)
        add(sum, call(token.text, width));
      else if (token.kind == TokenKind::symbol)
        add(sum, symbol(statement, i, width));
    }
    return sum;
  }

  Operations call(const std::string& name, double width) {
    if (functions_.count(name) != 0)
      return cost(name);
    if (typeWidth(name) > 0.0)
      return {};  // a constructor
    const auto found = builtIns().find(name);
    const Operations once = found == builtIns().end() ? Operations{1.0, 0.0} : found->second;
    // These count once for a whole vector, whatever its width.
    static const std::set<std::string, std::less<>> toOne = {
        "dot",          "length",         "distance",      "normalize",      "cross",
        "packHalf2x16", "unpackHalf2x16", "packSnorm2x16", "unpackSnorm2x16"};
    const double times = toOne.count(name) != 0 ? 1.0 : width;
    return {once.plain * times, once.special * times};
  }

  // A binary operator; negation is free, and so is access.
  static Operations symbol(Tokens statement, size_t i, double width) {
    const std::string& text = statement[i].text;
    static const std::string operators = "+-*/%<>&|^?!~";
    if (operators.find(text) == std::string::npos || i == 0)
      return {};
    const PlacedToken& before = statement[i - 1];
    const bool isBinary = before.kind != TokenKind::symbol || before.text == ")" || before.text == "]";
    if (!isBinary || before.text == "return")
      return {};
    return text == "/" ? Operations{width, width} : Operations{width, 0.0};
  }

  const Outline outline_;
  std::map<std::string, std::vector<Function>> functions_;
  std::map<std::string, double> structs_;  // words
  std::map<std::string, double> aliases_;  // components
  std::map<std::string, double> widths_;   // of fields and variables, by name
  std::map<std::string, Operations> costs_;
};

}  // namespace

Operations countFunction(std::string_view glsl, const std::string& function) {
  return Counter(glsl).cost(function);
}

FilterWork countWork(std::string_view glsl) {
  Counter counter(glsl);
  FilterWork work;
  work.tap = counter.cost("n0_gather");
  work.load = counter.has("n0_load") ? counter.cost("n0_load") : Operations{};
  work.difference = counter.has("n0_difference") ? counter.cost("n0_difference") : Operations{};
  work.pixel = {};
  for (const char* function : {"n0_centre", "n0_start", "n0_finish", "n0_output"}) {
    if (counter.has(function)) {
      const Operations once = counter.cost(function);
      work.pixel.plain += once.plain;
      work.pixel.special += once.special;
    }
  }
  work.tapWords = static_cast<uint32_t>(counter.structWords("n0_Tap"));
  work.pixelWords = static_cast<uint32_t>(counter.structWords("n0_Centre") + counter.structWords("n0_Acc"));
  return work;
}

}  // namespace lacuna
