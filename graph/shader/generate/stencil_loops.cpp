// The tap loops of windows that are not unrolled (StencilUse::loops): loops over rows, and over a few columns
// at a time. The taps of a pixel and their order are those of stencil_gather.cpp, weights and addresses are
// found tap by tap. Rows and columns that only some pixels of the thread reach come before and behind the
// loop.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/shader/generate/stencil_kernel.h"

namespace lacuna {
namespace {

// The columns or rows of the thread's pixels that are reached.
struct Reached {
  int first = 0, last = 0;
};

// Neighbouring rows or columns of the window, as GLSL, by steps from the thread's first pixel.
struct Run {
  std::string first;
  int count = 1;          // that are read together
  std::string end = {};   // of a loop: behind the last one
  bool isCertain = true;  // the loop has at least one turn
  Reached reached;
  bool isChecked = false;  // each pixel asks whether it reaches them
};

std::vector<Run> runsOfRadius(int radius, int pixels, int together) {
  std::vector<Run> runs;
  const int count = 2 * radius + 1 - (pixels - 1), first = pixels - 1 - radius;
  if (count < 1) {
    for (int k = -radius; k < radius + pixels; ++k) {
      runs.push_back(
          {std::to_string(k), 1, {}, true, {std::max(0, k - radius), std::min(pixels - 1, k + radius)}});
    }
    return runs;
  }
  for (int k = 0; k < pixels - 1; ++k)
    runs.push_back({std::to_string(k - radius), 1, {}, true, {0, k}});
  const Reached all = {0, pixels - 1};
  const int looped = count - count % together;
  if (looped > 0)
    runs.push_back({std::to_string(first), together, std::to_string(first + looped), true, all});
  if (count > looped)
    runs.push_back({std::to_string(first + looped), count - looped, {}, true, all});
  for (int k = 1; k < pixels; ++k)
    runs.push_back({std::to_string(k + radius), 1, {}, true, {k, pixels - 1}});
  return runs;
}

// Used if `reach` is known only in the frame.
std::vector<Run> runsOfReach(int pixels, int together) {
  const Reached all = {0, pixels - 1};
  const std::string first = fmt::format("{} - reach", pixels - 1);
  const std::string whole = fmt::format("{0} + (2 * reach + 2 - {1}) / {2} * {2}", first, pixels, together);
  if (pixels == 1)
    return {{"-reach", 1, "reach + 1", true, all}};
  return {{"-reach", 1, first, pixels > 1, all, true},
          {first, together, whole, false, all},
          {fmt::format("max({}, {})", first, whole), 1, "reach + 1", false, all},
          {fmt::format("max({}, reach + 1)", first), 1, fmt::format("reach + {}", pixels), true, all, true}};
}

class TapLoops {
 public:
  TapLoops(const StencilContext& context, const ThreadMapping& mapping, bool isInside)
      : context_(context), mapping_(mapping), kernels_(context), isInside_(isInside) {}

  std::string text() const {
    if (patch() > 0)
      return constants() + (context_.schedule().family->sharesPatches() ? strips() : patches());
    std::string text = constants();
    for (const Run& run : runs('y')) {
      std::string rows;
      for (int i = 0; i < run.count; ++i)
        rows += row(i, run);
      text += loop("dy", run, rows);
    }
    return text;
  }

 private:
  const StencilKernel& kernel(char axis) const { return axis == 'x' ? kernels_.x : kernels_.y; }

  std::vector<Run> runs(char axis) const {
    const int pixels = axis == 'x' ? context_.schedule().columns : context_.schedule().rows;
    const int radius = kernel(axis).radius();
    const int count = 2 * radius + 1 - (pixels - 1);
    const bool isReach = context_.use().hasReach() && radius > 0;
    const bool isInner = axis == 'x' || kernels_.x.radius() == 0;
    const int together = isInner && count > 0 ? tapsTogether(count, context_.schedule().pixels()) : 1;
    return isReach ? runsOfReach(pixels, isInner ? 4 : 1) : runsOfRadius(radius, pixels, together);
  }

  static std::string loop(const char* steps, const Run& run, const std::string& body) {
    if (run.end.empty())
      return fmt::format("  {{ const int {} = {};\n{}  }}\n", steps, run.first, body);
    // CPU drivers run the body of a loop an extra time for a condition that comes first.
    return run.isCertain
               ? fmt::format("  {{ int {0} = {1};\n  do {{\n{2}  }} while (({0} += {3}) < {4});\n  }}\n",
                             steps, run.first, body, run.count, run.end)
               : fmt::format("  for (int {0} = {1}; {0} < {4}; {0} += {3}) {{\n{2}  }}\n", steps, run.first,
                             body, run.count, run.end);
  }

