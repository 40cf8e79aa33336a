#include "tests/cnn_unet_weights/allocation.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace lacuna::test {
namespace {

size_t largest = 0;

}  // namespace

void forgetAllocations() {
  largest = 0;
}
size_t largestAllocation() {
  return largest;
}

}  // namespace lacuna::test

void* operator new(size_t size) {
  lacuna::test::largest = std::max(lacuna::test::largest, size);
  if (void* memory = std::malloc(size))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
