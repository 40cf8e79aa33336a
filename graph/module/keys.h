#pragma once
// The table of module.toml's keys: for each its name, the member that has its value, whose type says what it
// may hold, and what holds beside. Visitors read the keys (key_reader.h), check the parameters that they name
// (check_keys.cpp) and print them (description_json.cpp). modules/README.md says what they mean; a test
// compares it with this table.

#include <concepts>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "graph/module/words.h"

namespace lacuna {

constexpr int64_t maxWorkgroup = 1024;  // invocations
constexpr int64_t maxRepeats = 64;
constexpr int64_t maxSide = 65535;  // for an image whose size a module states: files have no more
constexpr int64_t maxRadius = 64;
constexpr int64_t maxLineRadius = 255;  // of rows and columns

// A name: letters, digits, '-' and '_'; an identifier: one that GLSL accepts.
enum class TextKind { any, name, identifier };

struct Key {
  Key(const char* given) : name(given) {}

  std::string name;
  bool isRequired = false;
  int64_t least = 0, most = 0;  // of numbers
  bool takesTrue = false;       // in place of the number
  TextKind text = TextKind::any;
  std::vector<std::string> words;  // of a text; if empty, any
  const char* title = "";          // of the table that it holds, or of a parameter's choices, in messages
  std::vector<NodeKind> kinds;     // of nodes; if empty, all. Others must not have it

