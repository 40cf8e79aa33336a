#include "tests/cnn_unet_weights/allocation.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace lacuna::test {
namespace {

size_t largest = 0;
ptrdiff_t live = 0, mostLive = 0;  // earlier allocations may be freed, too

void add(void* memory) {
  live += static_cast<ptrdiff_t>(malloc_usable_size(memory));
  mostLive = std::max(mostLive, live);
}
void drop(void* memory) {
  live -= memory == nullptr ? 0 : static_cast<ptrdiff_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void forgetAllocations() {
  largest = 0;
  live = mostLive = 0;
}
size_t largestAllocation() {
  return largest;
}
size_t mostAllocated() {
  return static_cast<size_t>(mostLive);
}

}  // namespace lacuna::test

void* operator new(size_t size) {
  lacuna::test::largest = std::max(lacuna::test::largest, size);
  if (void* memory = std::malloc(size)) {
    lacuna::test::add(memory);
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  lacuna::test::drop(memory);
}
void operator delete(void* memory, size_t) noexcept {
  lacuna::test::drop(memory);
}
