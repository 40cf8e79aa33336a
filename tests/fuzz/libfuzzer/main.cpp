// The entry points of LLVM's libFuzzer (https://llvm.org/docs/LibFuzzer.html), which brings its own main().
// LACUNA_FUZZ_TARGET names the target.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.h"

namespace {

const lacuna::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("LACUNA_FUZZ_TARGET");
  chosen = lacuna::fuzz::targetNamed(name == nullptr ? "" : name);
  if (chosen == nullptr) {
    std::fprintf(stderr, "LACUNA_FUZZ_TARGET is '%s', but must be one of %s\n", name == nullptr ? "" : name,
                 lacuna::fuzz::targetNames().c_str());
    std::exit(2);
  }
  // The most memory that a small file may ask for; more is refused before anything is allocated.
  setenv("LACUNA_READ_MEMORY", "64", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    chosen->run({reinterpret_cast<const char*>(data), size});
  } catch (const lacuna::fuzz::Broken& broken) {
    std::fprintf(stderr, "broken promise: %s\n", broken.promise.c_str());
    std::abort();
  }
  return 0;
}
