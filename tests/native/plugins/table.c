/* A module in plain C whose table is wrong in the way that a definition says; RIGHT: a source of zeros. */
#include <stdlib.h>
#include <string.h>

#include "graph/module/abi.h"

#ifdef RIGHT
__attribute__((constructor)) static void onLoad(void) { setenv("LACUNA_TEST_LOADED", "yes", 1); }
#endif

static int describe(const lacuna_call* call, lacuna_about* about) {
#if defined(DESCRIBE_FAILS)
  (void)about;
  call->report(call->host, lacuna_error, NULL, "needs a machine with wings");
  return 1;
#elif defined(DESCRIBE_SILENT)
  (void)call;
  (void)about;
  return 7;
#else
  call->report(call->host, lacuna_warning, NULL, "is only a test");
  about->version = "1.25";
  return 0;
#endif
}

static int probe(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count) {
  (void)call;
  for (uint32_t i = 0; i < count; ++i) {
    planes[i]->type->channels = lacuna_y;
    planes[i]->type->format = lacuna_f32;
    planes[i]->type->colour = lacuna_data;
    planes[i]->type->width = 3;
    planes[i]->type->height = 2;
  }
  return 0;
}

static int readFrame(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count) {
  (void)call;
  for (uint32_t i = 0; i < count; ++i) {
    memset(planes[i]->data, 0, (size_t)planes[i]->bytes);
  }
  return 0;
}

static lacuna_module table = {sizeof table, LACUNA_ABI, MODULE_NAME, describe, probe, NULL, readFrame, NULL, NULL, NULL, NULL, 0, NULL};

#ifdef NO_SYMBOL
#define lacuna_module_entry lacuna_other_entry
const lacuna_module* lacuna_module_entry(uint32_t abi);
#endif
__attribute__((visibility("default"))) const lacuna_module* lacuna_module_entry(uint32_t abi) {
#if defined(NULL_TABLE)
  (void)abi;
  return NULL;
#elif defined(OTHER_ABI)
  table.abi = abi + 41;
#elif defined(OTHER_NAME)
  table.name = "somebody-else";
#elif defined(TINY_TABLE)
  table.size = 8;
#elif defined(SHORT_TABLE)
  table.size = offsetof(lacuna_module, read);
#endif
  return abi == LACUNA_ABI ? &table : NULL;
}
