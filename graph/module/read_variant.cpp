// `[[variant]]`: another implementation of kernels of the module; read, and checked against the module.

#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/module/arithmetic.h"
#include "graph/module/description.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

const WordList<VariantDevice>& deviceWords() {
  static const WordList<VariantDevice> words{{"any", VariantDevice::any},
                                             {"cpu", VariantDevice::cpu},
                                             {"gpu", VariantDevice::gpu},
                                             {"none", VariantDevice::none}};
  return words;
}

// [[16, 16], [8, 8]]
std::vector<std::array<uint32_t, 2>> readWorkgroups(TableReader& reader) {
  std::vector<std::array<uint32_t, 2>> all;
  const toml::node* node = reader.value("workgroups", Need::required);
  if (node == nullptr) {
    return {{16, 16}};
  }
  const toml::array* list = node->as_array();
  bool valid = list != nullptr && !list->empty();
  for (size_t i = 0; valid && i < list->size(); ++i) {
    const auto workgroup = readWorkgroup(*list->get(i));
    valid = workgroup.has_value();
    if (valid) {
      all.push_back(*workgroup);
    }
  }
  if (!valid) {
    reader.error(
        "workgroups",
        fmt::format("'workgroups' must be a list of [x, y], at most {} invocations in all", maxWorkgroup));
    return {{16, 16}};
  }
  return all;
}

// { N = [4, 1, 2] }, or one number.
std::vector<VariantConstant> readConstants(TableReader& reader) {
  std::vector<VariantConstant> all;
  const toml::node* node = reader.value("constants");
  const toml::table* table = node != nullptr ? node->as_table() : nullptr;
  if (node != nullptr && table == nullptr) {
    reader.error("constants", fmt::format("'constants' must be a table, not {}", describeType(*node)));
  }
  if (table == nullptr) {
    return all;
  }
  for (const auto& [name, entry] : *table) {
    VariantConstant constant{std::string(name.str()), {}};
    if (const auto one = entry.value_exact<int64_t>()) {
      constant.values.push_back(*one);
    } else if (const toml::array* list = entry.as_array()) {
      for (const auto& each : *list) {
        constant.values.push_back(each.value_exact<int64_t>().value_or(-1));
      }
    }
    const bool valid = !constant.values.empty() && std::ranges::all_of(constant.values, [](int64_t v) {
      return v >= 0 && v <= maxVariantConstant;
    });
    if (!valid) {
      reader.error(
          "constants",
          fmt::format("'{}' must be a whole number from 0 to {}, or a list of such, the default first",
                      constant.name, maxVariantConstant));
      constant.values = {1};
    }
    all.push_back(std::move(constant));
  }
  return all;
}

// [1, "N"]
void readPixels(TableReader& reader, std::string (&pixels)[2]) {
  const toml::node* node = reader.value("pixels");
  if (node == nullptr) {
    return;
  }
  const toml::array* list = node->as_array();
  bool valid = list != nullptr && list->size() == 2;
  for (size_t i = 0; valid && i < 2; ++i) {
    if (const auto number = list->get(i)->value_exact<int64_t>()) {
      valid = *number >= 1 && *number <= maxVariantConstant;
      pixels[i] = std::to_string(*number);
    } else {
      const auto name = list->get(i)->value_exact<std::string>();
      valid = name.has_value();
      pixels[i] = name.value_or("1");
    }
  }
  if (!valid) {
    reader.error("pixels", "'pixels' must be [x, y]: of an invocation, numbers or names of constants");
  }
}

// Whether a node that the variant is for has an input of this name.
bool isInput(const VariantDescription& variant, const ModuleDescription& module, std::string_view name) {
  return std::ranges::any_of(variant.nodes, [&](const std::string& each) {
    const NodeDescription* node = module.node(each);
    return node != nullptr && findNamed(node->inputs, name) != nullptr;
  });
}

class VariantCheck : TableChecker {
 public:
  VariantCheck(const ModuleDescription& module, size_t index, TomlFile& file)
      : TableChecker(module, fmt::format("variant[{}]", index), file),
        variant_(module.variants[index]),
        index_(index),
        builds_(std::ranges::any_of(
            module.nodes, [](const NodeDescription& node) { return node.kind == NodeKind::native; })) {}

  void run() {
    checkName();
    checkNodes();
    checkShaderIsThere(variant_.shader);
    checkPixels();
    if (!variant_.shared.empty()) {
      checkNumber("shared", variant_.shared);
    }
    for (size_t i = 0; i < variant_.whole.size(); ++i) {
      checkNumber(fmt::format("whole[{}]", i), variant_.whole[i]);
    }
    checkMatrix();
    checkWhen(variant_.when);
    for (const VariantConstant& constant : variant_.constants) {
      if (variantConstantIn(lowerCase(constant.name) + "1") != lowerCase(constant.name)) {
        error("constants", fmt::format("'{}' is not a name for a constant", constant.name),
              "such names have letters only");
      }
    }
  }

 private:
  // Several may share a name if each is for other nodes: the name then selects all of them.
  void checkName() {
    for (size_t i = 0; i < index_ && !variant_.name.empty(); ++i) {
      const VariantDescription& before = module_.variants[i];
      const auto both = std::find_first_of(variant_.nodes.begin(), variant_.nodes.end(), before.nodes.begin(),
                                           before.nodes.end());
      if (before.name == variant_.name && both != variant_.nodes.end()) {
        error("name", fmt::format("the variant '{}' of '{}' appears twice, first in line {}", variant_.name,
                                  *both, file_.place(fmt::format("variant[{}].name", i)).line));
        return;
      }
    }
  }

