#include "modules/codecs/exr_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <tuple>

#include "graph/lists.h"

namespace lacuna::io {
namespace {

using Found = std::optional<std::vector<ExrChannel>>;
using Components = std::vector<std::string_view>;
using Names = std::vector<std::string_view>;

// Compared in lower case without spaces, hyphens and underscores: "Denoising Albedo" is "denoisingalbedo".
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (c != ' ' && c != '_' && c != '-')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

struct Aliases {
  std::string_view plane;
  Names groups;   // layers and parts, the better one first
  Names singles;  // channels outside of layers, likewise
  std::vector<Components> components;
};

// Blender Cycles, Mitsuba, pbrt, Arnold, Redshift, V-Ray, Karma, RenderMan, and this project's own files.
const std::vector<Aliases>& aliases() {
  const std::vector<Components> colour = {{"r", "g", "b"}, {"red", "green", "blue"}};
  const std::vector<Components> space = {{"x", "y", "z"}, {"r", "g", "b"}};
  const std::vector<Components> plane = {{"x", "y"}, {"u", "v"}, {"r", "g"}};
  const std::vector<Components> single = {{"z"}, {"v"}, {"y"}, {"x"}, {"r"}, {"t"}, {"a"}};
  static const std::vector<Aliases> table = {
      {"output", {"combined", "beauty", "rgba", "rgb", "color", "colour", "image"}, {}, colour},
      {"direct", {"direct"}, {}, colour},
      {"indirect", {"indirect"}, {}, colour},
      {"albedo",
       {"albedo", "denoisingalbedo", "denoisealbedo", "basecolor", "basecolour", "diffusealbedo", "diffcol",
        "diffusecolor", "diffusefilter", "vraydiffusefilter", "diffusealbedonoice", "albedonoice"},
       {},
       {{"r", "g", "b"}, {"red", "green", "blue"}, {"x", "y", "z"}}},
      {"normal",
       {"normal", "normals", "shadingnormal", "shnormal", "ns", "n", "nn", "denoisingnormal", "denoisenormal",
        "worldnormal", "vraynormals", "nnoice"},
       {},
       space},
      {"depth",
       {"depth", "z", "zdepth", "lineardepth", "viewdepth", "dd", "pz", "vrayzdepth", "znoice",
        "denoisingdepth", "denoisedepth"},
       {"z", "depth", "zdepth", "pz", "vrayzdepth"},
       single},
      {"motion",
       {"motion", "vector", "motionvector", "motionvectors", "mvec", "mv", "opticalflow", "flow"},
       {},
       plane},
      {"gradient", {"gradient"}, {}, {{"x", "y"}}},
      {"id", {"id", "objectid", "indexob"}, {"id", "objectid"}, {{"x"}, {"v"}, {"y"}, {"r"}, {"id"}}},
      {"moments", {"moments"}, {}, {{"x", "y"}}},
      {"histogram", {}, {}, {}},
  };
  return table;
}

const Aliases* aliasesOf(std::string_view plane) {
  const auto found = std::ranges::find(aliases(), plane, &Aliases::plane);
  return found == aliases().end() ? nullptr : &*found;
}

std::string_view tail(std::string_view group) {
  const size_t dot = group.rfind('.');
  return dot == std::string_view::npos ? group : group.substr(dot + 1);
}

bool namesOtherPlane(std::string_view group) {
  const std::string name = plain(tail(group));
  return std::ranges::any_of(aliases(), [&](const Aliases& entry) {
    return entry.plane != "output" && contains(entry.groups, name);
  });
}

bool inOneGroup(const ExrChannel& a, const ExrChannel& b) {
  return a.part == b.part && a.group == b.group && a.topLevel == b.topLevel;
}

// A file's channels, and their siblings by name: files of some hundred bytes a channel may have tens of
// thousands, and all their siblings are looked up.
class ChannelIndex {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): some channels of a file are a file's channels, too.
  ChannelIndex(const std::vector<ExrChannel>& channels) : channels_(channels) {
    for (const ExrChannel& channel : channels)
      byName_.emplace(Key{channel.part, channel.topLevel, channel.group, plain(channel.component)}, &channel);
  }
  auto begin() const { return channels_.begin(); }
  auto end() const { return channels_.end(); }
  const std::vector<ExrChannel>& all() const { return channels_; }

  // `component` in lower case. Null: there is none.
  const ExrChannel* sibling(const ExrChannel& of, std::string_view component) const {
    const auto found = byName_.find(Key{of.part, of.topLevel, of.group, component});
    return found == byName_.end() ? nullptr : found->second;
  }

