#include "tools/timing/schedule_bytes.h"

namespace lacuna {
namespace {

uint64_t sum(const Schedule& schedule, bool ofTransfers) {
  uint64_t bytes = 0;
  for (const Pass& pass : schedule.passes) {
    bytes += isTransfer(pass) == ofTransfers ? pass.bytesRead + pass.bytesWritten : 0;
  }
  return bytes;
}

}  // namespace

bool isTransfer(const Pass& pass) {
  return pass.kind == PassKind::upload || pass.kind == PassKind::download;
}

uint64_t floorBytes(const Schedule& schedule) {
  return sum(schedule, true);
}

uint64_t passBytes(const Schedule& schedule) {
  return sum(schedule, false);
}

}  // namespace lacuna
