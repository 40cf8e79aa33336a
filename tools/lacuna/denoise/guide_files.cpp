#include "tools/lacuna/denoise/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>

#include "modules/codecs/exr_channels.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view separators = "._-";

// The words of a name without its extension: "sh_albedo.0001.exr" -> sh, albedo, 0001. A number's minus sign
// belongs to it.
std::vector<std::string> wordsOf(const std::string& file) {
  const std::string name = fs::path(file).stem().string();
  std::vector<std::string> words(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const bool isSign = name[i] == '-' && words.back().empty() && std::isdigit(name[i + 1]) != 0;
    if (!isSign && separators.find(name[i]) != std::string_view::npos)
      words.emplace_back();
    else
      words.back() += name[i];
  }
  std::erase(words, "");
  return words;
}

// The other words, if some that follow each other are a renderer's name for the plane.
std::optional<std::vector<std::string>> withoutPlane(const std::vector<std::string>& words,
                                                     const std::string& plane) {
  const std::vector<io::ExrLayerName>& names = io::exrLayerNames(plane);
  for (size_t count = std::min<size_t>(words.size(), 3); count > 0; --count)
    for (size_t first = 0; first + count <= words.size(); ++first) {
      const auto begin = words.begin() + static_cast<long>(first), end = begin + static_cast<long>(count);
      std::string plain = io::plainName(fmt::format("{}", fmt::join(begin, end, "")));
      if (plain == "normals" || plain == "albedos")
        plain.pop_back();
      if (std::ranges::find(names, plain, &io::ExrLayerName::plain) == names.end())
        continue;
      std::vector<std::string> others(words.begin(), begin);
      others.insert(others.end(), end, words.end());
      return others;
    }
  return std::nullopt;
}

bool holdsFloats(const ImageInfo& info) {
  return info.codec == "exr" || info.codec == "pfm" || info.codec == "npy";
}

// A file with one plane: more channels are a render with planes of its own.
bool isPlaneAlone(const DenoiseInput& input) {
  constexpr size_t most = 4;
  return !input.isSequence() && holdsFloats(input.info) && input.info.channels.size() <= most;
}

// How the file holds the plane: as all that there is, by a known name, or outside of layers. nullopt if it
// doesn't. Throws FileError.
std::optional<GuideFile> guideIn(const std::string& file, const std::string& first, const std::string& codec,
                                 const std::string& plane) {
  if (codec != "exr") {
    GuideFile alone{file, "", {plane, {}}, codec};
    probeImage(alone.codec, first, {alone.output()}, alone.options());
    return alone;
  }
  for (const char* layer : {"", "RGBA"}) {
    std::map<std::string, std::string> layers;
    if (*layer != '\0')
      layers[plane] = layer;
    for (const ImageInfo::Plane& found : imageInfo(first, {.layers = layers}).planes)
      if (found.name == plane)
        return GuideFile{file, layer, found};
  }
  return std::nullopt;
}

void add(DenoiseInput& input, const std::string& plane, GuideFile guide) {
  std::erase_if(input.info.planes, [&](const ImageInfo::Plane& each) { return each.name == plane; });
  input.info.planes.push_back(guide.plane);
  input.guides[plane] = std::move(guide);
}

struct NamedGuide {
  size_t input = 0;
  std::string plane;
  std::vector<std::string> others;  // words beside the plane's
};

bool belongsTo(const NamedGuide& guide, const DenoiseInput& file, const DenoiseInput& picture) {
  const std::vector<std::string> words = wordsOf(picture.file);
  return fs::path(file.file).parent_path() == fs::path(picture.file).parent_path() &&
         file.info.extent == picture.info.extent && holdsFloats(picture.info) &&
         (picture.info.codec != "exr" || picture.info.has("output")) &&
         (words == guide.others || withoutPlane(words, "output") == guide.others);
}

}  // namespace

const std::vector<std::string>& guidePlanes() {
  static const std::vector<std::string> planes = {"albedo", "normal", "depth", "motion"};
  return planes;
}

