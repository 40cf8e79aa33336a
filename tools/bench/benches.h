#pragma once
// The parts of `lacuna bench`: a file or folder each. They return exit codes.

#include <string>
#include <string_view>
#include <vector>

#include "graph/values/image_type.h"
#include "tools/shell/arguments.h"

namespace CLI {
class App;
}

namespace lacuna {

struct Lab;

// Each uses its own options (options.cpp).
struct BenchArguments {
  std::string graph;                    // file
  std::vector<std::string> parameters;  // as GraphArguments::parameters
  std::string frames;                   // "A-B" or "A"
  std::vector<Extent> sizes;            // none: the defaults
  std::vector<std::string> sides;       // of gemm: "1024" and "1024,2048"
  std::vector<std::string> filters;     // none: all
  std::vector<std::string> scenes;      // files; if none, those that come with the program
  std::vector<std::string> schedules;   // prefixes; none: all
  std::vector<int> radii;               // none: the study's
  std::string border;                   // of bilateral, a choice of its parameter
  std::string candidates;               // candidates of a variant: "first", "best", "all"
  std::vector<std::string> shapes;      // "1048576x288x48"
  std::vector<std::string> accumulate;  // "f32", "f16"; none: both
  std::vector<std::string> pack;        // layout of factors; if none, all
  int bins = 8;                         // a colour
  int samples = 0;                      // paths a pixel; 0: the usual ones
  bool quality = false;                 // of rhf: what filtering is worth
  int reference = 0;                    // paths a pixel of its reference; 0: the usual ones
  std::string network;                  // of unet: a name, or a file of weights
  bool quick = false;                   // less of it
  std::vector<std::string> parts;       // names of micro-benchmarks; if none, all
  Extent tile{20, 20};                  // of banks: cells of shared memory
  bool kept = false;                    // measure only missing ones
  bool statistics = false;              // print what the driver states about each pass's shader

  // Options of all benches.
  std::string plots;  // folder for SVG files, or empty
  std::string page;   // file for the page, or empty
  bool json = false;
  std::string output;  // file for the JSON, or empty

  // Options of all that run on a device.
  std::string device;
  std::vector<std::string> modules;
  int runs = 20;
  double limitSeconds = 3.0;  // a schedule, after its first few runs
  double preheatMs = 200.0;
};

constexpr int usualSamples = 64;  // paths a pixel

// Adds all of them to the program, with their options. The one that is parsed runs and sets `code`.
void describeBenches(CLI::App& app, int& code);

int runBenchAtrous(const BenchArguments& arguments);
int runBenchBanks(const BenchArguments& arguments);
int runBenchBilateral(const BenchArguments& arguments);
int runBenchBorders(const BenchArguments& arguments);
int runBenchCaches(const BenchArguments& arguments);
int runBenchDevice(const BenchArguments& arguments);
int runBenchGemm(const BenchArguments& arguments);
int runBenchGraph(const BenchArguments& arguments);
int runBenchPathtrace(const BenchArguments& arguments);
int runBenchRhf(const BenchArguments& arguments);
int runBenchUnet(const BenchArguments& arguments);
int runRhfQuality(Lab& lab);  // of `lacuna bench rhf --quality`

// Whether --filter requests it; without names all are requested.
bool isAsked(const std::vector<std::string>& asked, std::string_view name);

}  // namespace lacuna
