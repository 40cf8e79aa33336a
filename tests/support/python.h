#pragma once
// Python's packages for comparison: tools/test-packages lists them. Tests that compare with it skip where it
// is missing.

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace lacuna::test {

// Does Debian's Python run it to its end, without an exception? `code` has no single quotes.
inline bool pythonRuns(const std::string& code) {
  return std::system(fmt::format("/usr/bin/python3 -c '{}' >/dev/null 2>&1", code).c_str()) == 0;
}

// A photograph of python3-skimage, free of rights: astronaut.png (512x512, NASA), coffee.png (600x400),
// hubble_deep_field.jpg (1000x872, NASA/ESA).
inline std::string photograph(const std::string& name) {
  return "/usr/lib/python3/dist-packages/skimage/data/" + name;
}

}  // namespace lacuna::test
