// A source without files: an image and arrays of floats and of numbers, other ones in each frame.

#include <chrono>
#include <thread>

#include "shared/native.h"

namespace {

using namespace lacuna::native;

void probe(const Call& call, const Planes& planes) {
  for (uint32_t i = 0; i < planes.size(); ++i) {
    const std::string name = planes[i].name;
    const auto width = static_cast<uint32_t>(call.integer("width"));
    if (name == "output")
      setType(planes[i], imageType(lacuna_y, lacuna_f32, lacuna_data, width, 3));
    else
      setType(planes[i],
              arrayType(name == "pairs" ? lacuna_any2 : lacuna_y, name == "ids" ? lacuna_u32 : lacuna_f32,
                        static_cast<uint32_t>(call.integer(name))));
  }
}

// Frames take different times, so that later ones overtake earlier ones.
void read(const Call& call, const Planes& planes) {
  const auto frame = static_cast<uint32_t>(call.frame());
  std::this_thread::sleep_for(std::chrono::milliseconds(7 * (frame % 3)));
  for (uint32_t i = 0; i < planes.size(); ++i) {
    const std::string name = planes[i].name;
    auto* floats = static_cast<float*>(planes[i].data);
    auto* numbers = static_cast<uint32_t*>(planes[i].data);
    for (uint32_t e = 0; e < planes[i].bytes / 4; ++e)
      if (name == "ids")
        numbers[e] = 2654435761U * (frame + 1) + e;
      else if (name == "weights")
        floats[e] =
            static_cast<float>(call.number("step")) * static_cast<float>(e) + static_cast<float>(frame);
      else
        floats[e] = 1000 * static_cast<float>(frame) + static_cast<float>(e);
  }
}

}  // namespace

LACUNA_MODULE(Table("arrays").probe<probe>().read<read>())
