#pragma once
// What `lacuna bench` measures: a file each. They return exit codes.

#include <vector>

#include "graph/module/image_type.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// No sizes: the usual ones.
int runBenchAtrous(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchBorders(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchCaches(const BenchArguments& arguments, std::vector<Extent> sizes);

}  // namespace lacuna