  std::string constants() const {
    std::string text;
    for (const char axis : {'x', 'y'}) {
      if (kernel(axis).isUniform() || kernel(axis).isTable())
        continue;
      std::string weights, logarithms;
      for (int i = 0; i <= 2 * kernel(axis).radius(); ++i) {
        weights += (i > 0 ? ", " : "") + kernel(axis).weight(i);
        logarithms += (i > 0 ? ", " : "") + kernel(axis).log2(i);
      }
      text += fmt::format(
          "  const float weight_{3}[{0}] = float[]({1});\n"
          "  const float log2_{3}[{0}] = float[]({2});\n",
          2 * kernel(axis).radius() + 1, weights, logarithms, axis);
    }
    // The number of taps inside on either side of the first pixel.
    return isInside_ || context_.mapsTaps() ? text
                                            : text +
                                                  "  const int logStep = findMSB(s);\n"
                                                  "  const ivec2 least = -(ivec2(x, y0) >> logStep);\n"
                                                  "  const ivec2 most = (e - 1 - ivec2(x, y0)) >> logStep;\n";
  }

  // A kernel weight, and its logarithm, `steps` from the pixel; 0 where there is no pixel.
  std::string weights(char axis, const std::string& name, const std::string& steps, const std::string& inside,
                      bool isChecked) const {
    const StencilKernel& own = kernel(axis);
    std::string index = fmt::format("{} + {}", steps, own.radius());
    index = isChecked ? fmt::format("clamp({}, 0, {})", index, 2 * own.radius()) : index;
    std::string weight = fmt::format("weight_{}[{}]", axis, index),
                logarithm = fmt::format("log2_{}[{}]", axis, index);
    if (own.isUniform()) {
      weight = own.weight(0);
      logarithm = own.log2(0);
    } else if (own.isTable()) {
      weight = fmt::format("array_kernel.data[{}]", index);
      logarithm = fmt::format("log2OfWeight(w{})", name);
    }
    if (!isInside_ && context_.border() == BorderRule::unweighted) {
      logarithm = fmt::format("{} ? {} : {}", inside, logarithm, StencilKernel::noWeight);
      weight = fmt::format("{} ? {} : 0.0", inside, weight);
    }
    return fmt::format("float w{0} = {1}; float l{0} = {2};\n", name, weight, logarithm);
  }

  // The term of a column or row `steps` from the first pixel's: `term`, and whether a pixel is there,
  // `inside`.
  std::string place(const std::string& term, const std::string& inside, const std::string& steps,
                    char axis) const {
    const bool isColumn = axis == 'x';
    const std::string& centre = isColumn ? mapping_.columnCentre : mapping_.rowCentre;
    const std::string& step = isColumn ? mapping_.columnStep : mapping_.rowStep;
    if (isInside_) {
      const std::string& mirrored = isColumn ? mapping_.mirroredColumn : mapping_.mirroredRow;
      const std::string plain = fmt::format("{} + {} * {}", centre, steps, step);
      return fmt::format("int {} = {};\n", term, context_.mirrors() ? fill(mirrored, {{"t", plain}}) : plain);
    }
    if (context_.mapsTaps()) {
      return fmt::format("int {0} = {1} + (borderAt({2} + {3}, e.{4}) - {2}) * {5};\n", term, centre,
                         isColumn ? "x" : "y0", steps, axis, step);
    }
    return fmt::format(
        "int {0} = clamp({1}, least.{2}, most.{2}); bool {3} = {0} == {1}; {0} = {4} + {0} * {5};\n", term,
        steps, axis, inside, centre, step);
  }

  // The i-th row of those that a turn of the loop takes.
  std::string row(int i, const Run& rows) const {
    std::string text = fmt::format("    {{ int dq = dy + {};\n    ", i) + place("q", "iy", "dq", 'y');
    for (int own = rows.reached.first; own <= rows.reached.last; ++own) {
      text += fmt::format("    int dy{0} = dq - {0}; ", own) +
              weights('y', fmt::format("y{}", own), fmt::format("dy{}", own), "iy", rows.isChecked);
    }
    for (const Run& columns : runs('x'))
      text += loop("dx", columns, taps(columns, rows));
    return text + "    }\n";
  }

