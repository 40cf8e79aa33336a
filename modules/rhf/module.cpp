// Builds the scales: each with its histograms and colours, the distances of pixels, and what is averaged, or
// else a search around each pixel; then the scales are put together, from the coarsest on.

#include <fmt/format.h>

#include <cmath>

#include "search.h"
#include "shared/native.h"

namespace {

using namespace lacuna::native;

struct Size {
  uint32_t width = 0, height = 0;
};

Size coarser(Size size, int scale) {
  const uint32_t step = 1U << static_cast<uint32_t>(scale);
  return {(size.width + step - 1) / step, (size.height + step - 1) / step};
}

std::string sizeText(Size size) {
  return fmt::format("{{ width = {}, height = {} }}", size.width, size.height);
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
          fmt::format("{}: 'histogram' has {} planes, expected 3 B + 1: B bins of red, green and blue, 3 or "
                      "more, and the "
                      "number of samples",
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
                      "pixels in {} turns of loops, but some drivers end them after {}: take a smaller "
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
  // How many are averaged at least, beside the pixel itself.
  int64_t nearest(int s) const { return s == 0 ? call_.integer("k") : 0; }
  Size size(int s) const { return coarser(size_, s); }

  // What the shaders of a scale know of it.
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

  // More rows as the window allows: of each, all offsets of a column have two registers.
  uint32_t rows() const { return call_.integer("search") <= 6 ? 4 : 2; }
  uint32_t searched() const { return static_cast<uint32_t>(call_.integer("search")); }

  void filter(int s) {
    findUsed(s);
    // All distances at once, where they don't take too much memory; else column by column.
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

  void findUsed(int s) {
    nodes_ += fmt::format(
        R"(
[[node]]
name = "used{s}"
kind = "kernel"
shader = "{shader}"
inputs = [{{ name = "histogram", source = "{histogram}" }}]
outputs = [
  {{ name = "used", channels = "y", format = "u32", array = {count} }},
  {{ name = "grid", channels = "y", format = "f32", extent = {grid} }},
]
[node.kernel]
workgroup = [64, 1]
extent_of = "grid"
)",
        fmt::arg("s", s), fmt::arg("shader", shader("used", s)), fmt::arg("histogram", histogramOf(s)),
        fmt::arg("count", (bins_ + 31) / 32 * blocks(size(s)).width * blocks(size(s)).height),
        fmt::arg("grid", sizeText({size(s).width, blocks(size(s)).height})));
  }

  // Distances to the pixels in columns `first` to `last` of the right half of the search window.
  void compare(int s, const std::string& group, uint32_t first, uint32_t last) {
    const uint32_t patch = static_cast<uint32_t>(call_.integer("patch"));
    const uint32_t inner[2] = {32 - 2 * patch, lines * rows() - 2 * patch};
    const Size grid = {(size(s).width + inner[0] - 1) / inner[0] * 32,
                       (size(s).height + inner[1] - 1) / inner[1] * lines};
    const uint32_t side = 2 * searched() + 1;
    nodes_ += fmt::format(
        R"(
[[node]]
name = "pairs{s}{group}"
kind = "kernel"
shader = "{shader}"
inputs = [{{ name = "histogram", source = "{histogram}" }}, {{ name = "used", source = "used{s}.used" }}]
outputs = [
  {{ name = "distances", channels = "y", format = "f32", planes = {planes}, extent = {size} }},
  {{ name = "grid", channels = "y", format = "f32", extent = {grid} }},
]
[node.kernel]
workgroup = [32, {lines}]
extent_of = "grid"
)",
        fmt::arg("s", s), fmt::arg("group", group), fmt::arg("histogram", histogramOf(s)),
        fmt::arg(
            "shader",
            shader("pairs", s, columnsText(first, last) + fmt::format("const int P = {};\n", rows()), group)),
        fmt::arg("planes", side * (last - first + 1) - (first == 0 ? searched() + 1 : 0)),
        fmt::arg("size", sizeText(size(s))), fmt::arg("grid", sizeText(grid)), fmt::arg("lines", lines));
  }

  static std::string columnsText(uint32_t first, uint32_t last) {
    return fmt::format("const int firstColumn = {};\nconst int lastColumn = {};\n", first, last);
  }

  void select(int s) {
    nodes_ += fmt::format(
        R"(
[[node]]
name = "select{s}"
kind = "kernel"
shader = "{shader}"
inputs = [{{ name = "distances", source = "pairs{s}.distances" }}]
outputs = [{{ name = "masks", channels = "y", format = "u32", planes = {masks}, extent = {size} }}]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("s", s), fmt::arg("shader", shader("select", s, columnsText(0, searched()))),
        fmt::arg("masks", searched() + 2), fmt::arg("size", sizeText(size(s))));
  }

  // An output of the nearest pixels, with a comma before it; nothing where none are kept.
  std::string nearestText(int s) const {
    const int64_t k = nearest(s);
    return k == 0 ? std::string()
                  : fmt::format(R"(,
  {{ name = "nearest", channels = "y", format = "u32", planes = {}, extent = {} }})",
                                k + (k + 1) / 2, sizeText(size(s)));
  }

