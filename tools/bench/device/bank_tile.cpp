// `lacuna bench banks`: the banks of a shared-memory tile and the subgroups that read it without conflicts,
// as in Dolp, Hanika, Dachsbacher 2024, supplementary, figures 1 to 3, for any tile; each shape runs in a
// shader.

#include <algorithm>
#include <cstring>

#include "graph/pattern/bank_pattern.h"
#include "tools/bench/device/device_bench.h"
#include "tools/bench/models/bank_shapes.h"

namespace lacuna {
namespace {

constexpr uint32_t haloPx = 2;  // the paper's
constexpr uint32_t windowPx = 2 * haloPx + 1;
constexpr uint32_t usualBanks = 32;     // where none are measured
constexpr uint32_t mostThreads = 1024;  // of a workgroup, as on most devices

// A tile, and the device that reads it.
struct BankTile {
  Extent cells;
  uint32_t banks = usualBanks, subgroup = 32;

  Extent workgroup() const { return {cells.width - 2 * haloPx, cells.height - 2 * haloPx}; }
  uint32_t threads() const { return workgroup().width * workgroup().height; }
  uint32_t words() const { return cells.width * cells.height; }
  SharedMemory memory() const { return {banks, 32}; }
  BankPattern pattern() const { return bankPattern(cells.width, banks); }
  uint32_t bankAt(TileCell cell) const { return (cell.y * cells.width + cell.x) % banks; }
};

// Plain rows of the workgroup, as a shape.
SubgroupShape rowsOf(const BankTile& tile) {
  const uint32_t width = tile.workgroup().width;
  return {{tile.cells.width, tile.banks, width, 1}, width, 1};
}

std::string numbers(const std::vector<uint32_t>& values) {
  std::string text;
  for (const uint32_t value : values)
    text += fmt::format("{:3}", value);
  return text;
}

// Figure 1: the part of the tile's rows that repeats.
ResultTable banksTable(const BankTile& tile) {
  const BankPattern pattern = tile.pattern();
  ResultTable table{"bank-pattern",
                    fmt::format("banks of a tile of {}x{} cells (figure 1); repeats every {} rows",
                                tile.cells.width, tile.cells.height, pattern.height),
                    "",
                    {{"row", 4, "/row"}, {" banks", -8, "/banks"}}};
  for (uint32_t y = 0; y < std::min(pattern.height, tile.cells.height); ++y) {
    std::vector<uint32_t> banks;
    for (uint32_t x = 0; x < tile.cells.width; ++x)
      banks.push_back(tile.bankAt({x, y}));
    table.rows.push_back({{"row", y}, {"banks", numbers(banks)}});
  }
  const BankQuery row = rowQuery(pattern), column = columnQuery(pattern);
  const uint32_t c = pattern.cells, s = pattern.rowLength, d = pattern.width, cycles = cyclesOf(pattern);
  table.facts = {{"tile", {tile.cells.width, tile.cells.height}}, {"banks", c}, {"subgroup", tile.subgroup}};
  table.notes = {fmt::format("bank pattern tile: {}x{}; {} cycles through the banks in each pattern", d,
                             pattern.height, cycles),
                 fmt::format("row query (figure 2a): {} n = {} s + {}: n = {} m + {}, s = {} m + {}", c, s, d,
                             cycles, row.cycle, pattern.height, row.row),
                 fmt::format("column query (figure 2b): {} n + {} = {} s: n = {} m + {}, s = {} m + {}", c, d,
                             s, cycles, column.cycle, pattern.height, column.row)};
  return table;
}

// Figure 3: banks that a subgroup of this shape reads, in its rows.
ResultTable shapeTable(const BankTile& tile, const SubgroupShape& shape) {
  const std::string name = print(Extent{shape.width, shape.height});
  ResultTable table{"bank-shape-" + name,
                    "banks of a subgroup of " + name + " (figure 3)",
                    "",
                    {{"row", 4, "/row"}, {" banks", -8, "/banks"}}};
  for (uint32_t y = 0; y < shape.height; ++y) {
    std::vector<uint32_t> banks;
    for (uint32_t x = 0; x < shape.width; ++x)
      banks.push_back(tile.bankAt(cellOf(shape, tile.workgroup().width, y * shape.width + x)));
    table.rows.push_back({{"row", y}, {"banks", numbers(banks)}});
  }
  return table;
}

// Requests for one tap of every pixel, by the device's subgroups: a mean over the window's taps.
double requestsOf(const BankTile& tile, const SubgroupShape& shape) {
  double requests = 0.0;
  for (uint32_t tap = 0; tap < windowPx * windowPx; ++tap) {
    for (uint32_t first = 0; first < tile.threads(); first += tile.subgroup) {
      std::vector<uint32_t> cells;
      for (uint32_t i = first; i < std::min(first + tile.subgroup, tile.threads()); ++i) {
        const TileCell cell = cellOf(shape, tile.workgroup().width, i);
        cells.push_back((cell.y + tap / windowPx) * tile.cells.width + cell.x + tap % windowPx);
      }
      requests += bankCost(tile.memory(), 32, cells).requests;
    }
  }
  return requests / (windowPx * windowPx);
}

std::vector<uint32_t> tileWords(const BankTile& tile) {
  std::vector<uint32_t> words = {0};  // the shader's `none`
  for (uint32_t i = 0; i < tile.words(); ++i)
    words.push_back(i * 2654435761U);
  return words;
}

// Whether the shader added up the window around each pixel.
bool hasWindowSums(const BankTile& tile, std::span<const std::byte> result) {
  const std::vector<uint32_t> words = tileWords(tile);
  std::vector<uint32_t> made(1 + tile.threads());
  std::memcpy(made.data(), result.data(), made.size() * sizeof(uint32_t));
  for (uint32_t i = 0; i < tile.threads(); ++i) {
    uint32_t sum = 0;
    for (uint32_t tap = 0; tap < windowPx * windowPx; ++tap) {
      sum += words[1 + (i / tile.workgroup().width + tap / windowPx) * tile.cells.width +
                   i % tile.workgroup().width + tap % windowPx];
    }
    if (made[1 + i] != sum)
      return false;
  }
  return true;
}

Json measureShape(DeviceBench& bench, const BankTile& tile, const SubgroupShape& shape,
                  const std::string& name) {
  Json row = {{"shape", name}, {"requests", requestsOf(tile, shape)}};
  const BankPattern& p = shape.pattern;
  std::vector<int32_t> constants;
  for (const uint32_t value : {tile.threads(), tile.workgroup().width, tile.cells.width, tile.words(),
                               p.width, p.height, shape.width, shape.height, shiftOf(shape)})
    constants.push_back(static_cast<int32_t>(value));
  KernelDispatch dispatch{
      "bank_tile", benchShader("bank_tile"), {{0, AccessKind::read}, {1, AccessKind::write}}};
  dispatch.constants = constants;
  TimedKernel kernel(bench.device(),
                     {bufferOf("tile", tileWords(tile)), {"result", (1 + tile.threads()) * sizeof(uint32_t)}},
                     {dispatch});
  row["ns"] = bench.nsPerStep(kernel) / (windowPx * windowPx);
  if (!hasWindowSums(tile, kernel.result())) {
    row["refused"] = "wrong: not every pixel has the sum of its window";
    row["wrong"] = true;
  }
  return row;
}

// Every shape that covers the workgroup, and plain rows, in a shader.
ResultTable measuredShapes(DeviceBench& bench, const BankTile& tile) {
  ResultTable table{"bank-shapes",
                    fmt::format("one tap of all pixels of a workgroup of {}x{}, by the shape of subgroups",
                                tile.workgroup().width, tile.workgroup().height),
                    "",
                    {{"shape", -8, "/shape"},
                     {"requests", 10, "/requests", "{:.1f}"},
                     {"ns", 10, "/ns", "{:.2f}", 1.0, Mark::measured},
                     {"x rows", 8, "/timesRows", "{:.2f}"}}};
  table.rows.push_back(measureShape(bench, tile, rowsOf(tile), "rows"));
  for (const SubgroupShape& shape : subgroupShapes(tile.pattern())) {
    const std::string name = print(Extent{shape.width, shape.height});
    table.rows.push_back(covers(shape, tile.workgroup().width, tile.workgroup().height)
                             ? measureShape(bench, tile, shape, name)
                             : Json{{"shape", name}, {"refused", "does not cover the workgroup"}});
  }
  const double rows = table.rows.front().at("ns");
  for (Json& row : table.rows)
    if (row.contains("ns"))
      setRatio(row, "timesRows", row.at("ns"), rows);
  return table;
}

}  // namespace

int runBenchBanks(const BenchArguments& arguments) {
  const BankTile asked{arguments.tile};
  if (arguments.tile.width <= 2 * haloPx || arguments.tile.height <= 2 * haloPx ||
      asked.threads() > mostThreads) {
    throw Error(ErrorKind::call,
                fmt::format("--tile {}x{}: expected 1 to {} pixels with a halo of {} around them",
                            arguments.tile.width, arguments.tile.height, mostThreads, haloPx));
  }
  Lab lab(arguments);
  DeviceBench bench(lab);
  // A CPU's shared memory is its caches.
  BankTile tile{arguments.tile, lab.isCpu() ? 0 : measuredBanks(bench),
                lab.device.info().limits.subgroupSize};
  const std::string found = tile.banks > 0 ? fmt::format("{} banks, measured", tile.banks)
                                           : fmt::format("no banks found, so {} are assumed", usualBanks);
  tile.banks = tile.banks > 0 ? tile.banks : usualBanks;
  lab.report.print(fmt::format("{}subgroups of {}; {}; cells of 32 bits\n", lab.report.printDevice(),
                               tile.subgroup, found));
  lab.report.add(banksTable(tile));
  for (const SubgroupShape& shape : subgroupShapes(tile.pattern()))
    if (covers(shape, tile.workgroup().width, tile.workgroup().height))
      lab.report.add(shapeTable(tile, shape));
  lab.report.add(measuredShapes(bench, tile));
  return lab.report.finish();
}

}  // namespace lacuna
