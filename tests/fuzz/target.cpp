#include "tests/fuzz/target.h"

#include <array>

namespace lacuna::fuzz {
namespace {

std::array<std::span<const Target>, 4> allTargets() {
  return {textTargets, imageTargets, shaderTargets, dataTargets};
}

}  // namespace

const Target* targetNamed(std::string_view name) {
  for (const auto& targets : allTargets())
    for (const Target& target : targets)
      if (name == target.name)
        return &target;
  return nullptr;
}

std::string targetNames() {
  std::string names;
  for (const auto& targets : allTargets())
    for (const Target& target : targets)
      names += (names.empty() ? "" : " ") + std::string(target.name);
  return names;
}

}  // namespace lacuna::fuzz
