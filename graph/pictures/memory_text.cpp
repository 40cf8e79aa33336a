#include <fmt/format.h>

#include "graph/pictures/methods.h"

namespace lacuna {

std::string denoiseText(Method method, const Planes& given, double strength, Encoding encoding) {
  Planes planes = method == Method::unet ? takenByUnet(given) : given;
  planes.inMemory = true;
  planes.deep = encoding != Encoding::srgb8;
  const MethodLines lines = methodLines(method, planes, strength);
  std::string text = "lacuna:1\nmodule:i-memory:input\n";
  for (const char* name : {"albedo", "normal", "depth", "motion"}) {
    if (lines.text.find(fmt::format("i-memory:{}:", name)) != std::string::npos) {
      text += fmt::format("module:i-memory:{}\n", name);
    }
  }
  text += "module:o-memory:out\n" + lines.text + fmt::format("connect:{}:o-memory:out:input\n", lines.output);
  if (encoding != Encoding::linear) {
    const bool isDeep = encoding == Encoding::srgb16;
    text += fmt::format(
        "param:i-memory:input:encoding:srgb\nparam:i-memory:input:precision:{}\n"
        "param:o-memory:out:encoding:srgb\nparam:o-memory:out:bits:{}\n",
        isDeep ? "f32" : "f16", isDeep ? 16 : 8);
  }
  return text;
}

}  // namespace lacuna
