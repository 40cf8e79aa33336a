// A library with the functions of Open Image Denoise that tools/train/oidn_weights.py calls;
// test_oidn_weights.py compiles it. The variable FAKE_OIDN lists its built-in networks: lines `FILTER
// IMAGE... FLAG... QUALITY=HASH`, HASH that of the archive's bytes. `device=MESSAGE` or `run=MESSAGE` makes
// the device or every filter fail.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

namespace {

struct Device {
  int error = 0;
  std::string message;
};

struct Filter {
  Device* device;
  std::string type;
  std::map<std::string, float*> images;
  std::string flags;
  int quality = 0;
  const unsigned char* weights = nullptr;
  size_t weightBytes = 0, floats = 0;
  uint64_t hash = 0;
  bool committed = false;
};

Device theDevice;

// What follows `key=` in the variable, up to the line's end.
std::string told(const std::string& key) {
  const char* text = std::getenv("FAKE_OIDN");
  const std::string lines = "\n" + std::string(text ? text : "") + "\n";
  const size_t at = lines.find("\n" + key + "=");
  const size_t begin = at + key.size() + 2;
  return at == std::string::npos ? "" : lines.substr(begin, lines.find('\n', begin) - begin);
}

void fail(int code, const std::string& message) {
  theDevice = {code, message};
}

// FNV-1a.
uint64_t hashOf(const unsigned char* bytes, size_t count) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

}  // namespace

extern "C" {

Device* oidnNewDevice(int type) {
  if (type != 1 || !told("device").empty())
    return fail(5, told("device")), nullptr;
  return &theDevice;
}

void oidnCommitDevice(Device*) {}

int oidnGetDeviceInt(Device*, const char* name) {
  return std::string(name) == "versionMajor" ? 2 : 7;
}

int oidnGetDeviceError(Device*, const char** message) {
  static std::string last;
  last = theDevice.message;
  *message = last.c_str();
  const int error = theDevice.error;
  theDevice = {};
  return error;
}

Filter* oidnNewFilter(Device* device, const char* type) {
  if (std::string(type) == "RTLightmap" && !told("lightmaps").empty())
    return fail(2, "unknown filter type"), nullptr;
  return new Filter{device, type};
}

void oidnReleaseFilter(Filter* filter) {
  delete filter;
}

void oidnSetSharedFilterImage(Filter* filter, const char* name, void* pixels, int format, size_t width,
                              size_t height, size_t, size_t, size_t) {
  if (format != 3)
    fail(2, "unsupported format");
  filter->images[name] = static_cast<float*>(pixels);
  filter->floats = 3 * width * height;
}

void oidnSetSharedFilterData(Filter* filter, const char*, void* bytes, size_t count) {
  filter->weights = static_cast<const unsigned char*>(bytes);
  filter->weightBytes = count;
}

void oidnSetFilterBool(Filter* filter, const char* name, bool value) {
  if (value)
    filter->flags += " " + std::string(name);
}

void oidnSetFilterInt(Filter* filter, const char*, int value) {
  filter->quality = value;
}

void oidnCommitFilter(Filter* filter) {
  std::string mode = filter->type;
  for (const auto& [name, pixels] : filter->images)
    mode += name == "output" ? "" : " " + name;
  const std::string builtIn = told(mode + filter->flags + " " + std::to_string(filter->quality));
  if (!told("run").empty())
    fail(4, told("run"));
  else if (!filter->weights && builtIn.empty())
    fail(3, "unsupported combination of input features");
  else
    filter->committed = true;
  filter->hash = filter->weights ? hashOf(filter->weights, filter->weightBytes)
                                 : std::strtoull(builtIn.c_str(), nullptr, 10);
}

void oidnExecuteFilter(Filter* filter) {
  if (!filter->committed)
    return fail(3, "changes to the filter are not committed");
  for (size_t i = 0; i < filter->floats; i++) {
    float sum = static_cast<float>(filter->hash >> 40);
    for (const auto& [name, pixels] : filter->images)
      sum += name == "output" ? 0 : pixels[i];
    filter->images["output"][i] = sum;
  }
}

}  // extern "C"
