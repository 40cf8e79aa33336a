// Builds the scales: each with its histograms and colours, the distances of pixels, and the averages, or else
// a search around each pixel; then the scales are combined, from the coarsest on.

#include <fmt/format.h>

#include <cmath>

#include "search.h"
#include "shared/native.h"

namespace {

using namespace lacuna::native;

Size coarser(Size size, int scale) {
  const uint32_t step = 1U << static_cast<uint32_t>(scale);
  return {(size.width + step - 1) / step, (size.height + step - 1) / step};
}

std::string gaussianText(int scale) {
  const double sigma = .55 * std::sqrt(std::pow(4.0, scale) - 1.0);
  const int reach = static_cast<int>(std::ceil(sigma * std::sqrt(4.0 * std::log(10.0))));
  return fmt::format("#define STEP {}\nconst int reach = {};\nconst float sigma = {:.9f};\n", 1 << scale,
                     reach, sigma);
}

class Scales {
 public:
  Scales(const Call& call, const Planes& inputs, const Builder& builder)
      : call_(call), builder_(builder), size_{inputs[0].type->width, inputs[0].type->height} {
    const lacuna_type& histogram = *inputs[1].type;
    const uint64_t planes = histogram.count / (uint64_t{histogram.width} * histogram.height);
    if (histogram.width != size_.width || histogram.height != size_.height)
      throw Error(fmt::format("{}: 'histogram' has {} x {} pixels, but 'input' has {} x {}", call.instance(),
                              histogram.width, histogram.height, size_.width, size_.height));
    if (planes < 10 || planes % 3 != 1)
      throw Error(
          fmt::format("{}: 'histogram' has {} planes, expected 3 B + 1: B bins of red, green and blue, 3 "
                      "or more, and the number of samples",
                      call.instance(), planes));
    bins_ = static_cast<uint32_t>(planes) - 1;
    checkTurns();
  }

  void build() {
    const int scales = static_cast<int>(call_.integer("scales"));
    for (int s = 0; s < scales; ++s) {
      if (s > 0)
        shrink(s);
      if (isSearch())
        search(s);
      else
        filter(s);
    }
    std::string coarse = fused(scales - 1);
    for (int s = scales - 2; s >= 0; --s)
      coarse = merge(s, coarse);
    if (call_.flag("blend"))
      blend(coarse);
    builder_.nodes(nodes_);
  }

 private:
  void checkTurns() const {
    const int64_t turns = turnsOf(call_.integer("search"), call_.integer("patch"), bins_);
    if (isSearch() && turns > mostTurns)
      throw Error(
          fmt::format("{}: method search compares {} bins of (2 * {} + 1)^2 patches of (2 * {} + 1)^2 "
                      "pixels in {} turns of loops, but some drivers end them after {}: use a smaller "
                      "'search' or 'patch', or method pairs",
                      call_.instance(), bins_, call_.integer("search"), call_.integer("patch"), turns,
                      mostTurns),
          "method");
  }
  bool isSearch() const { return call_.word("method") == "search"; }
  std::string fused(int s) const { return fmt::format("{}{}.output", isSearch() ? "place" : "fuse", s); }
  static std::string histogramOf(int s) {
    return s == 0 ? "histogram" : fmt::format("histogram{}.histogram", s);
  }
  static std::string imageOf(int s) { return s == 0 ? "input" : fmt::format("image{}.output", s); }
  // The least number of averaged pixels, beside the pixel itself.
  int64_t nearest(int s) const { return s == 0 ? call_.integer("k") : 0; }
  Size size(int s) const { return coarser(size_, s); }

  // Constants of a scale's shaders.
  std::string constants(int s) const {
    return fmt::format(
        "const int bins = {};\nconst int width = {};\nconst int height = {};\nconst bool isFinest = {};\n"
        "const int SEARCH = {};\nconst int PATCH = {};\n#define K {}\n"
        "const int fineWidth = {};\nconst int fineHeight = {};\nconst int shares = {};\n"
        "const int blockSide = {};\nconst int blockColumns = {};\nconst int blockRows = {};\n",
        bins_, size(s).width, size(s).height, nearest(s) > 0, call_.integer("search"), call_.integer("patch"),
        nearest(s), size_.width, size_.height, shares, blockSide, blocks(size(s)).width,
        blocks(size(s)).height);
  }

  std::string shader(const std::string& file, int s, const std::string& more = {},
                     const std::string& group = {}) {
    std::string name = fmt::format("{}{}{}.glsl", file, s, group);
    builder_.shader(name, constants(s) + more + fmt::format("#include \"{}.glsl\"\n", file));
    return name;
  }

  // Rows of a thread: each takes two registers for every offset in a column of the search window.
  uint32_t rows() const { return call_.integer("search") <= 6 ? 4 : 2; }
  uint32_t searched() const { return static_cast<uint32_t>(call_.integer("search")); }