  Key& required(bool isIt = true) { return isRequired = isIt, *this; }
  Key& from(int64_t first, int64_t last) { return least = first, most = last, *this; }
  Key& orTrue() { return takesTrue = true, *this; }
  Key& is(TextKind kind) { return text = kind, *this; }
  Key& among(std::vector<std::string> list) { return words = std::move(list), *this; }
  Key& of(const char* what) { return title = what, *this; }
  Key& only(std::vector<NodeKind> list) { return kinds = std::move(list), *this; }
};

template <typename T, typename Described>
concept Of = std::same_as<std::remove_const_t<T>, Described>;

template <class V, Of<ConnectorDescription> T>
void keys(V& v, T& c) {
  v(Key("name").required().is(TextKind::name), c.name);
  v(Key("direction").required(), c.direction, directionWords());
  v("channels", c.channels, channelWords());
  v("formats", c.formats, formatWords());
  v(Key("colour").of("colour tags"), c.colour, colourWords());
  v("optional", c.optional);
  v(Key("array").from(1, maxArrayCount).orTrue(), c.arrayCount);
  v("planes", c.planes);
  v("images", c.images);
  v("doc", c.doc);
  v("for", c.scope);
}

template <class V, Of<ParameterDescription> T>
void keys(V& v, T& p) {
  v(Key("name").required().is(TextKind::identifier), p.name);
  v(Key("type").required(), p.type, parameterTypeWords());
  v(Key("count").from(1, 4096), p.count);
  v(Key("default").required(), p.defaults);
  v("range", p.range);
  v(Key("choices").required(p.type == ParameterType::choice), p.choices);
  v("choices_in", p.choicesIn);
  v("unit", p.unit);
  v("preview", p.preview);
  v("structural", p.structural);
  v("file", p.isFile);
  v("per_level", p.perLevel);
  v("settled", p.settled);
  v("doc", p.doc);
  v("for", p.scope);
  v("unless", p.unless);
}

template <class V, Of<NodeInput> T>
void keys(V& v, T& i) {
  v(Key("name").required().is(TextKind::identifier), i.name);
  v(Key("source").required(), i.source);
  v("feedback", i.feedback);
  v(Key("footprint").only({NodeKind::kernel, NodeKind::host}), i.footprint);
}

template <class V, Of<OutputExtent> T>
void keys(V& v, T& e) {
  v("of", e.of);
  v(Key("width").from(1, maxSide), e.width);
  v(Key("height").from(1, maxSide), e.height);
  v("factor", e.factor);
  v(Key("x").from(0, maxSide), e.x);
  v(Key("y").from(0, maxSide), e.y);
  v(Key("only").among({"width", "height"}), e.only);
}

template <class V, Of<NodeOutput> T>
void keys(V& v, T& o) {
  v(Key("name").required().is(TextKind::identifier), o.name);
  v("channels", o.channels, channelWords());
  v(Key("format").of("formats"), o.format, formatWords());
  v(Key("colour").of("colour tags"), o.colour, colourWords());
  v(Key("pattern").of("patterns"), o.pattern, patternWords());
  v("tile", o.tile);
  v(Key("array").from(1, o.tile ? anyCount - 1 : maxArrayCount).orTrue(), o.arrayCount);
  v(Key("planes").from(1, maxArrayCount).orTrue(), o.planes);
  v(Key("shape").from(1, maxArrayCount), o.shape);
  v("kept", o.kept);
  v("zeroed", o.zeroed);
  v(Key("extent").of("'extent'"), o.extent);
  v("connector", o.connector);
}

template <class V, Of<TapField> T>
void keys(V& v, T& f) {
  v(Key("name").required().is(TextKind::identifier), f.name);
  v("from", f.from);
  v(Key("type").required(f.from.empty()).among(tapTypeWords()), f.type);
  v("storage", f.storage, formatWords());
  v("bytes", f.bytes);
}

template <class V, Of<StateDescription> T>
void keys(V& v, T& s) {
  v("channels", s.channels, channelWords());
  v(Key("format").of("formats"), s.format, formatWords());
}

inline bool isLine(Support support) {
  return support != Support::square && support != Support::circular;
}

template <class V, Of<StencilDescription> T>
void keys(V& v, T& s) {
  v("support", s.support, supportWords());
  v(Key("radius").from(0, isLine(s.support) ? maxLineRadius : maxRadius), s.radius);
  v("weights", s.weights);
  v("weight", s.weight);
  v("reach", s.reach);
  v(Key("border").of("border rules"), s.border, borderWords());
  v(Key("patch").from(0, 8), s.patch);
  v("dilated", s.dilated);
  v(Key("levels").from(1, 16), s.levels);
  v(Key("state").of("'state'"), s.state);
  v("features", s.features);
  v(Key("tap").of("a field of 'tap'").required(), s.tap);
  v("init", s.init);
  v("synthesis", s.synthesis);
  v(Key("tap_level").from(0, 15), s.tapLevel);
  v("tap_output", s.tapOutput);
  v("constants", s.constants);
}

template <class V, Of<ReduceDescription> T>
void keys(V& v, T& r) {
  v(Key("bins").from(0, 1 << 16), r.bins);
  v("counts", r.counts);
  v(Key("value").among(reduceTypeWords()), r.value);
}

template <class V, Of<KernelDescription> T>
void keys(V& v, T& k) {
  v("workgroup", k.workgroup);
  v("extent_of", k.extentOf);
  v(Key("invocations").from(1, maxArrayCount), k.invocations);
  v("repeat", k.repeat);
  v("matrix", k.matrix);
  v("constants", k.constants);
}

template <class V, Of<NodeDescription> T>
void keys(V& v, T& n) {
  using enum NodeKind;
  v(Key("name").required().is(TextKind::name), n.name);
  v(Key("kind").required(), n.kind, nodeKindWords());
  v(Key("shader").required().only({pointwise, stencil, reduce, kernel}), n.shader);
  v(Key("memory").only({source, sink}), n.memory);
  v(Key("largest_side").from(1, maxSide).only({sink}), n.largestSide);
  v(Key("replaces").is(TextKind::name).only({host}), n.replaces);
  v("footprint", n.footprint);
  v("when", n.when);
  v(Key("inputs").of("an input of a node"), n.inputs);
  v(Key("outputs").of("an output of a node"), n.outputs);
  v("bind", n.bind);
  v(Key("stencil").of("[node.stencil]").required().only({stencil}), n.stencil);
  v(Key("reduce").of("[node.reduce]").only({reduce}), n.reduce);
  v(Key("kernel").of("[node.kernel]").only({kernel}), n.kernel);
}

template <class V, Of<VariantCost> T>
void keys(V& v, T& c) {
  v("operations", c.operations);
  v("loads", c.loads);
  v("products", c.products);
  v("registers", c.registers);
}

template <class V, Of<VariantDescription> T>
void keys(V& v, T& a) {
  v(Key("name").required().is(TextKind::name), a.name);
  v(Key("nodes").required(), a.nodes);
  v("shader", a.shader);
  v(Key("workgroups").required(), a.workgroups);
  v("pixels", a.pixels);
  v("groups", a.groups);
  v(Key("constants").from(0, maxVariantConstant), a.constants);
  v("images", a.images);
  v("uniform", a.uniform);
  v("shared", a.shared);
  v("whole", a.whole);
  v("formats", a.formats, formatWords());
  v("when", a.when);
  v("float16", a.float16);
  v("matrix", a.matrix);
  v("matrix2", a.matrix2);
  v(Key("subgroup").from(4, 128), a.subgroup);
  v(Key("cost").of("'cost'"), a.cost);
  v("device", a.device, deviceWords());
  v("guarantee", a.guarantee);
  v("doc", a.doc);
}

template <class V, Of<WarmUpDescription> T>
void keys(V& v, T& w) {
  v("share", w.share);
  v(Key("parameter").required(w.share.empty()), w.parameter);
  v(Key("factor").from(1, 1'000'000), w.factor);
  v(Key("zero").among({"all"}), w.zero);
  v("when", w.when);
}

template <class V, Of<ModuleDescription> T>
void keys(V& v, T& m) {
  v(Key("name").required(), m.name);
  v(Key("summary").required(), m.summary);
  v("papers", m.papers);
  v(Key("warmup").of("'warmup'").from(0, 1'000'000'000), m.warmUp);
  v(Key("code").is(TextKind::name), m.code);
  v("origin", m.readsOrigin);
  v(Key("alias").is(TextKind::name), m.alias.base);
  v("fixed", m.alias.fixed);
  v("parameters", m.alias.parameters);
  v(Key("connector").of("[[connector]]"), m.connectors);
  v(Key("parameter").of("[[parameter]]"), m.parameters);
  v(Key("node").of("[[node]]"), m.nodes);
  v(Key("variant").of("[[variant]]"), m.variants);
}

struct NoVisitor {};
template <typename T>
concept HasKeys = requires(NoVisitor& v, T& table) {
  keys(v, table);
};

}  // namespace lacuna
