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

// A plane's sets of components.
struct PlaneShape {
  std::string_view plane;
  bool isSingle = false;  // its names may also be those of single channels
  std::vector<Components> components;

  const std::vector<ExrLayerName>& names() const { return exrLayerNames(plane); }
};

const std::vector<PlaneShape>& shapes() {
  const std::vector<Components> colour = {{"r", "g", "b"}, {"red", "green", "blue"}};
  const std::vector<Components> space = {{"x", "y", "z"}, {"r", "g", "b"}};
  const std::vector<Components> plane = {{"x", "y"}, {"u", "v"}, {"r", "g"}};
  static const std::vector<PlaneShape> table = {
      {"output", false, colour},
      {"direct", false, colour},
      {"indirect", false, colour},
      {"albedo", false, {{"r", "g", "b"}, {"red", "green", "blue"}, {"x", "y", "z"}}},
      {"normal", false, space},
      {"depth", true, {{"z"}, {"v"}, {"y"}, {"x"}, {"r"}, {"t"}, {"a"}}},
      {"motion", false, plane},
      {"gradient", false, {{"x", "y"}}},
      {"id", true, {{"x"}, {"v"}, {"y"}, {"r"}, {"id"}}},
      {"moments", false, {{"x", "y"}}},
      {"histogram", false, {}},
  };
  return table;
}

const PlaneShape* shapeOf(std::string_view plane) {
  return findWhere(shapes(), [&](const PlaneShape& shape) { return shape.plane == plane; });
}

std::string_view tail(std::string_view group) {
  const size_t dot = group.rfind('.');
  return dot == std::string_view::npos ? group : group.substr(dot + 1);
}

bool namesOtherPlane(std::string_view group) {
  const std::string plain = plainName(group);
  return std::ranges::any_of(shapes(), [&](const PlaneShape& shape) {
    return shape.plane != "output" && std::ranges::any_of(shape.names(), [&](const ExrLayerName& name) {
             return isLayerNamed(plain, name.plain);
           });
  });
}

// A file's channels, and their siblings by name: files of some hundred bytes a channel may have tens of
// thousands, and all their siblings are looked up.
class ChannelIndex {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): some channels of a file are a file's channels, too.
  ChannelIndex(const std::vector<ExrChannel>& channels) : channels_(channels) {
    for (const ExrChannel& channel : channels) {
      byName_.emplace(keyOf(channel, plainName(channel.component)), &channel);
      byGroup_[plainName(channel.group)].push_back(&channel);
    }
  }
  auto begin() const { return channels_.begin(); }
  auto end() const { return channels_.end(); }
  const std::vector<ExrChannel>& all() const { return channels_; }

  // `component` in lower case. Null if there is none.
  const ExrChannel* sibling(const ExrChannel& of, const std::string& component) const {
    const auto found = byName_.find(keyOf(of, component));
    return found == byName_.end() ? nullptr : found->second;
  }

  // They have the order of the file.
  std::vector<const ExrChannel*> inLayersNamed(const std::string& name) const {
    std::vector<const ExrChannel*> found;
    for (const auto& [group, channels] : byGroup_)
      if (isLayerNamed(group, name))
        found.insert(found.end(), channels.begin(), channels.end());
    std::ranges::sort(found);
    return found;
  }

 private:
  using Key = std::tuple<int, bool, std::string_view, std::string_view, std::string>;
  static Key keyOf(const ExrChannel& channel, const std::string& component) {
    return {channel.part, channel.topLevel, channel.view, channel.group, component};
  }

  const std::vector<ExrChannel>& channels_;
  std::map<Key, const ExrChannel*> byName_;  // the first of each
  std::map<std::string, std::vector<const ExrChannel*>> byGroup_;
};