  // If native code builds nodes, missing ones are only known afterwards.
  void checkNodes() {
    const std::vector<std::string> kernels =
        namesIn(module_.nodes, [](const auto& node) { return node.kind == NodeKind::kernel; });
    for (size_t i = 0; i < variant_.nodes.size(); ++i) {
      const bool isKernel = contains(kernels, variant_.nodes[i]);
      if (!isKernel && (!builds_ || module_.node(variant_.nodes[i]) != nullptr)) {
        error(fmt::format("nodes[{}]", i), fmt::format("there is no kernel '{}'", variant_.nodes[i]),
              suggest(variant_.nodes[i], kernels));
      }
    }
    for (size_t i = 0; i < variant_.uniform.size(); ++i) {
      if (!isInput(variant_, module_, variant_.uniform[i]) && !builds_) {
        error(fmt::format("uniform[{}]", i), fmt::format("no node has an input '{}'", variant_.uniform[i]));
      }
    }
  }

  void checkPixels() {
    for (const std::string& side : variant_.pixels) {
      const bool number = side.find_first_not_of("0123456789") == std::string::npos;
      if (!number && constant(side) == nullptr) {
        error("pixels", fmt::format("there is no constant '{}'", side));
      }
    }
  }

  void checkNumber(const std::string& key, const std::string& text) {
    const Arithmetic number = evaluate(text, [&](std::string_view name) -> std::optional<int64_t> {
      const bool input =
          name.starts_with("bytes_") && (builds_ || isInput(variant_, module_, name.substr(6)));
      const ParameterDescription* parameter = module_.parameter(std::string(name));
      const bool known =
          name == "width" || name == "height" || input || constant(name) != nullptr ||
          (parameter != nullptr && parameter->structural && parameter->type == ParameterType::integer);
      return known ? std::optional<int64_t>(1) : std::nullopt;
    });
    if (!number.mistake.empty()) {
      error(
          key, fmt::format("'{}': {}", text, number.mistake),
          "known are width and height of the workgroup, bytes_INPUT of a pixel, constants and structural int "
          "parameters");
    }
  }

  void checkMatrix() {
    for (const auto& workgroup : variant_.workgroups) {
      if (variant_.usesMatrices()) {
        checkMatrixWidth("workgroups", workgroup[0]);
      }
    }
  }

  const VariantConstant* constant(std::string_view name) const { return findNamed(variant_.constants, name); }

  const VariantDescription& variant_;
  size_t index_;
  bool builds_;
};

// Names of inputs in `shared` and `whole`.
std::vector<std::string> inputsOfNumbers(const VariantDescription& variant) {
  std::vector<std::string> inputs;
  std::vector<std::string> texts = variant.whole;
  texts.push_back(variant.shared);
  for (const std::string& text : texts) {
    evaluate(text, [&](std::string_view name) {
      if (name.starts_with("bytes_")) {
        inputs.emplace_back(name.substr(6));
      }
      return std::optional<int64_t>(1);
    });
  }
  return inputs;
}

}  // namespace

VariantDescription readVariant(TableReader& reader) {
  VariantDescription variant;
  variant.name = readName(reader);
  variant.nodes = reader.strings("nodes", Need::required);
  variant.shader = reader.string("shader", Need::required).value_or("");
  variant.workgroups = readWorkgroups(reader);
  readPixels(reader, variant.pixels);
  variant.constants = readConstants(reader);
  variant.images = reader.boolean("images").value_or(false);
  variant.uniform = reader.strings("uniform");
  variant.shared = reader.string("shared").value_or("");
  variant.whole = reader.strings("whole");
  variant.formats = readWords(reader, "formats", formatWords());
  variant.when = reader.string("when").value_or("");
  variant.float16 = reader.boolean("float16").value_or(false);
  variant.matrix = reader.boolean("matrix").value_or(false);
  variant.matrix2 = reader.boolean("matrix2").value_or(false);
  variant.device = readWord(reader, "device", deviceWords()).value_or(VariantDevice::any);
  variant.guarantee = reader.string("guarantee").value_or("exact");
  variant.doc = reader.string("doc").value_or("");
  return variant;
}

void checkVariants(const ModuleDescription& module, TomlFile& file) {
  for (size_t i = 0; i < module.variants.size(); ++i) {
    VariantCheck(module, i, file).run();
  }
}

void checkBuiltVariants(const ModuleDescription& module, TomlFile& file) {
  for (const VariantDescription& variant : module.variants) {
    std::vector<std::string> inputs = inputsOfNumbers(variant);
    inputs.insert(inputs.end(), variant.uniform.begin(), variant.uniform.end());
    for (size_t n = 0; n < module.nodes.size(); ++n) {
      const NodeDescription& node = module.nodes[n];
      if (!contains(variant.nodes, node.name)) {
        continue;
      }
      const std::string path = fmt::format("node[{}]", n);
      if (node.kind != NodeKind::kernel) {
        file.error(path, fmt::format("the variant '{}' is for '{}', which is not a kernel", variant.name,
                                     node.name));
      }
      for (const std::string& input : inputs) {
        if (findNamed(node.inputs, input) == nullptr) {
          file.error(path,
                     fmt::format("'{}' has no input '{}', which its variant '{}' names", node.name, input,
                                 variant.name),
                     suggest(input, namesIn(node.inputs)));
        }
      }
    }
  }
}

}  // namespace lacuna