 private:
  using Key = std::tuple<int, bool, std::string_view, std::string>;
  const std::vector<ExrChannel>& channels_;
  std::map<Key, const ExrChannel*> byName_;  // the first of each
};

// The first complete set of components beside `member`.
Found completeSet(const ChannelIndex& channels, const ExrChannel& member,
                  const std::vector<Components>& sets) {
  for (const Components& set : sets) {
    std::vector<ExrChannel> found;
    for (const std::string_view component : set)
      if (const ExrChannel* channel = channels.sibling(member, component))
        found.push_back(*channel);
    if (found.size() == set.size())
      return found;
  }
  return std::nullopt;
}

Found findInGroups(const ChannelIndex& channels, const Aliases& names) {
  for (const std::string_view group : names.groups)
    for (const ExrChannel& channel : channels)
      if (plain(tail(channel.group)) == group)
        if (Found found = completeSet(channels, channel, names.components))
          return found;
  return std::nullopt;
}

// "ViewLayer" for the layer "ViewLayer.Combined"; "" without one.
std::string viewOf(const ExrChannel& channel) {
  const size_t dot = channel.group.rfind('.');
  return dot == std::string::npos ? "" : channel.group.substr(0, dot);
}

// The one layer of colour that has no known name; nullopt where there are several.
Found findOnlyColour(const ChannelIndex& channels, const std::vector<Components>& sets) {
  Found found;
  for (const ExrChannel& channel : channels) {
    if (namesOtherPlane(channel.group) || (found && inOneGroup(found->front(), channel)))
      continue;
    if (Found other = completeSet(channels, channel, sets)) {
      if (found)
        return std::nullopt;
      found = std::move(other);
    }
  }
  return found;
}

Found findNamedColour(const ChannelIndex& channels, const Aliases& names) {
  Found found;
  for (const ExrChannel& channel : channels)
    if (!found && channel.topLevel && !namesOtherPlane(channel.group))
      found = completeSet(channels, channel, names.components);
  if (!found)
    found = findInGroups(channels, names);
  for (const ExrChannel& channel : channels)
    if (!found && channel.topLevel && plain(channel.component) == "y" && !namesOtherPlane(channel.group) &&
        !channels.sibling(channel, "x") && !channels.sibling(channel, "ry"))
      found = {channel};
  return found;
}

Found findColour(const ChannelIndex& channels, const Aliases& names) {
  Found found = findNamedColour(channels, names);
  return found ? found : findOnlyColour(channels, names.components);
}

using Views = std::map<std::string, std::vector<ExrChannel>>;  // channels by view layer

Views viewsOf(const std::vector<ExrChannel>& channels) {
  Views views;
  for (const ExrChannel& channel : channels)
    views[viewOf(channel)].push_back(channel);
  return views;
}

Found withAlpha(const ChannelIndex& channels, Found colour) {
  if (colour)
    if (const ExrChannel* channel = channels.sibling(colour->front(), "a"))
      colour->push_back(*channel);
  return colour;
}

// A channel of the plane's name alone, else in a layer.
Found findSingle(const ChannelIndex& channels, const Aliases& names) {
  for (const std::string_view name : names.singles)
    for (const ExrChannel& channel : channels)
      // A Z beside X and Y is a coordinate.
      if (channel.topLevel && plain(channel.component) == name &&
          (name != "z" || !channels.sibling(channel, "x")))
        return {{channel}};
  return findInGroups(channels, names);
}

// Bin_0000, Bin_0001, ...: all in sequence.
Found findHistogram(const ChannelIndex& channels) {
  std::vector<ExrChannel> bins;
  for (const ExrChannel& first : channels) {
    if (first.component != "Bin_0000")
      continue;
    for (const ExrChannel* bin = &first; bin;) {
      bins.push_back(*bin);
      bin = channels.sibling(first, fmt::format("bin{:04}", bins.size()));
    }
    return bins;
  }
  return std::nullopt;
}

std::string_view withoutEnd(std::string_view name) {
  return name.substr(0, name.rfind('.'));
}

// A layer, a part or a channel that the user names: in full, or by its last word; colour by its view layer,
// too.
Found findLayer(const ChannelIndex& channels, const Aliases& names, const std::string& layer) {
  for (const bool whole : {true, false})
    for (const ExrChannel& channel : channels) {
      const bool isNamed = whole ? channel.group == layer : tail(channel.group) == layer;
      if (!isNamed)
        continue;
      if (Found found = completeSet(channels, channel, names.components))
        return found;
      if (names.plane == "output")
        if (const ExrChannel* grey = channels.sibling(channel, "y"))
          return {{*grey}};
    }
  if (names.plane == "output")
    if (Found found = findInGroups(viewsOf(channels.all())[layer], names))
      return found;
  for (const ExrChannel& channel : channels)
    if (names.components.front().size() == 1 && channel.name == layer)
      return {{channel}};
  return std::nullopt;
}

Found findByNames(const ChannelIndex& channels, const Aliases& names, const std::string& layer) {
  return !layer.empty()          ? findLayer(channels, names, layer)
         : names.singles.empty() ? findInGroups(channels, names)
                                 : findSingle(channels, names);
}

bool hasGuides(const std::vector<ExrChannel>& channels) {
  return std::ranges::any_of(channels, [](const ExrChannel& channel) {
    return namesOtherPlane(channel.group) || (channel.topLevel && plain(channel.component) == "z");
  });
}

// The view whose planes belong to the colour of `own`: `own`, or, if it has no planes (a composite), the only
// view that has some.
std::string viewBeside(const Views& pictures, const std::string& own) {
  std::vector<std::string> guided;
  for (const auto& [view, channels] : pictures)
    if (hasGuides(channels))
      guided.push_back(view);
  const bool isGuided = contains(guided, own);
  return !isGuided && guided.size() == 1 ? guided.front() : own;
}

bool isPicture(const std::vector<ExrChannel>& view) {
  return findNamedColour(view, *aliasesOf("output")).has_value();
}

// A plane beside the colour: from the colour's own view, else from none that is another picture, unless it is
// named.
Found findBeside(const ChannelIndex& channels, const Aliases& names, const std::string& layer,
                 const Found& colour) {
  Views pictures = viewsOf(channels.all());
  std::erase_if(pictures, [](const auto& view) { return !isPicture(view.second); });
  if (!colour || pictures.size() < 2)
    return findByNames(channels, names, layer);
  if (Found found = findByNames(pictures[viewBeside(pictures, viewOf(colour->front()))], names, layer))
    return found;
  std::vector<ExrChannel> shared;
  std::ranges::copy_if(channels, std::back_inserter(shared),
                       [&](const ExrChannel& channel) { return !pictures.contains(viewOf(channel)); });
  Found found = findByNames(shared, names, layer);
  return found || layer.empty() ? found : findLayer(channels, names, layer);
}

}  // namespace

