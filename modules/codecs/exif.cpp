#include <fmt/format.h>
#include <libexif/exif-data.h>
#include <libexif/exif-log.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <vector>

#include "modules/codecs/exif.h"
#include "modules/codecs/orientation.h"

namespace lacuna::io {
namespace {

struct ReleaseData {
  void operator()(ExifData* data) const { exif_data_unref(data); }
};
struct ReleaseLog {
  void operator()(ExifLog* log) const { exif_log_unref(log); }
};

// The first thing that libexif calls damaged. Its messages are in C's variable arguments.
void onLog(ExifLog*, ExifLogCode code, const char*, const char* format, va_list arguments, void* found) {
  auto& text = *static_cast<std::string*>(found);
  if (!text.empty() || (code != EXIF_LOG_CODE_CORRUPT_DATA && code != EXIF_LOG_CODE_NO_MEMORY))
    return;
  char line[200];
  std::vsnprintf(line, sizeof(line), format, arguments);
  text = line;
}

using ExifHandle = std::unique_ptr<ExifData, ReleaseData>;

// `damage`: what libexif says of it, mostly nothing.
ExifHandle load(std::span<const std::byte> exif, std::string& damage) {
  const std::unique_ptr<ExifLog, ReleaseLog> log(exif_log_new());
  ExifHandle data(exif_data_new());
  if (!log || !data)
    throw std::bad_alloc();
  exif_log_set_func(log.get(), onLog, &damage);
  exif_data_log(data.get(), log.get());
  // Only what is there: libexif would otherwise add the tags that the standard demands.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  std::vector<unsigned char> bytes = {'E', 'x', 'i', 'f', 0, 0};
  std::transform(exif.begin(), exif.end(), std::back_inserter(bytes), std::to_integer<unsigned char>);
  exif_data_load_data(data.get(), bytes.data(), static_cast<unsigned>(bytes.size()));
  exif_data_log(data.get(), nullptr);
  return data;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> exifEntries(std::span<const std::byte> exif) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (exif.empty())
    return entries;
  std::string damage;
  const ExifHandle data = load(exif, damage);
  for (int folder = 0; folder < EXIF_IFD_COUNT; ++folder) {
    const ExifContent* content = data->ifd[folder];
    for (unsigned i = 0; i < content->count; ++i) {
      ExifEntry* entry = content->entries[i];
      const char* name = exif_tag_get_name_in_ifd(entry->tag, static_cast<ExifIfd>(folder));
      char value[256];
      if (name != nullptr && entry->tag != EXIF_TAG_MAKER_NOTE)
        entries.emplace_back(name, exif_entry_get_value(entry, value, sizeof(value)));
    }
  }
  return entries;
}

Orientation exifOrientation(std::span<const std::byte> exif,
                            const std::function<void(const std::string&)>& complain) {
  if (exif.empty())
    return 1;
  std::string damage;
  const ExifHandle data = load(exif, damage);
  const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  if (entry == nullptr) {
    if (damage.empty() && data->ifd[EXIF_IFD_0]->count == 0)
      damage = "it has no entries";
    if (!damage.empty())
      complain(fmt::format("its Exif data is damaged ({}); taken as upright", damage));
    return 1;
  }
  if (entry->format != EXIF_FORMAT_SHORT || entry->components != 1) {
    complain("its Exif orientation is no single short number; taken as upright");
    return 1;
  }
  const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
  if (orientation < 1 || orientation > 8) {
    complain(fmt::format("its Exif orientation is {}, expected 1 to 8; taken as upright", orientation));
    return 1;
  }
  return orientation;
}

}  // namespace lacuna::io
