#include "modules/codecs/exr_write.h"

#include <ImfFloatAttribute.h>
#include <ImfIntAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfVecAttribute.h>

#include <limits>
#include <map>

#include "modules/codecs/exif.h"

namespace lacuna::io {
namespace {

// As OpenImageIO 2.4 writes them; the others have their folder's name before their own.
const std::map<std::string, std::string> exrNames = {{"ImageDescription", "comments"},
                                                     {"Make", "Make"},
                                                     {"Model", "Model"},
                                                     {"Orientation", "Orientation"},
                                                     {"Software", "Software"},
                                                     {"DateTime", "capDate"},
                                                     {"Artist", "Artist"},
                                                     {"Copyright", "owner"},
                                                     {"ExposureTime", "expTime"},
                                                     {"FNumber", "aperture"},
                                                     {"ISOSpeedRatings", "Exif:PhotographicSensitivity"},
                                                     {"FlashpixVersion", "Exif:FlashPixVersion"}};

// "" for what is about the old file's pixels.
std::string attributeName(const ExifValue& value, ExifFolder folder) {
  if (const auto known = exrNames.find(value.name); known != exrNames.end())
    return known->second;
  if (folder == ExifFolder::main || value.name.empty() || value.name.starts_with("Pixel"))
    return {};
  return folder == ExifFolder::gps
             ? "GPS:" + (value.name.starts_with("GPS") ? value.name.substr(3) : value.name)
             : "Exif:" + value.name;
}

float floatOf(double number) {
  return static_cast<float>(number);
}

void addValue(Imf::Header& header, const std::string& name, const ExifValue& value) {
  const std::vector<double>& numbers = value.numbers;
  const bool isVersion = value.name.ends_with("Version") && numbers.size() == 4;
  if (isVersion && value.isUndefined) {
    std::string text;
    for (const double number : numbers)
      text += static_cast<char>(number);
    header.insert(name, Imf::StringAttribute(text));
  } else if (!value.text.empty()) {
    header.insert(name, Imf::StringAttribute(value.text));
  } else if (value.isUndefined) {
    return;
  } else if (numbers.size() == 3 && value.isFraction) {
    header.insert(name, Imf::V3fAttribute({floatOf(numbers[0]), floatOf(numbers[1]), floatOf(numbers[2])}));
  } else if (numbers.size() == 1 && value.isFraction) {
    header.insert(name, Imf::FloatAttribute(floatOf(numbers[0])));
  } else if (numbers.size() == 1 && numbers[0] <= std::numeric_limits<int>::max()) {
    header.insert(name, Imf::IntAttribute(static_cast<int>(numbers[0])));
  }
}

}  // namespace

void addExif(Imf::Header& header, std::span<const std::byte> exif) {
  for (const ExifFolder folder : {ExifFolder::main, ExifFolder::camera, ExifFolder::gps})
    for (const ExifValue& value : exifValues(exif, folder))
      if (const std::string name = attributeName(value, folder);
          !name.empty() && header.find(name) == header.end())
        addValue(header, name, value);
}

}  // namespace lacuna::io
