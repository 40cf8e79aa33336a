#pragma once
// What `lacuna bench` measures: a file each. They return exit codes.

#include <vector>

#include "graph/module/image_type.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

int runBenchAtrous(const BenchArguments& arguments, const std::vector<Extent>& sizes);
int runBenchCaches(const BenchArguments& arguments, const std::vector<Extent>& sizes);

}  // namespace lacuna