  // Taps of neighbouring columns, the first `dx` from the first pixel's: all are read, then gathered.
  std::string taps(const Run& columns, const Run& rows) const {
    std::string text;
    for (int i = 0; i < columns.count; ++i) {
      text += fmt::format("      int dc{0} = dx + {0}; ", i) +
              place(fmt::format("c{}", i), fmt::format("ix{}", i), fmt::format("dc{}", i), 'x') +
              fmt::format("      n0_Tap t{} = {};\n", i,
                          fill(mapping_.tapCall, {{"c", fmt::format("c{}", i)}, {"q", "q"}}));
      for (int own = columns.reached.first; own <= columns.reached.last; ++own) {
        const std::string name = fmt::format("x{}_{}", i, own);
        text += fmt::format("      int d{0} = dc{1} - {2}; ", name, i, own) +
                weights('x', name, "d" + name, fmt::format("ix{}", i), columns.isChecked);
      }
    }
    for (int o = 0; o < context_.schedule().pixels(); ++o) {
      const int column = context_.columnOf(o), row = context_.rowOf(o);
      if (column >= columns.reached.first && column <= columns.reached.last && row >= rows.reached.first &&
          row <= rows.reached.last)
        for (int i = 0; i < columns.count; ++i)
          text += gather(o, i, columns.isChecked, rows.isChecked);
    }
    return text;
  }

  std::string gather(int o, int i, bool checksColumn, bool checksRow) const {
    const std::vector<std::pair<std::string, std::string>> values = {
        {"o", std::to_string(o)},
        {"i", std::to_string(i)},
        {"x", fmt::format("{}_{}", i, context_.columnOf(o))},
        {"y", std::to_string(context_.rowOf(o))},
        {"square", std::to_string(kernels_.x.radius() * kernels_.x.radius())},
        {"rx", std::to_string(kernels_.x.radius())},
        {"ry", std::to_string(kernels_.y.radius())}};
    std::string condition;
    const auto also = [&](bool asks, const char* text) {
      condition += asks ? (condition.empty() ? "" : " && ") + fill(text, values) : "";
    };
    also(kernels_.isCircular, context_.use().hasReach() ? "dx$x * dx$x + dy$y * dy$y <= reach * reach"
                                                        : "dx$x * dx$x + dy$y * dy$y <= $square");
    also(kernels_.x.hasZero(), "weight_x[dx$x + $rx] != 0.0");
    also(kernels_.y.hasZero(), "weight_y[dy$y + $ry] != 0.0");
    also(checksColumn, "abs(dx$x) <= reach");
    also(checksRow, "abs(dy$y) <= reach");
    also(!isInside_ && context_.skipsOutside(), "ix$i && iy");
    return (condition.empty() ? "      " : fmt::format("      if ({}) ", condition)) +
           fill(
               "n0_gather(a$o, k$o, t$i, Offset(ivec2(dx$x, dy$y), ivec2(dx$x, dy$y) * s, wx$x * wy$y, "
               "lx$x + ly$y));\n",
               values);
  }

  int patch() const { return context_.shader.node.patch; }

  // Windows whose taps have patches: for each offset, each difference of two pixels is computed once, even if
  // it is in patches of several pixels of the thread. A patch is summed up row by row, each row from left to
  // right.
  std::string patches() const {
    const int columns = context_.schedule().columns + 2 * patch();
    std::string text;
    for (int i = 0; i < columns; ++i) {
      text +=
          "  " + place(fmt::format("b{}", i), fmt::format("ib{}", i), fmt::format("({})", i - patch()), 'x');
    }
    std::string offset;
    for (int i = 0; i < columns; ++i) {
      offset += fmt::format("      int dc{0} = dx + ({1}); ", i, i - patch()) +
                place(fmt::format("c{}", i), fmt::format("ix{}", i), fmt::format("dc{}", i), 'x');
    }
    for (int o = 0; o < context_.schedule().pixels(); ++o)
      offset += fmt::format("      float d{} = 0.0;\n", o);
    for (int row = 0; row < context_.schedule().rows + 2 * patch(); ++row)
      offset += patchRow(row);
    offset += "      " + weights('x', "x", "dx", "", false) + "      " + weights('y', "y", "dy", "", false);
    for (int o = 0; o < context_.schedule().pixels(); ++o)
      offset += patchTap(o);
    return text + offsets(offset);
  }

  // Loops over all of the window.
  std::string offsets(const std::string& body) const {
    const std::string reach = context_.use().hasReach() ? "reach" : std::to_string(kernels_.x.radius());
    const Run run = {"-" + reach, 1, reach + " + 1", true, {}};
    return loop("dy", run, loop("dx", run, body));
  }

