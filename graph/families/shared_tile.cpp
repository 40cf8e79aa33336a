#include "graph/families/shared_tile.h"

#include <algorithm>

#include "graph/families/family.h"
#include "graph/pattern/bank_pattern.h"

namespace lacuna {
namespace {

constexpr SharedMemory banks{};
constexpr uint32_t subgroup = 32;

// The type of a tap's value that is its pixel unchanged; nullopt for a constant, if nothing is connected.
std::optional<ValueType> storedType(const NodeGraph& graph, const Node& node, const std::string& from) {
  if (from == "state")
    return stateTypeOf(graph, node);
  const ValueId value = inputValue(node, from);
  return value ? std::optional(graph.values[value].type) : std::nullopt;
}

uint32_t computedBytes(const TapField& field) {
  const auto components = field.type == "float" ? 1U : static_cast<uint32_t>(field.type.back() - '0');
  if (field.storage == Format::f32)
    return 4 * components;
  return components > 2 && field.storage != Format::u8 ? 8U : 4U;
}

// Carried fields have their stored form in the tile, computed ones their storage type; if every tap decodes,
// its inputs lie there as they are stored.
std::vector<uint32_t> cellBits(const NodeGraph& graph, const Node& node, bool decodesAtTaps) {
  std::vector<uint32_t> bits;
  const auto addStored = [&](const std::string& from) {
    if (const auto type = storedType(graph, node, from))
      bits.push_back(8 * bytesPerPixel(type->channels, type->format));
  };
  const StencilDescription& stencil = node.description->stencil;
  if (decodesAtTaps) {
    addStored("state");
    std::for_each(stencil.features.begin(), stencil.features.end(), addStored);
    return bits;
  }
  for (const TapField& field : stencil.tap)
    if (field.from.empty())
      bits.push_back(8 * computedBytes(field));
    else
      addStored(field.from);
  return bits;
}

}  // namespace

SharedTile sharedTile(const StencilUse& use, uint32_t width, uint32_t height) {
  SharedTile tile{width, height, cellBits(use.graph, use.node, use.schedule.decodesAtTaps)};
  // The next row of invocations continues with the next bank.
  const uint32_t halo = width - std::min(width, use.schedule.workgroup[0]);
  tile.padding = use.schedule.pads ? (banks.banks - halo % banks.banks) % banks.banks : 0;
  for (const uint32_t bits : tile.cellBits)
    tile.bytes += bits / 8 * tile.stride() * tile.height;
  return tile;
}

SharedTile sharedTile(const StencilUse& use, uint32_t group) {
  const uint32_t* workgroup = use.schedule.workgroup;
  return sharedTile(use, workgroup[0] + static_cast<uint32_t>(2 * use.haloX()) * group,
                    workgroup[1] + static_cast<uint32_t>(2 * use.haloY()));
}

std::vector<uint32_t> cellsOfSubgroup(const SharedTile& tile, const StencilSchedule& schedule,
                                      const std::optional<BankPattern>& shape, uint32_t first) {
  std::vector<uint32_t> cells;
  const uint32_t width = schedule.workgroup[0];
  for (uint32_t i = first; i < std::min(first + subgroup, width * schedule.workgroup[1]); ++i) {
    const TileCell cell = shape ? cellOf(*shape, width, i) : TileCell{i % width, i / width};
    cells.push_back(cell.y * tile.stride() + cell.x);
  }
  return cells;
}

uint32_t bankConflicts(const SharedTile& tile, const StencilSchedule& schedule,
                       const std::optional<BankPattern>& shape) {
  uint32_t most = 0;
  const uint32_t pixels = schedule.workgroup[0] * schedule.workgroup[1];
  const uint32_t shifts = tile.stride() * (tile.height - schedule.workgroup[1] + 1) - schedule.workgroup[0];
  for (uint32_t shift = 0; shift <= shifts; ++shift) {
    if (shift % tile.stride() > tile.width - schedule.workgroup[0])
      continue;
    uint32_t conflicts = 0;
    for (uint32_t first = 0; first < pixels; first += subgroup) {
      std::vector<uint32_t> cells = cellsOfSubgroup(tile, schedule, shape, first);
      std::for_each(cells.begin(), cells.end(), [&](uint32_t& cell) { cell += shift; });
      for (const uint32_t bits : tile.cellBits)
        conflicts += bankCost(banks, bits, cells).conflicts();
    }
    most = std::max(most, conflicts);
  }
  return most;
}

std::optional<BankPattern> conflictFreeShape(const SharedTile& tile, const StencilSchedule& schedule) {
  const uint32_t narrowest = *std::min_element(tile.cellBits.begin(), tile.cellBits.end());
  if (banks.banks * banks.bankBits % narrowest != 0)
    return std::nullopt;  // three words a cell
  const BankPattern pattern = bankPattern(tile.stride(), cellsAcrossBanks(banks, narrowest));
  const bool fits = covers(pattern, schedule.workgroup[0], schedule.workgroup[1]) &&
                    bankConflicts(tile, schedule, pattern) == 0;
  return fits ? std::optional(pattern) : std::nullopt;
}

namespace {

int roundUp(int n, int step) {
  return (n + step - 1) / step * step;
}

}  // namespace

std::vector<FusedLevel> fusedLevels(const Node& node, const StencilSchedule& schedule) {
  std::vector<FusedLevel> levels(static_cast<size_t>(std::min(schedule.fused, node.levels)));
  FusedLevel next;
  int reach = 0;
  next.width = static_cast<int>(schedule.workgroup[0]);
  next.height = static_cast<int>(schedule.workgroup[1]) * schedule.rows;
  for (size_t l = levels.size(); l-- > 0;) {
    FusedLevel& level = levels[l];
    level.logDilation = node.description->stencil.dilated ? static_cast<int>(l) : 0;
    level.border = next.border + reach;
    level.width = next.width + 2 * reach;
    level.height = roundUp(next.height + 2 * reach, schedule.rows << level.logDilation);
    reach = (node.radius + node.patch) << level.logDilation;
    next = level;
  }
  return levels;
}

uint32_t fusedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule) {
  const std::vector<FusedLevel> levels = fusedLevels(node, schedule);
  uint32_t pixels = 0;
  for (size_t l = 0; l + 1 < levels.size(); ++l)
    pixels += static_cast<uint32_t>(levels[l].width * levels[l].height);
  const ValueType state = stateTypeOf(graph, node);
  return pixels * bytesPerPixel(state.channels, state.format);
}

}  // namespace lacuna