ExrChannel exrChannel(int part, const std::string& partName, bool severalParts, const std::string& name) {
  ExrChannel channel;
  channel.part = part;
  channel.name = name;
  const size_t dot = name.rfind('.');
  channel.topLevel = dot == std::string::npos;
  channel.component = channel.topLevel ? name : name.substr(dot + 1);
  channel.group = channel.topLevel ? (severalParts ? partName : "") : std::string(withoutEnd(name));
  return channel;
}

bool isColourPlane(std::string_view plane) {
  return plane == "output" || plane == "direct" || plane == "indirect";
}

const std::vector<std::string>& exrPlanes() {
  static const std::vector<std::string> planes = [] {
    std::vector<std::string> names;
    for (const Aliases& entry : aliases())
      names.emplace_back(entry.plane);
    return names;
  }();
  return planes;
}

Found findExrPlane(const std::vector<ExrChannel>& all, const std::string& plane, const ExrLayers& layers) {
  const Aliases* names = aliasesOf(plane);
  if (!names)
    return std::nullopt;
  const ChannelIndex channels(all);
  if (plane == "histogram")
    return findHistogram(channels);
  const auto layerOf = [&](const std::string& of) {
    const auto found = layers.find(of);
    return found == layers.end() ? std::string() : found->second;
  };
  const Aliases& colours = *aliasesOf("output");
  const std::string main = layerOf("output");
  Found colour = main.empty() ? findColour(channels, colours) : findLayer(channels, colours, main);
  Found found = plane == "output" ? std::move(colour) : findBeside(channels, *names, layerOf(plane), colour);
  return isColourPlane(plane) ? withAlpha(channels, std::move(found)) : found;
}

std::vector<std::string> exrPictures(const std::vector<ExrChannel>& channels) {
  std::vector<std::string> layers;
  for (const auto& [view, own] : viewsOf(channels))
    if (const Found colour = findNamedColour(own, *aliasesOf("output")))
      layers.push_back(colour->front().group);
  return layers;
}

std::string exrNamesOf(const std::string& plane) {
  const Aliases* names = aliasesOf(plane);
  if (!names || names->components.empty())
    return "channels Bin_0000, Bin_0001, ...";
  std::string components = fmt::format("{}", fmt::join(names->components.front(), " "));
  std::ranges::transform(components, components.begin(), ::toupper);
  const std::string layers = fmt::format("a layer {} with {}", fmt::join(names->groups, ", "), components);
  if (plane == "output")
    return "channels R G B or Y, or " + layers;
  return names->singles.empty() ? layers
                                : fmt::format("a channel {}, or {}", fmt::join(names->singles, ", "), layers);
}

MotionConvention exrMotionConvention(const std::vector<ExrChannel>& all,
                                     const std::vector<ExrChannel>& motion) {
  const ChannelIndex channels(all);
  const bool isBlenders = plain(tail(motion.front().group)) == "vector" &&
                          channels.sibling(motion.front(), "z") && channels.sibling(motion.front(), "w");
  return isBlenders ? MotionConvention::blender : MotionConvention::pixels;
}

}  // namespace lacuna::io
