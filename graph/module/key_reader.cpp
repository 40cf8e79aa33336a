#include "graph/module/key_reader.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

// [x, y], with at most this many invocations; otherwise nullopt.
std::optional<std::array<uint32_t, 2>> workgroupOf(const toml::node& node) {
  const toml::array* list = node.as_array();
  const auto x = list != nullptr && list->size() == 2 ? list->get(0)->value_exact<int64_t>() : std::nullopt;
  const auto y = x ? list->get(1)->value_exact<int64_t>() : std::nullopt;
  if (!x || !y || *x < 1 || *y < 1 || *x > maxWorkgroup || *y > maxWorkgroup || *x * *y > maxWorkgroup)
    return std::nullopt;
  return std::array{static_cast<uint32_t>(*x), static_cast<uint32_t>(*y)};
}

// "local", "global", "halo(2)", "halo(156, 32)", "scale(0.5)"
std::optional<Footprint> footprintOf(std::string_view text) {
  if (text == "local" || text == "global")
    return Footprint{text == "local" ? FootprintKind::local : FootprintKind::global, 0};
  const bool halo = text.starts_with("halo(");
  if ((!halo && !text.starts_with("scale(")) || text.back() != ')')
    return std::nullopt;
  const std::string_view inside = text.substr(text.find('(') + 1).substr(0, text.size() - text.find('(') - 2);
  const size_t comma = halo ? inside.find(", ") : std::string_view::npos;
  const auto amount = parseNumber(inside.substr(0, comma));
  const auto multiple =
      comma == std::string_view::npos ? std::optional<int64_t>(1) : parseInteger(inside.substr(comma + 2));
  const bool valid = amount && (halo ? *amount >= 0 : *amount > 0) && *amount <= 1e6 && multiple &&
                     *multiple >= 1 && *multiple <= 4096;
  if (!valid)
    return std::nullopt;
  return Footprint{halo ? FootprintKind::halo : FootprintKind::scale, static_cast<float>(*amount),
                   static_cast<uint32_t>(*multiple)};
}

std::optional<ParameterValue> valueOf(const toml::node& node) {
  std::optional<ParameterValue> value;
  node.visit([&](const auto& each) {
    if constexpr (toml::is_boolean<decltype(each)> || toml::is_number<decltype(each)> ||
                  toml::is_string<decltype(each)>)
      value = *each;
  });
  return value;
}

}  // namespace

bool KeyReader::find(const Key& key) {
  const bool isItsKind = kind_ && contains(key.kinds, *kind_);
  const bool isRequired = key.isRequired && (key.kinds.empty() || isItsKind);
  const bool isThere = table_.value(key.name, isRequired ? Need::required : Need::optional) != nullptr;
  if (isThere && kind_ && !key.kinds.empty() && !isItsKind) {
    std::vector<std::string> kinds;
    for (const NodeKind kind : key.kinds)
      kinds.push_back(wordOf(nodeKindWords(), kind));
    wrong(key, fmt::format("'{}' in {} is for nodes of kind {}, this one is of kind {}", key.name,
                           table_.title(), joinChoices(kinds), wordOf(nodeKindWords(), *kind_)));
  }
  return isThere;
}

bool KeyReader::has(const Key& key) const {
  return table_.has(key.name) && !table_.file().isWrong(table_.path(key.name));
}

void KeyReader::wrong(const Key& key, std::string message, std::string hint) const {
  table_.error(key.name, std::move(message), std::move(hint));
}

void KeyReader::known(const Key& key, const std::string& word, const std::vector<std::string>& words) const {
  if (!contains(words, word))
    wrong(key, fmt::format("'{}' cannot be '{}'", key.name, word), suggest(word, words));
}

void KeyReader::cannotHold(const Key& key, size_t index, const std::string& word,
                           const std::vector<std::string>& words) const {
  const std::string entry = fmt::format("{}[{}]", key.name, index);
  if (!table_.file().isWrong(table_.path(entry)))
    table_.error(entry, fmt::format("'{}' cannot hold '{}'", key.name, word), suggest(word, words));
}

void KeyReader::read(const Key& key, MosaicPattern& value, const WordList<MosaicPattern>&) {
  const auto word = table_.string(key.name);
  const auto pattern = word ? patternFromName(*word) : std::nullopt;
  if (word && !pattern) {
    wrong(key, fmt::format("'{}' is not a pattern of a mosaic", *word),
          "4 or 36 letters of r, g and b, such as rggb; x-trans; or none");
  }
  value = pattern.value_or(value);
}

bool KeyReader::isTrue(const Key& key) {
  const std::optional<bool> value = table_.value(key.name)->value_exact<bool>();
  if (value && !*value) {
    wrong(key, fmt::format("'{}' is a number, or true", key.name),
          fmt::format("an image has no '{}'", key.name));
  }
  return value.has_value();
}

