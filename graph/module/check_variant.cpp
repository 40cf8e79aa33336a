// `[[variant]]`: another implementation of kernels of the module, checked against it.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/config/text.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

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
    checkNumber("shared", variant_.shared);
    for (size_t i = 0; i < variant_.whole.size(); ++i)
      checkNumber(fmt::format("whole[{}]", i), variant_.whole[i]);
    for (size_t i = 0; i < variant_.groups.size(); ++i)
      checkNumber(fmt::format("groups[{}]", i), variant_.groups[i]);
    expect(variant_.groups.empty() || variant_.groups.size() == 2, "groups",
           "expected two numbers of workgroups, across and down");
    if (variant_.cost) {
      static constexpr const char* keys[] = {"operations", "loads", "products", "registers"};
      const std::vector<Formula> all = variant_.cost->all();
      for (size_t i = 0; i < all.size(); ++i)
        checkNumber(fmt::format("cost.{}", keys[i]), all[i], true);
    }
    for (const auto& workgroup : variant_.workgroups)
      if (variant_.usesMatrices())
        checkMatrixWidth("workgroups", workgroup[0]);
    for (const VariantConstant& each : variant_.constants) {
      expect(variantConstantIn(lowerCase(each.name) + "1") == lowerCase(each.name), "constants",
             fmt::format("'{}' is not a name for a constant", each.name), "such names have letters only");
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
    for (size_t i = 0; i < variant_.uniform.size(); ++i)
      if (!isInput(variant_, module_, variant_.uniform[i]) && !builds_)
        error(fmt::format("uniform[{}]", i), fmt::format("no node has an input '{}'", variant_.uniform[i]));
  }

  void checkPixels() {
    for (const std::string& side : variant_.pixels) {
      const bool isNumber = side.find_first_not_of("0123456789") == std::string::npos;
      expect(isNumber || constant(side) != nullptr, "pixels", fmt::format("there is no constant '{}'", side));
    }
  }

  void checkNumber(const std::string& key, const Formula& number, bool isCost = false) {
    const auto isKnown = [&](std::string_view name) {
      const bool isBytes =
          name.starts_with("bytes_") && (builds_ || isInput(variant_, module_, name.substr(6)));
      return contains(std::array<std::string_view, 4>{"width", "height", "columns", "rows"}, name) ||
             isBytes || constant(name) != nullptr || (isCost && name == "workgroups");
    };
    checkFormula(
        key, number, isKnown,
        "width and height of the workgroup, columns and rows of the kernel's pixels, bytes_INPUT of a "
        "pixel, constants");
  }

  const VariantConstant* constant(std::string_view name) const { return findNamed(variant_.constants, name); }

  const VariantDescription& variant_;
  size_t index_;
  bool builds_;
};

// Names of inputs in formulas.
std::vector<std::string> inputsOfNumbers(const VariantDescription& variant) {
  std::vector<std::string> inputs;
  std::vector<Formula> formulas = variant.whole;
  formulas.push_back(variant.shared);
  formulas.insert(formulas.end(), variant.groups.begin(), variant.groups.end());
  if (variant.cost)
    for (const Formula& formula : variant.cost->all())
      formulas.push_back(formula);
  for (const Formula& formula : formulas) {
    for (const std::string& name : formula.names())
      if (name.starts_with("bytes_"))
        inputs.push_back(name.substr(6));
  }
  return inputs;
}

}  // namespace

void checkVariants(const ModuleDescription& module, TomlFile& file) {
  for (size_t i = 0; i < module.variants.size(); ++i)
    VariantCheck(module, i, file).run();
}

void checkBuiltVariants(const ModuleDescription& module, TomlFile& file) {
  for (const VariantDescription& variant : module.variants) {
    std::vector<std::string> inputs = inputsOfNumbers(variant);
    inputs.insert(inputs.end(), variant.uniform.begin(), variant.uniform.end());
    for (size_t n = 0; n < module.nodes.size(); ++n) {
      const NodeDescription& node = module.nodes[n];
      if (!contains(variant.nodes, node.name))
        continue;
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