// The first complete set of components beside `member`; `name` is what their names begin with.
Found completeSet(const ChannelIndex& channels, const ExrChannel& member, const std::vector<Components>& sets,
                  const std::string& name = {}) {
  for (const Components& set : sets) {
    std::vector<ExrChannel> found;
    for (const std::string_view component : set)
      if (const ExrChannel* channel = channels.sibling(member, name + std::string(component)))
        found.push_back(*channel);
    if (found.size() == set.size())
      return found;
  }
  return std::nullopt;
}

// Channels such as Nsx, Nsy, Nsz.
Found findSplit(const ChannelIndex& channels, const PlaneShape& shape, const std::string& name) {
  for (const ExrChannel& channel : channels)
    if (channel.topLevel && plainName(channel.component).starts_with(name))
      if (Found found = completeSet(channels, channel, shape.components, name))
        return found;
  return std::nullopt;
}

Found findInGroups(const ChannelIndex& channels, const PlaneShape& shape) {
  for (const ExrLayerName& name : shape.names()) {
    for (const ExrChannel* channel : channels.inLayersNamed(name.plain))
      if (Found found = completeSet(channels, *channel, shape.components))
        return found;
    if (!shape.isSingle)
      if (Found found = findSplit(channels, shape, name.plain))
        return found;
  }
  return std::nullopt;
}

// "ViewLayer" for the layer "ViewLayer.Combined"; in a stereo file "left.ViewLayer"; "" if there is none.
std::string viewOf(const ExrChannel& channel) {
  const std::string layer = exrLayerOf(channel);
  const bool isView = layer == channel.view;
  const size_t dot = layer.rfind('.');
  return isView ? layer : dot == std::string::npos ? "" : layer.substr(0, dot);
}