void KeyReader::read(const Key& key, bool& value) {
  value = table_.boolean(key.name).value_or(value);
}

void KeyReader::read(const Key& key, std::string& value) {
  const auto text = table_.string(key.name);
  if (!text)
    return;
  value = *text;
  if (!key.words.empty()) {
    known(key, value, key.words);
  } else if (key.text == TextKind::name && !isName(value)) {
    wrong(key, fmt::format("'{}' is not a name", value), "names have letters, digits, '-' and '_'");
  } else if (key.text == TextKind::identifier) {
    const bool isKept = value.starts_with("gl_") || value.find("__") != std::string::npos;
    const bool isWrong = !isName(value) || value.find('-') != std::string::npos ||
                         std::isdigit(static_cast<unsigned char>(value[0])) != 0;
    if (isKept || isWrong) {
      wrong(key, fmt::format("'{}' is not a name that a shader can use", value),
            isKept ? "GLSL keeps names with gl_ or two '_' for itself"
                   : "such names have letters, digits and '_', and start with no digit");
    }
  }
}

void KeyReader::read(const Key& key, std::vector<std::string>& value) {
  value = table_.strings(key.name);
}

void KeyReader::read(const Key& key, std::map<std::string, std::string>& value) {
  value = table_.stringMap(key.name);
}

void KeyReader::read(const Key& key, OrParameter<int64_t>& value) {
  const toml::node& node = *table_.value(key.name);
  if (node.is_string()) {
    value.parameter = table_.string(key.name).value_or("");
  } else if (node.is_integer()) {
    value.value = table_.integer(key.name, key.least, key.most).value_or(value.value);
  } else {
    wrong(key, fmt::format("'{}' must be a whole number or a parameter's name, not {}", key.name,
                           describeType(node)));
  }
}

void KeyReader::read(const Key& key, OrParameter<double>& value) {
  const toml::node& node = *table_.value(key.name);
  value.parameter = node.value_exact<std::string>().value_or("");
  value.value = node.is_number() ? node.value<double>().value_or(0.0) : node.is_string() ? value.value : 0.0;
  if (!(value.value > 0.0 && std::isfinite(value.value)))
    wrong(key, fmt::format("'{}' must be a number above 0 or a parameter's name", key.name));
}

void KeyReader::read(const Key& key, Formula& value) {
  if (key.takesTrue && isTrue(key))
    return;
  OrParameter<int64_t> given;
  if (key.most > 0)
    read(key, given);
  else
    given.parameter = table_.string(key.name).value_or("");
  value = given.parameter.empty() ? Formula(given.value) : Formula(given.parameter);
}

void KeyReader::read(const Key& key, std::vector<Formula>& value) {
  if (key.most == 0) {
    const std::vector<std::string> texts = table_.strings(key.name);
    value.assign(texts.begin(), texts.end());
    return;
  }
  const toml::array* sizes = table_.value(key.name)->as_array();
  if (sizes == nullptr || sizes->empty() || sizes->size() > mostSizes) {
    wrong(key, fmt::format("'{}' is a list of 1 to {} sizes, outermost first", key.name, mostSizes));
    return;
  }
  for (const toml::node& size : *sizes) {
    const int64_t number = size.value_exact<int64_t>().value_or(0);
    const std::string text = size.value_exact<std::string>().value_or("");
    if (text.empty() && (number < key.least || number > key.most)) {
      table_.error(fmt::format("{}[{}]", key.name, value.size()),
                   fmt::format("a size is a whole number from {} to {}, a parameter's name or arithmetic",
                               key.least, key.most));
    }
    value.push_back(text.empty() ? Formula(number) : Formula(text));
  }
}

void KeyReader::read(const Key& key, When& value) {
  value = table_.string(key.name).value_or("");
  if (value.isWrong) {
    wrong(key, fmt::format("'{}' is not a condition", value.text),
          "write p, !p, p == value or p != value, p a structural parameter; join several by 'and', or by "
          "'or'");
  }
}

void KeyReader::read(const Key& key, Footprint& value) {
  const auto text = table_.string(key.name);
  const auto footprint = text ? footprintOf(*text) : std::nullopt;
  if (text && !footprint) {
    wrong(key, fmt::format("'{}' is not a footprint", *text),
          "write local, halo(PIXELS), halo(PIXELS, MULTIPLE), scale(FACTOR) or global");
  }
  value = footprint.value_or(value);
}

void KeyReader::read(const Key& key, std::optional<NumberRange>& value) {
  const std::vector<double> range = table_.numbers(key.name);
  if (range.size() == 2 && range[0] <= range[1])
    value = {range[0], range[1]};
  else if (has(key))
    wrong(key, "'range' must be two numbers, the smaller one first");
}