  void filter(int s) {
    findUsed(s);
    // All distances at once, if they don't take too much memory; else column by column.
    const uint32_t search = searched();
    if (uint64_t{size(s).width} * size(s).height * 8 * search * (search + 1) <=
        static_cast<uint64_t>(call_.integer("memory")) << 20U) {
      compare(s, "", 0, search);
      select(s);
    } else {
      for (uint32_t dx = 0; dx <= search; ++dx) {
        compare(s, fmt::format("-{}", dx), dx, dx);
        selectSome(s, dx);
      }
      finish(s);
    }
    fuse(s);
  }

  void add(const KernelNode& node) { nodes_ += textOf(node); }

  void findUsed(int s) {
    const Size size = blocks(this->size(s));
    add({.name = fmt::format("used{}", s),
         .shader = shader("used", s),
         .inputs = {{"histogram", histogramOf(s)}},
         .outputs = {{"used", fmt::format(R"(channels = "y", format = "u32", array = {})",
                                          (bins_ + 31) / 32 * size.width * size.height)}},
         .kernel = invocationsText({this->size(s).width, size.height}),
         .variant = fmt::format("name = \"used\"\nworkgroups = [[64, 1], [32, 1], [128, 1], [256, "
                                "1]]\nshared = \"{} * width / {}\"",
                                (bins_ + 31) / 32 * 4, blockSide)});
  }

  // Distances to the pixels in columns `first` to `last` of the right half of the search window.
  void compare(int s, const std::string& group, uint32_t first, uint32_t last) {
    const uint32_t planes = (2 * searched() + 1) * (last - first + 1) - (first == 0 ? searched() + 1 : 0);
    add({.name = fmt::format("pairs{}{}", s, group),
         .shader =
             shader("pairs", s, columnsText(first, last) + fmt::format("const int P = {};\n", rows()), group),
         .inputs = {{"histogram", histogramOf(s)}, {"used", fmt::format("used{}.used", s)}},
         .outputs = {{"distances", planesOf("f32", planes, size(s))}},
         .variant = pairsText(s)});
  }

  // Patches of a workgroup's pixels next to its border belong to other workgroups.
  std::string pairsText(int s) const {
    const int64_t patch = call_.integer("patch"), search = call_.integer("search");
    const std::string across = fmt::format("(width - {})", 2 * patch);
    const std::string down = fmt::format("({} * height - {})", rows(), 2 * patch);
    return fmt::format(
        "name = \"pairs\"\nworkgroups = [[32, 4], [32, 8], [64, 4], [32, 2]]\n"
        "groups = [\"({0} + {2} - 1) / {2}\", \"({1} + {3} - 1) / {3}\"]\nwhole = [\"{3}\"]\n"
        "shared = \"4 * (max(2 * (width + {4}) * ({5} * height + 2 * {4}), 6 * {5} * width * height + "
        "16 * {6} * (width + 1)) + {7})\"",
        size(s).width, size(s).height, across, down, search, rows(), patch, bins_ + (bins_ + 31) / 32);
  }

  static std::string columnsText(uint32_t first, uint32_t last) {
    return fmt::format("const int firstColumn = {};\nconst int lastColumn = {};\n", first, last);
  }

  void select(int s) {
    add({.name = fmt::format("select{}", s),
         .shader = shader("select", s, columnsText(0, searched())),
         .inputs = {{"distances", fmt::format("pairs{}.distances", s)}},
         .outputs = {{"masks", planesOf("u32", searched() + 2, size(s))}},
         .variant = "name = \"select\"\nworkgroups = [[64, 4], [32, 4], [32, 8], [64, 2], [64, 8]]"});
  }

  // The same for only the columns at -dx and dx; the nearest pixels so far go from one to the next.
  void selectSome(int s, uint32_t dx) {
    const std::string group = fmt::format("-{}", dx);
    const auto k = static_cast<uint32_t>(nearest(s));
    KernelNode node{.name = fmt::format("select{}{}", s, group),
                    .shader = shader("select_some", s, columnsText(dx, dx), group),
                    .inputs = {{"distances", fmt::format("pairs{}{}.distances", s, group)}},
                    .outputs = {{"words", planesOf("u32", 1, size(s))}}};
    if (k > 0 && dx > 0)
      node.inputs.emplace_back("before", fmt::format("select{}-{}.nearest", s, dx - 1));
    if (k > 0)
      node.outputs.emplace_back("nearest", planesOf("u32", k + (k + 1) / 2, size(s)));
    add(node);
  }

  void finish(int s) {
    KernelNode node;
    node.name = fmt::format("select{}", s);
    node.outputs = {{"masks", planesOf("u32", searched() + 2, size(s))}};
    std::string words = "uint wordAt(int dx, int index) {\n";
    for (uint32_t dx = 0; dx <= searched(); ++dx) {
      node.inputs.emplace_back(fmt::format("words{}", dx), fmt::format("select{}-{}.words", s, dx));
      words += fmt::format("  if (dx == {0}) {{ return at_words{0}(0, index); }}\n", dx);
    }
    if (nearest(s) > 0)
      node.inputs.emplace_back("before", fmt::format("select{}-{}.nearest", s, searched()));
    node.shader = shader("finish", s, columnsText(0, searched()) + words + "  return 0u;\n}\n");
    add(node);
  }

