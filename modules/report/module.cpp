// A sink without a file: a warning in each frame that has counted pixels, and a line for its noise.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "shared/native.h"

namespace {

using namespace lacuna::native;

// eaw takes 0 for unknown noise, and noise of the power 0 for noise that isn't stabilised.
constexpr float least = 1e-6F;

void addNoise(const lacuna_plane& plane, std::vector<float>& numbers) {
  std::vector<float> found(plane.bytes / sizeof(float));
  std::memcpy(found.data(), plane.data, plane.bytes);
  const size_t bounded = numbers.empty() ? 3 : 0;  // noise, noise_power and noise_offset
  for (size_t i = 0; i < bounded; ++i)
    found[i] = std::max(found[i], least);
  numbers.insert(numbers.end(), found.begin(), found.end());
}

void write(const Call& call, const Planes& planes, const std::string&) {
  std::vector<float> noise;
  for (const char* name : {"noise", "levels_noise"})
    if (const lacuna_plane* plane = planes.find(name))
      addNoise(*plane, noise);
  if (!noise.empty())
    call.note(fmt::format("{} {}", call.word("text"), fmt::join(noise, ",")));
  const lacuna_plane* counted = planes.find("input");
  uint32_t pixels = 0;
  if (counted != nullptr)
    std::memcpy(&pixels, counted->data, sizeof pixels);
  if (pixels > 0)
    call.warn(fmt::format("{} pixel{} {}", pixels, pixels == 1 ? "" : "s", call.word("text")));
}

}  // namespace

LACUNA_MODULE(Table("report").write<write>())