void KeyReader::read(const Key& key, ParameterValues& values) {
  const auto add = [&](const toml::node& node, const std::string& entry) {
    table_.file().remember(table_.path(entry), table_.file().locate(node.source()));
    const auto value = valueOf(node);
    if (!value)
      table_.error(entry, fmt::format("'{}' must be a value, or a list of values, not {}", key.name,
                                      describeType(node)));
    values.push_back(value.value_or(0.0));
  };
  const toml::node& node = *table_.value(key.name);
  if (!node.is_array()) {
    add(node, key.name);
    return;
  }
  for (const toml::node& entry : *node.as_array())
    add(entry, fmt::format("{}[{}]", key.name, values.size()));
}

// Weights too small for a float are 0, as their squares would be in shaders: such taps are omitted.
void KeyReader::read(const Key& key, std::vector<float>& value) {
  using Float = std::numeric_limits<float>;
  for (const double weight : table_.numbers(key.name)) {
    if (std::abs(weight) > Float::max()) {
      wrong(key, fmt::format("the weight {} is too large for a float", weight),
            fmt::format("write -{0} to {0}", Float::max()));
      return;
    }
    value.push_back(std::abs(weight) < Float::min() ? 0.0F : static_cast<float>(weight));
  }
}

void KeyReader::read(const Key& key, std::array<uint32_t, 2>& value) {
  const auto workgroup = workgroupOf(*table_.value(key.name));
  if (!workgroup)
    wrong(key, fmt::format("'{}' must be [x, y], at most {} invocations in all", key.name, maxWorkgroup));
  value = workgroup.value_or(value);
}

void KeyReader::read(const Key& key, std::vector<std::array<uint32_t, 2>>& value) {
  const toml::array* list = table_.value(key.name)->as_array();
  bool valid = list != nullptr && !list->empty();
  for (size_t i = 0; valid && i < list->size(); ++i) {
    const auto workgroup = workgroupOf(*list->get(i));
    valid = workgroup.has_value();
    value.push_back(workgroup.value_or(std::array<uint32_t, 2>{16, 16}));
  }
  if (!valid) {
    wrong(key, fmt::format("'{}' must be a list of [x, y], at most {} invocations in all", key.name,
                           maxWorkgroup));
  }
}

// [1, "N"]
void KeyReader::read(const Key& key, std::array<std::string, 2>& value) {
  const toml::array* list = table_.value(key.name)->as_array();
  bool valid = list != nullptr && list->size() == 2;
  for (size_t i = 0; valid && i < 2; ++i) {
    const auto number = list->get(i)->value_exact<int64_t>();
    const auto name = list->get(i)->value_exact<std::string>();
    valid = number ? *number >= 1 && *number <= maxVariantConstant : name.has_value();
    value[i] = number ? std::to_string(*number) : name.value_or("1");
  }
  if (!valid)
    wrong(key, fmt::format("'{}' must be [x, y]: of an invocation, numbers or names of constants", key.name));
}

void KeyReader::read(const Key& key, std::vector<NodeConstant>& value) {
  for (const auto& [name, word] : table_.stringMap(key.name, true)) {
    const auto number = parseInteger(word);
    value.push_back({name, number ? "" : word, number.value_or(0)});
  }
}

// { N = [4, 1, 2] }, or one number.
void KeyReader::read(const Key& key, std::vector<VariantConstant>& value) {
  const toml::node& node = *table_.value(key.name);
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    wrong(key, fmt::format("'{}' must be a table, not {}", key.name, describeType(node)));
    return;
  }
  for (const auto& [name, entry] : *table) {
    VariantConstant constant{std::string(name.str()), {}};
    if (const auto one = entry.value_exact<int64_t>())
      constant.values.push_back(*one);
    else if (const toml::array* list = entry.as_array())
      for (const auto& each : *list)
        constant.values.push_back(each.value_exact<int64_t>().value_or(-1));
    const bool valid = !constant.values.empty() && std::ranges::all_of(constant.values, [&](int64_t v) {
      return v >= key.least && v <= key.most;
    });
    if (!valid) {
      wrong(key,
            fmt::format("'{}' must be a whole number from {} to {}, or a list of such, the default first",
                        constant.name, key.least, key.most));
      constant.values = {1};
    }
    value.push_back(std::move(constant));
  }
}

// "all", 12, { parameter = "history", factor = 8 }, or a list of such tables.
void KeyReader::read(const Key& key, std::vector<WarmUpDescription>& value) {
  const toml::node& node = *table_.value(key.name);
  if (node.is_table()) {
    read(key, value.emplace_back());
  } else if (node.is_array()) {
    read<WarmUpDescription>(key, value);
  } else if (const auto word = node.value_exact<std::string>()) {
    value.emplace_back().all = true;
    known(key, *word, {"all"});
  } else if (node.is_integer()) {
    read(key, value.emplace_back().frames);
  } else {
    wrong(key,
          fmt::format("'{}' must be a number of frames, \"all\", a table with 'parameter' or 'share', or "
                      "a list of such tables, not {}",
                      key.name, describeType(node)));
  }
}

}  // namespace lacuna