Channels guideChannels(const std::string& plane) {
  return plane == "normal"   ? Channels::normal
         : plane == "depth"  ? Channels::depth
         : plane == "motion" ? Channels::mv
                             : Channels::rgb;
}

ReadOptions GuideFile::options() const {
  ReadOptions options;
  if (codec != "exr")
    options.channels = guideChannels(plane.name);
  else if (!layer.empty())
    options.layers[plane.name] = layer;
  return options;
}

void takeGuideFiles(std::vector<DenoiseInput>& inputs, InputMessages& messages) {
  std::vector<NamedGuide> guides;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const std::string& plane : guidePlanes())
      if (auto others =
              isPlaneAlone(inputs[i]) ? withoutPlane(wordsOf(inputs[i].file), plane) : std::nullopt) {
        guides.push_back({i, plane, *std::move(others)});
        break;
      }
  std::vector<bool> isGuide(inputs.size());
  for (const NamedGuide& guide : guides)
    isGuide[guide.input] = true;
  std::vector<bool> isTaken(inputs.size());
  for (const NamedGuide& guide : guides)
    for (size_t i = 0; i < inputs.size(); ++i)
      if (!isGuide[i] && belongsTo(guide, inputs[guide.input], inputs[i])) {
        isTaken[guide.input] = true;
        const std::string& file = inputs[guide.input].file;
        std::optional<GuideFile> found;
        try {
          if (!inputs[i].info.has(guide.plane))
            found = guideIn(file, file, inputs[guide.input].info.codec, guide.plane);
        } catch (const FileError&) {  // other components than the plane's
        }
        if (found)
          add(inputs[i], guide.plane, *std::move(found));
        else
          messages.problems.warn(
              {},
              fmt::format("{}: not used for {}, which has its {} from elsewhere, or it has other channels",
                          file, inputs[i].file, guide.plane));
      }
  size_t next = 0;
  std::erase_if(inputs, [&](const DenoiseInput&) { return isTaken[next++]; });
}

void addGuideFiles(std::vector<DenoiseInput>& inputs, const std::map<std::string, std::string>& files,
                   Diagnostics& problems) {
  for (const auto& [plane, file] : files) {
    const auto wrong = [&, &plane = plane, &file = file](const std::string& what) {
      problems.error({}, fmt::format("--{} {}{}", plane, file, what));
    };
    if (inputs.size() != 1) {
      wrong(
          ": the plane of one picture or sequence, but there are several; name frames by one pattern, such "
          "as "
          "beauty.####.exr");
      continue;
    }
    DenoiseInput& input = inputs.front();
    std::error_code ignored;
    const bool isOne = fs::exists(file, ignored) || !isPattern(file) || !namesFrames(file);
    if (!isOne && !input.isSequence()) {
      wrong(fmt::format(" stands for numbered files, but {} is one picture; expected one file", input.file));
      continue;
    }
    const std::string first = isOne ? file : framePath(file, input.numbers.front());
    try {
      const ImageInfo info = imageInfo(first);
      std::optional<GuideFile> guide;
      if (holdsFloats(info))
        guide = guideIn(isOne ? patternOf(file) : file, first, info.codec, plane);
      if (!holdsFloats(info))
        wrong(fmt::format(" is {}; expected an OpenEXR, PFM or NumPy file", info.format));
      else if (!guide)
        wrong(fmt::format(": {} has no {}; `lacuna info` lists its channels", first, plane));
      else if (info.extent != input.info.extent)
        wrong(fmt::format(" is {} x {}, but {} is {} x {}", info.extent.width, info.extent.height, input.file,
                          input.info.extent.width, input.info.extent.height));
      else
        add(input, plane, *std::move(guide));
    } catch (const FileError& error) {
      problems.error({}, fmt::format("--{}: {}", plane, error.what()));
    }
  }
}

std::string guidesText(const DenoiseInput& input) {
  std::vector<std::string> names;
  for (const auto& [plane, guide] : input.guides)
    names.push_back(fmt::format("{} from {}", plane, guide.file));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace lacuna
