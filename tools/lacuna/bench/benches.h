#pragma once
// What `lacuna bench` measures: a file each. They return exit codes.

#include <string>
#include <string_view>
#include <vector>

#include "graph/module/image_type.h"
#include "tools/lacuna/commands.h"

namespace lacuna {

// No sizes: the usual ones.
int runBenchAtrous(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchBilateral(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchBorders(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchDevice(const BenchArguments& arguments);
int runBenchGemm(const BenchArguments& arguments);
int runBenchGraph(const BenchArguments& arguments);
int runBenchCaches(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchRhf(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchUnet(const BenchArguments& arguments, std::vector<Extent> sizes);
int runBenchPathtrace(const BenchArguments& arguments, std::vector<Extent> sizes);

// Whether --filter asks for it: no names ask for all.
bool isAsked(const std::vector<std::string>& asked, std::string_view filter);

}  // namespace lacuna