  // The same sums in the same order, a thread's own row of differences at a time: the other rows of its
  // patches are its neighbours'. Sums of one offset are read while those of the next are written elsewhere.
  std::string strips() const {
    const int pixels = context_.schedule().columns;
    std::string text, offset = "      const int there = column + dx + row + dy * TILE;\n";
    for (int i = 0; i < pixels + 2 * patch(); ++i) {
      text += fmt::format("  n0_Tap u{} = tapAt(column + row + ({}));\n", i, i - patch());
      offset += fmt::format("      n0_Tap t{0} = tapAt(there + ({1}));\n", i, i - patch()) +
                fmt::format("      float e{0} = n0_difference(t{0}, u{0});\n", i);
    }
    for (int o = 0; o < pixels; ++o) {
      offset += fmt::format("      patchSums[turn][{0}][strip][line] = e{0}", o);
      for (int i = 1; i <= 2 * patch(); ++i)
        offset += fmt::format(" + e{}", o + i);
      offset += ";\n";
    }
    offset += "      barrier();\n      if (filters) {\n      " + weights('x', "x", "dx", "", false) +
              "      " + weights('y', "y", "dy", "", false);
    for (int o = 0; o < pixels; ++o)
      offset += stripTap(o);
    return text + "  int turn = 0;\n" + offsets(offset + "      }\n      turn = 1 - turn;\n") +
           "  if (!filters) { return; }\n";
  }

  std::string stripTap(int o) const {
    const std::string inside =
        context_.skipsOutside() ? fmt::format("inside(x + {} + dx, e.x) && inside(y0 + dy, e.y)", o) : "";
    std::string text = "      { float d = 0.0;\n";
    for (int k = -patch(); k <= patch(); ++k)
      text += fmt::format("        d += patchSums[turn][{}][strip][line + ({})];\n", o, k);
    return text + gatherPatch(o, fmt::format("t{}", o + patch()), "d", inside);
  }

  // A row of differences, and its sums into the patches of the pixels that it belongs to.
  std::string patchRow(int row) const {
    std::string text = fmt::format("      {{ int dq = dy + ({0}), db = {0};\n      ", row - patch()) +
                       place("q", "iy", "dq", 'y') + "      " + place("qb", "ib", "db", 'y');
    for (int i = 0; i < context_.schedule().columns + 2 * patch(); ++i) {
      const auto tap = [&](const char* column, const char* own) {
        return fill(mapping_.tapCall, {{"c", fmt::format("{}{}", column, i)}, {"q", own}});
      };
      text += fmt::format("      float e{} = n0_difference({}, {});\n", i, tap("c", "q"), tap("b", "qb"));
    }
    for (int column = 0; column < context_.schedule().columns; ++column) {
      text += fmt::format("      float r{0} = e{0}", column);
      for (int i = 1; i <= 2 * patch(); ++i)
        text += fmt::format(" + e{}", column + i);
      text += ";\n";
    }
    for (int o = 0; o < context_.schedule().pixels(); ++o)
      if (const int own = row - context_.rowOf(o); own >= 0 && own <= 2 * patch())
        text += fmt::format("      d{} += r{};\n", o, context_.columnOf(o));
    return text + "      }\n";
  }

  std::string patchTap(int o) const {
    const int column = context_.columnOf(o) + patch();
    return fmt::format("      {{ int dq = dy + {}; ", context_.rowOf(o)) + place("q", "iy", "dq", 'y') +
           gatherPatch(o, fill(mapping_.tapCall, {{"c", fmt::format("c{}", column)}, {"q", "q"}}),
                       fmt::format("d{}", o),
                       !isInside_ && context_.skipsOutside() ? fmt::format("ix{} && iy", column) : "");
  }

  // Code for pixel o, if its window and `inside` have the tap; ends the block that its place began.
  std::string gatherPatch(int o, const std::string& tap, const std::string& difference,
                          const std::string& inside) const {
    const std::string reach = context_.use().hasReach()
                                  ? "reach * reach"
                                  : std::to_string(kernels_.x.radius() * kernels_.x.radius());
    std::string condition = kernels_.isCircular ? "dx * dx + dy * dy <= " + reach : "";
    condition += condition.empty() || inside.empty() ? inside : " && " + inside;
    return (condition.empty() ? "      " : fmt::format("      if ({}) ", condition)) +
           fmt::format(
               "n0_gather(a{0}, k{0}, {1}, Offset(ivec2(dx, dy), ivec2(dx, dy) * s, wx * wy, lx + ly), {2}); "
               "}}\n",
               o, tap, difference);
  }

  const StencilContext& context_;
  const ThreadMapping& mapping_;
  const StencilKernels kernels_;
  bool isInside_;
};

}  // namespace

std::string loopOverTaps(const StencilContext& context, const ThreadMapping& mapping, bool isInside) {
  return TapLoops(context, mapping, isInside).text();
}

}  // namespace lacuna