// The one layer of colour that has no known name; nullopt where there are several.
Found findOnlyColour(const ChannelIndex& channels, const std::vector<Components>& sets) {
  const auto inOneGroup = [](const ExrChannel& a, const ExrChannel& b) {
    return a.part == b.part && a.view == b.view && a.group == b.group && a.topLevel == b.topLevel;
  };
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

// Channels outside of layers; in files of several parts, those of the part with a known name.
Found findNamedColour(const ChannelIndex& channels, const PlaneShape& shape) {
  Found found;
  for (const bool isOutside : {true, false}) {
    for (const ExrChannel& channel : channels)
      if (!found && channel.topLevel && channel.group.empty() == isOutside && !namesOtherPlane(channel.group))
        found = completeSet(channels, channel, shape.components);
    if (!found && isOutside)
      found = findInGroups(channels, shape);
  }
  for (const ExrChannel& channel : channels)
    if (!found && channel.topLevel && plainName(channel.component) == "y" &&
        !namesOtherPlane(channel.group) && !channels.sibling(channel, "x") &&
        !channels.sibling(channel, "ry"))
      found = {channel};
  return found;
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
Found findSingle(const ChannelIndex& channels, const PlaneShape& shape) {
  for (const ExrLayerName& name : shape.names())
    for (const ExrChannel& channel : channels)
      // A Z beside X and Y is a coordinate.
      if (channel.topLevel && plainName(channel.component) == name.plain &&
          (name.plain != "z" || !channels.sibling(channel, "x")))
        return {{channel}};
  return findInGroups(channels, shape);
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

// A layer, a part or a channel that the user names: in full, or by its last word; colour by its view layer,
// too.
Found findLayer(const ChannelIndex& channels, const PlaneShape& shape, const std::string& layer) {
  const bool isLetters = layer == "RGBA" || layer == "RGB";  // those outside of layers
  for (const bool whole : {true, false})
    for (const ExrChannel& channel : channels) {
      const bool isNamed = whole ? channel.group == layer || exrLayerOf(channel) == layer ||
                                       channel.group + "_" + channel.view == layer
                                 : tail(channel.group) == layer || (isLetters && channel.group.empty());
      if (!isNamed)
        continue;
      if (Found found = completeSet(channels, channel, shape.components))
        return found;
      if (shape.plane == "output")
        if (const ExrChannel* grey = channels.sibling(channel, "y"))
          return {{*grey}};
    }
  if (shape.plane == "output")
    if (Found found = findInGroups(viewsOf(channels.all())[layer], shape))
      return found;
  for (const ExrChannel& channel : channels)
    if (shape.components.front().size() == 1 && channel.name == layer)
      return {{channel}};
  return std::nullopt;
}

Found findByNames(const ChannelIndex& channels, const PlaneShape& shape, const std::string& layer) {
  return !layer.empty()   ? findLayer(channels, shape, layer)
         : shape.isSingle ? findSingle(channels, shape)
                          : findInGroups(channels, shape);
}

bool hasGuides(const std::vector<ExrChannel>& channels) {
  return std::ranges::any_of(channels, [](const ExrChannel& channel) {
    return namesOtherPlane(channel.group) || (channel.topLevel && plainName(channel.component) == "z");
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
  return findNamedColour(view, *shapeOf("output")).has_value();
}

// A plane beside the colour: from the colour's own view, else from none that is another picture, unless it is
// named.
Found findBeside(const ChannelIndex& channels, const PlaneShape& shape, const std::string& layer,
                 const Found& colour) {
  Views pictures = viewsOf(channels.all());
  std::erase_if(pictures, [](const auto& view) { return !isPicture(view.second); });
  if (!colour || pictures.size() < 2)
    return findByNames(channels, shape, layer);
  if (Found found = findByNames(pictures[viewBeside(pictures, viewOf(colour->front()))], shape, layer))
    return found;
  std::vector<ExrChannel> shared;
  std::ranges::copy_if(channels, std::back_inserter(shared),
                       [&](const ExrChannel& channel) { return !pictures.contains(viewOf(channel)); });
  Found found = findByNames(shared, shape, layer);
  return found || layer.empty() ? found : findLayer(channels, shape, layer);
}

// A layer's name without the word of the view: "ViewLayer.Combined.left" without "left"; so is Nuke's
// "albedo_left".
std::string withoutView(const std::string& layer, const std::string& view) {
  if (!view.empty() && layer.ends_with("_" + view))
    return layer.substr(0, layer.size() - view.size() - 1);
  const std::string inner = "." + layer + ".", word = "." + view + ".";
  const size_t at = view.empty() ? std::string::npos : inner.rfind(word);
  if (at == std::string::npos)
    return layer;
  const std::string left = inner.substr(0, at) + inner.substr(at + word.size() - 1);
  return left.size() < 2 ? "" : left.substr(1, left.size() - 2);
}

const std::vector<std::string> nukesViews = {"main"};

// The view that a layer names as one of its words.
std::string viewIn(const std::string& layer, const std::vector<std::string>& views) {
  for (const std::string& view : views)
    if (withoutView(layer, view) != layer)
      return view;
  return "";
}

}  // namespace

ExrChannel exrChannel(int part, const std::string& partName, bool severalParts, const std::string& name,
                      const std::vector<std::string>& views) {
  ExrChannel channel;
  channel.part = part;
  channel.name = name;
  const size_t dot = name.rfind('.');
  channel.component = dot == std::string::npos ? name : name.substr(dot + 1);
  const std::string layer = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string named = layer.empty() && severalParts ? partName : layer;
  // Nuke's view, unless a file has others.
  channel.view = views.size() == 1 ? views.front() : viewIn(named, views.empty() ? nukesViews : views);
  // OpenEXR's rule: names without a layer are those of the first view.
  if (channel.view.empty() && !views.empty() && named.empty())
    channel.view = views.front();
  channel.topLevel = withoutView(layer, channel.view).empty();
  channel.group = withoutView(channel.topLevel && severalParts ? partName : layer, channel.view);
  return channel;
}

std::string exrLayerOf(const ExrChannel& channel) {
  return channel.view.empty()    ? channel.group
         : channel.group.empty() ? channel.view
                                 : channel.view + "." + channel.group;
}

bool isColourPlane(std::string_view plane) {
  return plane == "output" || plane == "direct" || plane == "indirect";
}

const std::vector<std::string>& exrPlanes() {
  static const std::vector<std::string> planes = [] {
    std::vector<std::string> names;
    for (const PlaneShape& entry : shapes())
      names.emplace_back(entry.plane);
    return names;
  }();
  return planes;
}

Found findExrPlane(const std::vector<ExrChannel>& all, const std::string& plane, const ExrLayers& layers) {
  const PlaneShape* shape = shapeOf(plane);
  if (!shape)
    return std::nullopt;
  const ChannelIndex channels(all);
  if (plane == "histogram")
    return findHistogram(channels);
  const PlaneShape& colours = *shapeOf("output");
  const std::string main = layerOf(layers, "output");
  Found colour = main.empty() ? findNamedColour(channels, colours) : findLayer(channels, colours, main);
  if (main.empty() && !colour)
    colour = findOnlyColour(channels, colours.components);
  Found found =
      plane == "output" ? std::move(colour) : findBeside(channels, *shape, layerOf(layers, plane), colour);
  return isColourPlane(plane) ? withAlpha(channels, std::move(found)) : found;
}

std::vector<std::string> exrPictures(const std::vector<ExrChannel>& channels) {
  std::vector<std::string> layers;
  for (const auto& [view, own] : viewsOf(channels))
    if (const Found colour = findNamedColour(own, *shapeOf("output")))
      layers.push_back(exrLayerOf(colour->front()));
  return layers;
}

std::vector<std::string> exrColours(const std::vector<ExrChannel>& channels) {
  const ChannelIndex index(channels);
  std::vector<std::string> layers;
  for (const ExrChannel& channel : channels) {
    const std::string component = plainName(channel.component);
    const bool isFirst = component == "r" || component == "red";
    // https://github.com/Psyop/Cryptomatte/blob/master/specification/cryptomatte_specification.pdf
    if (isFirst && !namesOtherPlane(channel.group) && !plainName(tail(channel.group)).starts_with("crypto") &&
        completeSet(index, channel, shapeOf("output")->components))
      layers.push_back(exrLayerOf(channel));
  }
  return layers;
}

std::string exrNamesOf(const std::string& plane) {
  const PlaneShape* shape = shapeOf(plane);
  if (!shape || shape->components.empty())
    return "channels Bin_0000, Bin_0001, ...";
  std::string components = fmt::format("{}", fmt::join(shape->components.front(), " "));
  std::ranges::transform(components, components.begin(), ::toupper);
  std::vector<std::string> names;
  for (const ExrLayerName& name : shape->names())
    names.push_back(name.name);
  const std::string layers = fmt::format("a layer {} with {}", fmt::join(names, ", "), components);
  return plane == "output" ? "channels R G B or Y, or " + layers
         : shape->isSingle ? "a channel of one of these names, or " + layers
                           : layers;
}

std::string exrReasonOf(const std::string& plane, const std::vector<ExrChannel>& found) {
  const std::string group = plainName(found.front().group);
  const std::string component = plainName(found.front().component);
  if (isColourPlane(plane) && found.front().topLevel && found.front().group.empty())
    return "outside of layers";
  for (const ExrLayerName& name : shapeOf(plane)->names())
    if (isLayerNamed(group, name.plain) || (found.front().topLevel && component.starts_with(name.plain)))
      return fmt::format("'{}' of {}", name.name, fmt::join(name.renderers, ", "));
  return plane == "output" ? "the only layer of colour" : "";
}

MotionConvention exrMotionConvention(const std::vector<ExrChannel>& all,
                                     const std::vector<ExrChannel>& motion) {
  const ChannelIndex channels(all);
  const bool isBlenders = plainName(tail(motion.front().group)) == "vector" &&
                          channels.sibling(motion.front(), "z") && channels.sibling(motion.front(), "w");
  return isBlenders ? MotionConvention::blender : MotionConvention::pixels;
}

}  // namespace lacuna::io
