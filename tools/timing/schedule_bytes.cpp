#include "tools/timing/schedule_bytes.h"

namespace lacuna {

bool isTransfer(const Pass& pass) {
  return pass.kind == PassKind::upload || pass.kind == PassKind::download;
}

uint64_t floorBytes(const Schedule& schedule) {
  uint64_t bytes = 0;
  for (const Pass& pass : schedule.passes) {
    bytes += isTransfer(pass) ? pass.bytesRead + pass.bytesWritten : 0;
  }
  return bytes;
}

}  // namespace lacuna
