#include "modules/codecs/icc_memory.h"

#include <lcms2_plugin.h>

#include <cstdlib>

namespace lacuna::io {
namespace {

// The largest table of a profile: 4 inputs by 33 points each, 4 outputs, two bytes each, are 9 MiB.
constexpr cmsUInt32Number mostBytes = 32U << 20U;

void* allocate(cmsContext, cmsUInt32Number bytes) {
  return bytes > mostBytes ? nullptr : std::malloc(bytes);
}

void release(cmsContext, void* memory) {
  std::free(memory);
}

void* reallocate(cmsContext, void* memory, cmsUInt32Number bytes) {
  return bytes > mostBytes ? nullptr : std::realloc(memory, bytes);
}

}  // namespace

cmsContext createBoundedContext(void* user) {
  constexpr cmsUInt32Number since = 2060;  // version 2.6
  cmsPluginMemHandler memory{{cmsPluginMagicNumber, since, cmsPluginMemHandlerSig, nullptr},
                             allocate,
                             release,
                             reallocate,
                             nullptr,
                             nullptr,
                             nullptr};
  return cmsCreateContext(&memory, user);
}

}  // namespace lacuna::io