  void fuse(int s) {
    add({.name = fmt::format("fuse{}", s),
         .shader = shader("fuse", s),
         .inputs = {{"input", imageOf(s)}, {"masks", fmt::format("select{}.masks", s)}},
         .outputs = {{"output", outputText(s == 0 && call_.integer("scales") == 1)}},
         .variant = fmt::format(
             "name = \"fuse\"\nworkgroups = [[16, 8], [32, 4], [32, 8], [16, 16]]\npixels = [1, \"ROWS\"]\n"
             "constants = {{ ROWS = [2, 4] }}\n"
             "shared = \"12 * (width + {0}) * (ROWS * height + {0}) + 4\"",
             2 * searched())});
  }

  void search(int s) {
    if (call_.word("layout") != "histograms")
      findUsed(s);
    nodes_ += searchNodes(
        {s, imageOf(s), histogramOf(s), std::string(call_.word("layout")),
         fmt::format("{{ SEARCH = {}, PATCH = {}, K = {}, FINEST = {}, bins = {}, width = {}, height = {} }}",
                     call_.integer("search"), call_.integer("patch"), nearest(s), nearest(s) > 0 ? 1 : 0,
                     bins_, size(s).width, size(s).height),
         outputText(s == 0 && call_.integer("scales") == 1), size(s), bins_,
         static_cast<int>(call_.integer("patch"))});
  }

  // Histograms and colours of a coarser scale.
  void shrink(int s) {
    const std::string gaussian = gaussianText(s);
    add({.name = fmt::format("sums{}", s),
         .shader = shader("sums", s, gaussian),
         .inputs = {{"fine", "histogram"}},
         .outputs = {{"sums", fmt::format(R"(channels = "any2", format = "f32", array = {})", shares)}},
         .kernel = "extent_of = \"sums\""});
    add({.name = fmt::format("factor{}", s),
         .shader = "factor.glsl",
         .inputs = {{"sums", fmt::format("sums{}.sums", s)}},
         .outputs = {{"factor", R"(channels = "y", format = "f32", array = 1)"}},
         .variant = "name = \"factor\"\nworkgroups = [[256, 1], [128, 1], [64, 1]]\ngroups = [\"1\", "
                    "\"1\"]\nshared = \"2048\""});
    add({.name = fmt::format("histogram{}", s),
         .shader = shader("down_histogram", s, gaussian),
         .inputs = {{"fine", "histogram"}, {"factor", fmt::format("factor{}.factor", s)}},
         .outputs = {{"histogram", planesOf("f32", bins_ + 1, size(s))}},
         .kernel = invocationsText(inRowsOf(4, s))});
    add({.name = fmt::format("image{}", s),
         .shader = shader("down_image", s, gaussian),
         .inputs = {{"input", "input"}},
         .outputs = {{"output", R"(format = "f32", )" + extentText(size(s))}}});
  }

  std::string merge(int s, const std::string& coarse) {
    const std::string difference = fmt::format("difference{}", s);
    builder_.shader(difference + ".glsl",
                    gaussianText(1) + "#define DIFFERENCE\n#include \"down_image.glsl\"\n");
    add({.name = difference,
         .shader = difference + ".glsl",
         .inputs = {{"input", fused(s)}, {"coarse", coarse}},
         .outputs = {{"output", R"(format = "f32", )" + extentText(size(s + 1))}}});
    const std::string name = fmt::format("merge{}", s);
    add({.name = name,
         .shader = shader("merge", s, gaussianText(1)),
         .inputs = {{"fine", fused(s)}, {"difference", difference + ".output"}},
         .outputs = {{"output", outputText(s == 0)}}});
    return name + ".output";
  }

  static Size blocks(Size size) {
    return {(size.width + blockSide - 1) / blockSide, (size.height + blockSide - 1) / blockSide};
  }
  // For kernels whose invocations take several pixels below each other.
  Size inRowsOf(uint32_t pixels, int s) const {
    return {size(s).width, (size(s).height + pixels - 1) / pixels};
  }

  // Names of the node that makes the filtered picture, and of those before it.
  std::string outputText(bool isLast) const {
    return isLast && !call_.flag("blend") ? R"(connector = "output")" : R"(format = "f32")";
  }

  void blend(const std::string& filtered) {
    KernelNode variance{.name = "variance",
                        .shader = shader("variance", 0),
                        .inputs = {{"input", "input"}, {"filtered", filtered}, {"histogram", "histogram"}},
                        .outputs = {{"output", R"(channels = "any4", format = "f32", colour = "data")"}}};
    if (!isSearch())
      variance.inputs.emplace_back("masks", "select0.masks");
    add(variance);
    add({.name = "blend",
         .shader = "blend.glsl",
         .inputs = {{"input", "input"}, {"filtered", filtered}, {"change", "variance.output"}},
         .outputs = {{"output", R"(connector = "output")"}}});
  }

  static constexpr int shares = 16384;
  static constexpr uint32_t blockSide = 8;

  const Call& call_;
  const Builder& builder_;
  Size size_;
  uint32_t bins_ = 0;
  std::string nodes_;
};

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  Scales(call, inputs, builder).build();
}

}  // namespace

LACUNA_MODULE(Table("rhf").build<build>())
