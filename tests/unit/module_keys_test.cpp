// The table of module.toml's keys and modules/README.md list the same keys.

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "graph/config/text.h"
#include "graph/module/keys.h"

namespace lacuna {
namespace {

using NameSet = std::set<std::string>;

struct KeyNames {
  NameSet names;
  template <typename T, typename... Words>
  void operator()(const Key& key, const T&, const Words&...) {
    names.insert(key.name);
  }
};

template <typename... Tables>
NameSet namesOf(const NameSet& without = {}) {
  KeyNames visitor;
  const auto visit = [&](const auto& table) { keys(visitor, table); };
  (visit(Tables{}), ...);
  for (const std::string& name : without)
    visitor.names.erase(name);
  return visitor.names;
}

// The README from this line on.
std::string chapter(const std::string& heading) {
  const std::string text = readTextFile(std::string(LACUNA_MODULE_FOLDER) + "/README.md").text;
  const size_t begin = text.find("\n" + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  return text.substr(std::min(begin, text.size()));
}

// The keys in the first column of its first table.
NameSet tableOf(const std::string& heading) {
  std::istringstream lines(chapter(heading));
  NameSet names;
  bool isInside = false;
  for (std::string line; std::getline(lines, line) && (!isInside || line.starts_with('|'));) {
    isInside = isInside || line.starts_with("|---");
    const std::string cell = line.substr(0, line.find('|', 1));
    const std::regex key(R"(`\[*([a-z_0-9]+)\]*`)");
    for (std::sregex_iterator each(cell.begin(), cell.end(), key), end; isInside && each != end; ++each)
      names.insert((*each)[1]);
  }
  return names;
}

// Whether the text up to the next heading names them all.
void expectNamed(const std::string& heading, const NameSet& names) {
  const std::string text = chapter(heading);
  const std::string own = text.substr(0, text.find("\n#", 1 + heading.size()));
  for (const std::string& name : names)
    EXPECT_TRUE(std::regex_search(own, std::regex("\\b" + name + "\\b"))) << name << " in " << heading;
}

TEST(ModuleKeys, ReadmeListsThem) {
  EXPECT_EQ(tableOf("### The module"), namesOf<ModuleDescription>({"variant"}));
  EXPECT_EQ(tableOf("### `[[connector]]`"), namesOf<ConnectorDescription>());
  EXPECT_EQ(tableOf("### `[[parameter]]`"), namesOf<ParameterDescription>());
  EXPECT_EQ(tableOf("### `[[node]]`"), namesOf<NodeDescription>({"stencil", "reduce", "kernel"}));
  EXPECT_EQ(tableOf("An output:"), namesOf<NodeOutput>());
  EXPECT_EQ(tableOf("### `[node.stencil]`"), namesOf<StencilDescription>());
  EXPECT_EQ(tableOf("### `[node.reduce]` and `[node.kernel]`"),
            (namesOf<ReduceDescription, KernelDescription>()));
  EXPECT_EQ(tableOf("### `[[variant]]`"), namesOf<VariantDescription>());
}

TEST(ModuleKeys, ReadmeNamesThoseOfInlineTables) {
  expectNamed("### The module", namesOf<WarmUpDescription>());
  expectNamed("### `[[node]]`", namesOf<NodeInput>());
  expectNamed("#### Extents", namesOf<OutputExtent>());
  expectNamed("### `[node.stencil]`", namesOf<TapField>());
  expectNamed("### `[node.stencil]`", namesOf<StateDescription>());
}

}  // namespace
}  // namespace lacuna