  void selectSome(int s, uint32_t dx) {
    const std::string before = dx == 0 || nearest(s) == 0 ? std::string()
                                                          : fmt::format(R"(,
  {{ name = "before", source = "select{}-{}.nearest" }})",
                                                                        s, dx - 1);
    nodes_ += fmt::format(
        R"(
[[node]]
name = "select{s}-{dx}"
kind = "kernel"
shader = "{shader}"
inputs = [
  {{ name = "distances", source = "pairs{s}-{dx}.distances" }}{before}
]
outputs = [
  {{ name = "words", channels = "y", format = "u32", planes = 1, extent = {size} }}{nearest}
]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("s", s), fmt::arg("dx", dx), fmt::arg("before", before), fmt::arg("nearest", nearestText(s)),
        fmt::arg("shader", shader("select_some", s, columnsText(dx, dx), fmt::format("-{}", dx))),
        fmt::arg("size", sizeText(size(s))));
  }

  void finish(int s) {
    std::string inputs, words = "uint wordAt(int dx, int index) {\n";
    for (uint32_t dx = 0; dx <= searched(); ++dx) {
      inputs += fmt::format("  {{ name = \"words{1}\", source = \"select{0}-{1}.words\" }},\n", s, dx);
      words += fmt::format("  if (dx == {0}) {{ return at_words{0}(0, index); }}\n", dx);
    }
    if (nearest(s) > 0)
      inputs += fmt::format("  {{ name = \"nearest\", source = \"select{}-{}.nearest\" }},\n", s, searched());
    nodes_ += fmt::format(
        R"(
[[node]]
name = "select{s}"
kind = "kernel"
shader = "{shader}"
inputs = [
{inputs}]
outputs = [{{ name = "masks", channels = "y", format = "u32", planes = {masks}, extent = {size} }}]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("s", s), fmt::arg("inputs", inputs), fmt::arg("masks", searched() + 2),
        fmt::arg("size", sizeText(size(s))),
        fmt::arg("shader", shader("finish", s, columnsText(0, searched()) + words + "  return 0u;\n}\n")));
  }

  void fuse(int s) {
    nodes_ += fmt::format(
        R"(
[[node]]
name = "fuse{s}"
kind = "kernel"
shader = "{shader}"
inputs = [{{ name = "input", source = "{image}" }}, {{ name = "masks", source = "select{s}.masks" }}]
outputs = [
  {{ name = "output"{output} }},
  {{ name = "grid", channels = "y", format = "f32", extent = {quarter} }},
]
[node.kernel]
workgroup = [32, 8]
extent_of = "grid"
)",
        fmt::arg("s", s), fmt::arg("shader", shader("fuse", s)), fmt::arg("image", imageOf(s)),
        fmt::arg("output", outputText(s == 0 && call_.integer("scales") == 1)),
        fmt::arg("quarter", sizeText({size(s).width, (size(s).height + 3) / 4})));
  }

  void search(int s) {
    nodes_ += searchNodes(
        {s, imageOf(s), histogramOf(s), std::string(call_.word("layout")),
         fmt::format("{{ SEARCH = {}, PATCH = {}, K = {}, FINEST = {}, bins = {}, width = {}, height = {} }}",
                     call_.integer("search"), call_.integer("patch"), nearest(s), nearest(s) > 0 ? 1 : 0,
                     bins_, size(s).width, size(s).height),
         outputText(s == 0 && call_.integer("scales") == 1), size(s).width, size(s).height, bins_,
         static_cast<int>(call_.integer("patch"))});
  }

  void shrink(int s) {
    nodes_ += fmt::format(
        R"(
[[node]]
name = "sums{s}"
kind = "kernel"
shader = "{sums}"
inputs = [{{ name = "fine", source = "histogram" }}]
outputs = [{{ name = "sums", channels = "any2", format = "f32", array = {shares} }}]
[node.kernel]
workgroup = [64, 1]
extent_of = "sums"

[[node]]
name = "factor{s}"
kind = "kernel"
shader = "factor.glsl"
inputs = [{{ name = "sums", source = "sums{s}.sums" }}]
outputs = [{{ name = "factor", channels = "y", format = "f32", array = 1 }}]
[node.kernel]
workgroup = [256, 1]

[[node]]
name = "histogram{s}"
kind = "kernel"
shader = "{histogram}"
inputs = [{{ name = "fine", source = "histogram" }}, {{ name = "factor", source = "factor{s}.factor" }}]
outputs = [
  {{ name = "histogram", channels = "y", format = "f32", planes = {count}, extent = {size} }},
  {{ name = "grid", channels = "y", format = "f32", extent = {quarter} }},
]
[node.kernel]
workgroup = [32, 8]
extent_of = "grid"

[[node]]
name = "image{s}"
kind = "kernel"
shader = "{image}"
inputs = [{{ name = "input", source = "input" }}]
outputs = [{{ name = "output", format = "f32", extent = {size} }}]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("s", s), fmt::arg("sums", shader("sums", s, gaussianText(s))), fmt::arg("shares", shares),
        fmt::arg("quarter", sizeText({size(s).width, (size(s).height + 3) / 4})),
        fmt::arg("histogram", shader("down_histogram", s, gaussianText(s))),
        fmt::arg("image", shader("down_image", s, gaussianText(s))), fmt::arg("count", bins_ + 1),
        fmt::arg("size", sizeText(size(s))));
  }

  std::string merge(int s, const std::string& coarse) {
    builder_.shader(fmt::format("difference{}.glsl", s),
                    gaussianText(1) + "#define DIFFERENCE\n#include \"down_image.glsl\"\n");
    nodes_ += fmt::format(
        R"(
[[node]]
name = "difference{s}"
kind = "kernel"
shader = "difference{s}.glsl"
inputs = [{{ name = "input", source = "{own}" }}, {{ name = "coarse", source = "{coarse}" }}]
outputs = [{{ name = "output", format = "f32", extent = {size} }}]
[node.kernel]
workgroup = [32, 8]

[[node]]
name = "merge{s}"
kind = "kernel"
shader = "{merge}"
inputs = [{{ name = "fine", source = "{own}" }}, {{ name = "difference", source = "difference{s}.output" }}]
outputs = [{{ name = "output"{output} }}]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("s", s), fmt::arg("own", fused(s)), fmt::arg("coarse", coarse),
        fmt::arg("size", sizeText(size(s + 1))), fmt::arg("merge", shader("merge", s, gaussianText(1))),
        fmt::arg("output", outputText(s == 0)));
    return fmt::format("merge{}.output", s);
  }

  static Size blocks(Size size) {
    return {(size.width + blockSide - 1) / blockSide, (size.height + blockSide - 1) / blockSide};
  }

  // Of the node that makes the filtered picture, and of those before it.
  std::string outputText(bool isLast) const {
    return isLast && !call_.flag("blend") ? R"(, connector = "output")" : R"(, format = "f32")";
  }

  void blend(const std::string& filtered) {
    nodes_ += fmt::format(
        R"(
[[node]]
name = "variance"
kind = "kernel"
shader = "{variance}"
inputs = [
  {{ name = "input", source = "input" }},
  {{ name = "filtered", source = "{filtered}" }},
  {{ name = "histogram", source = "histogram" }}{masks}
]
outputs = [{{ name = "output", channels = "any4", format = "f32", colour = "data" }}]
[node.kernel]
workgroup = [32, 8]

[[node]]
name = "blend"
kind = "kernel"
shader = "blend.glsl"
inputs = [
  {{ name = "input", source = "input" }},
  {{ name = "filtered", source = "{filtered}" }},
  {{ name = "change", source = "variance.output" }},
]
outputs = [{{ name = "output", connector = "output" }}]
[node.kernel]
workgroup = [32, 8]
)",
        fmt::arg("variance", shader("variance", 0)), fmt::arg("filtered", filtered),
        fmt::arg("masks", isSearch() ? "" : ",\n  { name = \"masks\", source = \"select0.masks\" }"));
  }

  static constexpr int shares = 16384;
  static constexpr uint32_t blockSide = 8;
  static constexpr uint32_t lines = 4;  // of a workgroup that compares pixels

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
