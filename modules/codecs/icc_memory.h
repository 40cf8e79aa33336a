#pragma once
// Memory for lcms2, which allocates what a profile promises before it looks whether so much is there: up to
// 512 MiB for a profile of 200 bytes.

#include <lcms2.h>

namespace lacuna::io {

// A context whose allocations are bounded; `user` as cmsGetContextUserData() gives it. Null: no memory.
cmsContext createBoundedContext(void* user);

}  // namespace lacuna::io
