// Builds the passes of the collaborative Wiener filter: values of one standard deviation (prepare), means of
// four of them, by which blocks are compared, the blocks of each group (match), their filtered values, added
// up (filter), and the picture that these sums mean (finish). Positions in arrays are those of the picture,
// or of a tile.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "shared/kernel_node.h"
#include "shared/native.h"

namespace {

using namespace lacuna::native;

constexpr uint32_t block = 8;
constexpr double mostDeviation = 16;  // of sums.glsl

uint32_t groupsAlong(uint32_t side, uint32_t step) {
  return side <= block ? 1 : (side - block + step - 1) / step + 1;
}

// Bits of the fractions of sums, so that all groups that may reach a pixel fit in 31 bits.
int fractionBits(uint32_t search, uint32_t group, uint32_t step) {
  // The last group is at the border, whatever the step.
  const double along = (2 * search + block - 2) / step + 2;
  const double reaching = along * along * group;
  return std::min(18, static_cast<int>(std::floor(31 - std::log2(reaching * mostDeviation))));
}

std::string tileText(const char* format, uint64_t count) {
  constexpr uint64_t most = 0xfffffffe;  // such a picture only runs in tiles
  return fmt::format(R"(channels = "y", format = "{}", colour = "data", array = {}, tile = true)", format,
                     std::min(count, most));
}

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  const Size size{inputs[0].type->width, inputs[0].type->height};
  const lacuna_type& pilot = *inputs[1].type;
  if (pilot.width != size.width || pilot.height != size.height)
    throw Error(fmt::format("{}: 'pilot' has {} x {} pixels, but 'input' has {} x {}", call.instance(),
                            pilot.width, pilot.height, size.width, size.height));
  const auto search = static_cast<uint32_t>(call.integer("search"));
  const auto step = static_cast<uint32_t>(call.integer("step"));
  const auto group = static_cast<uint32_t>(call.integer("group"));
  if (!std::has_single_bit(group))
    throw Error(
        fmt::format("{}: 'group' is {}, but groups have 2, 4, 8, 16 or 32 blocks", call.instance(), group),
        "group");
  const Size groups{groupsAlong(size.width, step), groupsAlong(size.height, step)};
  const uint64_t pixels = uint64_t{size.width} * size.height;
  const uint32_t numbers[] = {size.width, size.height, groups.width, groups.height};
  builder.upload("size", arrayType(lacuna_any1, lacuna_u32, 4), numbers, sizeof numbers);

  const std::string constants =
      fmt::format("\nconstants = {{ STEP = {}, SEARCH = {}, SPACING = {}, GROUP = {}, FRACTION = {} }}", step,
                  search, call.integer("spacing"), group, fractionBits(search, group, step));
  const std::vector<std::pair<std::string, std::string>> noise = {{"noise", "noise"},
                                                                  {"levels_noise", "levels_noise"}};
  KernelNode prepare{.name = "prepare",
                     .shader = "prepare.glsl",
                     .inputs = {{"input", "input"}, {"pilot", "pilot"}, {"size", "upload.size"}},
                     .outputs = {{"planes", tileText(call.word("precision").c_str(), 6 * pixels)}},
                     .footprint = "local"};
  prepare.inputs.insert(prepare.inputs.end(), noise.begin(), noise.end());
  const KernelNode means{.name = "means",
                         .shader = "means.glsl",
                         .inputs = {{"planes", "prepare.planes"}, {"size", "upload.size"}},
                         .outputs = {{"means", tileText("f16", pixels)}},
                         .kernel = invocationsText(size),
                         .footprint = "local"};
  const KernelNode match{
      .name = "match",
      .shader = "match.glsl",
      .inputs = {{"means", "means.means"}, {"size", "upload.size"}},
      .outputs = {{"places", tileText("u32", uint64_t{group} * groups.width * groups.height)}},
      .kernel = constants + invocationsText(groups),
      .footprint = "local"};
  KernelNode filter{
      .name = "filter",
      .shader = "filter_blocks.glsl",
      .inputs = {{"planes", "prepare.planes"}, {"places", "match.places"}, {"size", "upload.size"}},
      .outputs = {{"sums", tileText("u32", 4 * pixels) + ", zeroed = true"}},
      .kernel = constants + invocationsText({8 * groups.width, 32 * groups.height}),
      .footprint = fmt::format("halo({}, {})", 2 * search + block - 1, step)};
  filter.inputs.insert(filter.inputs.end(), noise.begin(), noise.end());
  KernelNode finish{
      .name = "finish",
      .shader = "finish.glsl",
      .inputs = {{"input", "input"}, {"pilot", "pilot"}, {"sums", "filter.sums"}, {"size", "upload.size"}},
      .outputs = {{"output", R"(channels = "rgba", connector = "output")"}},
      .footprint = "local"};
  finish.inputs.insert(finish.inputs.end(), noise.begin(), noise.end());
  builder.nodes(textOf(prepare) + textOf(means) + textOf(match) + textOf(filter) + textOf(finish));
}

}  // namespace

LACUNA_MODULE(Table("wiener").build<build>())
