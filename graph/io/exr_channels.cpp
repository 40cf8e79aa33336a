#include "graph/io/exr_channels.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

namespace lacuna::io {
namespace {

using Found = std::optional<std::vector<ExrChannel>>;
using Components = std::vector<std::string_view>;

struct Aliases {
  std::string_view plane;
  std::vector<std::string_view> groups;  // the better one first
  std::vector<Components> components;
};

// Blender Cycles, Mitsuba, pbrt, Arnold, Redshift, and this project's own files.
const std::vector<Aliases>& aliases() {
  static const std::vector<Aliases> table = {
      {"output",
       {"Combined", "beauty", "Beauty", "rgba", "RGBA", "color", "colour"},
       {{"R", "G", "B"}, {"r", "g", "b"}, {"Y"}}},
      {"albedo",
       {"albedo", "Albedo", "Denoising Albedo", "DiffCol", "diffcol"},
       {{"R", "G", "B"}, {"r", "g", "b"}, {"X", "Y", "Z"}}},
      {"normal",
       {"normal", "Normal", "N", "Denoising Normal"},
       {{"X", "Y", "Z"}, {"x", "y", "z"}, {"R", "G", "B"}, {"r", "g", "b"}}},
      {"motion",
       {"motion", "Motion", "vector", "Vector"},
       {{"X", "Y"}, {"x", "y"}, {"U", "V"}, {"u", "v"}, {"R", "G"}, {"r", "g"}}},
      {"depth", {"depth", "Depth"}, {{"Z"}, {"z"}, {"V"}, {"Y"}, {"R"}}},
      {"direct", {"direct", "Direct"}, {{"R", "G", "B"}, {"r", "g", "b"}}},
      {"indirect", {"indirect", "Indirect"}, {{"R", "G", "B"}, {"r", "g", "b"}}},
      {"gradient", {"gradient", "Gradient"}, {{"X", "Y"}, {"x", "y"}}},
      {"moments", {"moments", "Moments"}, {{"X", "Y"}, {"x", "y"}}},
      {"id",
       {"id", "ID", "objectId", "ObjectId", "ObjectID", "object_id", "IndexOB"},
       {{"X"}, {"x"}, {"V"}, {"Y"}, {"R"}, {"id"}}},
  };
  return table;
}

const Aliases* aliasesOf(std::string_view plane) {
  for (const Aliases& entry : aliases())
    if (entry.plane == plane)
      return &entry;
  return nullptr;
}

std::string_view tail(std::string_view group) {
  const size_t dot = group.rfind('.');
  return dot == std::string_view::npos ? group : group.substr(dot + 1);
}

bool namesOtherPlane(std::string_view group) {
  for (const Aliases& entry : aliases())
    if (entry.plane != "output" &&
        std::find(entry.groups.begin(), entry.groups.end(), tail(group)) != entry.groups.end())
      return true;
  return false;
}

const ExrChannel* sibling(const std::vector<ExrChannel>& channels, const ExrChannel& of,
                          std::string_view component) {
  for (const ExrChannel& channel : channels)
    if (channel.part == of.part && channel.group == of.group && channel.topLevel == of.topLevel &&
        channel.component == component)
      return &channel;
  return nullptr;
}

// The first complete set of components beside `member`.
Found completeSet(const std::vector<ExrChannel>& channels, const ExrChannel& member,
                  const std::vector<Components>& sets) {
  for (const Components& set : sets) {
    std::vector<ExrChannel> found;
    for (const std::string_view component : set)
      if (const ExrChannel* channel = sibling(channels, member, component))
        found.push_back(*channel);
    if (found.size() == set.size())
      return found;
  }
  return std::nullopt;
}

Found findInGroups(const std::vector<ExrChannel>& channels, const Aliases& names) {
  for (const std::string_view group : names.groups)
    for (const ExrChannel& channel : channels)
      if (tail(channel.group) == group)
        if (Found found = completeSet(channels, channel, names.components))
          return found;
  return std::nullopt;
}

Found findColour(const std::vector<ExrChannel>& channels, const Aliases& names) {
  Found found;
  for (const ExrChannel& channel : channels)
    if (!found && channel.topLevel && !namesOtherPlane(channel.group))
      found = completeSet(channels, channel, {{"R", "G", "B"}});
  if (!found)
    found = findInGroups(channels, names);
  for (const ExrChannel& channel : channels)
    if (!found && channel.topLevel && channel.component == "Y" && !namesOtherPlane(channel.group) &&
        !sibling(channels, channel, "X") && !sibling(channels, channel, "RY"))
      found = {channel};
  return found;
}

Found withAlpha(const std::vector<ExrChannel>& channels, Found colour) {
  if (colour)
    for (const char* alpha : {"A", "a"})
      if (const ExrChannel* channel = sibling(channels, colour->front(), alpha)) {
        colour->push_back(*channel);
        break;
      }
  return colour;
}

// A channel of the plane's name alone, else in a layer.
Found findId(const std::vector<ExrChannel>& channels, const Aliases& names) {
  for (const std::string_view name : names.groups)
    for (const ExrChannel& channel : channels)
      if (channel.topLevel && channel.component == name)
        return {{channel}};
  return findInGroups(channels, names);
}

Found findDepth(const std::vector<ExrChannel>& channels, const Aliases& names) {
  // A Z beside X and Y is a coordinate.
  for (const char* name : {"Z", "depth", "Depth"})
    for (const ExrChannel& channel : channels)
      if (channel.topLevel && channel.component == name && !sibling(channels, channel, "X"))
        return {{channel}};
  return findInGroups(channels, names);
}

// Bin_0000, Bin_0001, ...: as many as follow each other.
Found findHistogram(const std::vector<ExrChannel>& channels) {
  std::vector<ExrChannel> bins;
  for (const ExrChannel& first : channels) {
    if (first.component != "Bin_0000")
      continue;
    for (const ExrChannel* bin = &first; bin;) {
      bins.push_back(*bin);
      const std::string number = std::to_string(bins.size());
      bin = sibling(channels, first,
                    "Bin_" + std::string(4 - std::min<size_t>(4, number.size()), '0') + number);
    }
    return bins;
  }
  return std::nullopt;
}

}  // namespace

ExrChannel exrChannel(int part, const std::string& partName, bool severalParts, const std::string& name) {
  ExrChannel channel;
  channel.part = part;
  channel.name = name;
  const size_t dot = name.rfind('.');
  channel.topLevel = dot == std::string::npos;
  channel.component = channel.topLevel ? name : name.substr(dot + 1);
  channel.group = channel.topLevel ? (severalParts ? partName : "") : name.substr(0, dot);
  return channel;
}

Found findExrPlane(const std::vector<ExrChannel>& channels, const std::string& plane) {
  if (plane == "histogram")
    return findHistogram(channels);
  const Aliases* names = aliasesOf(plane);
  if (!names)
    return std::nullopt;
  if (plane == "output")
    return withAlpha(channels, findColour(channels, *names));
  if (plane == "direct" || plane == "indirect")
    return withAlpha(channels, findInGroups(channels, *names));
  if (plane == "id")
    return findId(channels, *names);
  if (plane == "depth")
    return findDepth(channels, *names);
  return findInGroups(channels, *names);
}

}  // namespace lacuna::io
