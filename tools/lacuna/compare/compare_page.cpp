#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/config/text.h"
#include "modules/codecs/image_info.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/page/picture_page.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// Throws FileError.
std::optional<PixelArea> areaOf(const std::optional<std::string>& crop) {
  if (!crop)
    return std::nullopt;
  std::vector<uint32_t> numbers;
  for (const std::string_view word : splitCommas(*crop))
    if (const auto number = parseInteger(word); number && *number >= 0 && *number <= maximumSide)
      numbers.push_back(static_cast<uint32_t>(*number));
  if (numbers.size() != 4 || splitCommas(*crop).size() != 4)
    throw FileError(
        fmt::format("--crop {}: expected 4 numbers with commas between them: {}", *crop, cropWords));
  return PixelArea{numbers[0], numbers[1], numbers[0] + numbers[2], numbers[1] + numbers[3]};
}

void checkArea(const std::string& crop, const PixelArea& area, const std::string& file) {
  const Extent extent = imageInfo(file).extent;
  if (area.left == area.right || area.top == area.bottom || area.right > extent.width ||
      area.bottom > extent.height) {
    throw FileError(fmt::format("--crop {}: {} has {} x {} pixels; expected a part of it: {}", crop, file,
                                extent.width, extent.height, cropWords));
  }
}

// Without its folders, if no other name is that.
std::string shortName(const std::vector<std::string>& names, size_t which) {
  const auto base = [](const std::string& name) { return std::filesystem::path(name).filename().string(); };
  const auto isSame = [&](const std::string& other) { return base(other) == base(names[which]); };
  return std::count_if(names.begin(), names.end(), isSame) == 1 ? base(names[which]) : names[which];
}

}  // namespace

int comparePage(const CompareArguments& arguments, bool areSequences, CompareOne& compareOne, Json& out) {
  const bool hasBaseline = !arguments.baseline.empty();
  std::vector<std::string> names = arguments.images;
  if (hasBaseline)
    names.push_back(arguments.baseline);
  checkNamedOutput(pageOutput, *arguments.page, areSequences ? std::vector<std::string>() : names);
  PicturePage page;
  page.reference = shortName(names, arguments.images.size() - 1);
  const std::optional<PixelArea> crop = areaOf(arguments.crop);
  if (crop && !areSequences)
    checkArea(*arguments.crop, *crop, arguments.image());
  int status = exitOk;
  Json results = Json::array();
  for (size_t i = 0; i + 1 < arguments.images.size(); ++i) {
    CompareArguments one = arguments;
    one.images = {arguments.images[i], arguments.reference()};
    if (!arguments.json && arguments.images.size() > 2)
      fmt::print("{}{}\n", i > 0 ? "\n" : "", arguments.images[i]);
    Json result;
    const int ended = compareOne(one, result);
    if (result.empty())
      return ended;
    status = std::max(status, ended);
    result["name"] = shortName(names, i);
    results.push_back(result);
  }
  std::vector<std::vector<std::string>> files;
  if (areSequences) {
    for (const Json& row : results[0]["frames"])
      page.frames.push_back(row["frame"]);
    files = filesOfSequences(arguments, page.frames);
    for (const std::vector<std::string>& of : files)
      for (const std::string& file : of)
        checkNamedOutput(pageOutput, *arguments.page, {file});
  } else {
    for (const std::string& name : names)
      files.push_back({name});
  }
  for (size_t i = 0; i < names.size(); ++i)
    page.pictures.push_back({shortName(names, i), files[i], arguments.layer, crop});
  // What a filter was given comes first.
  if (hasBaseline)
    std::rotate(page.pictures.begin(), page.pictures.end() - 1, page.pictures.end());
  if (crop && areSequences)
    checkArea(*arguments.crop, *crop, files[0][0]);
  warnOfLargePage(*arguments.page, writePicturePage(*arguments.page, page, results), areSequences);
  out["results"] = std::move(results);
  out["page"] = *arguments.page;
  return status;
}

}  // namespace lacuna
