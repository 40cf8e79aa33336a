// volk is header-only on Debian: its functions live here.
#define VOLK_IMPLEMENTATION
#include <volk.h>
