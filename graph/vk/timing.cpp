#include "graph/vk/timing.h"

#include <algorithm>
#include <array>

#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

bool isWork(const Pass& pass) {
  return pass.kind != PassKind::upload && pass.kind != PassKind::download;
}

}  // namespace

TimingQueries::TimingQueries(const Device::Impl& device, const FrameGraph& schedule, bool perPass)
    : device_(device), perPass_(perPass) {
  if (device.timestampBits == 0)
    throw DeviceError(device.info.name + " has no timestamps");
  bool follows = false;  // another pass of the same run
  for (const PassId pass : schedule.passes.ids()) {
    const bool works = isWork(schedule.passes[pass]);
    if (works && !follows)
      work_.push_back({pass, pass});
    if (works)
      work_.back().last = pass;
    follows = works;
  }
  timed_ = work_;
  if (perPass) {
    timed_.clear();
    for (const PassId pass : schedule.passes.ids())
      timed_.push_back({pass, pass});
  }
  auto info = typed<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = static_cast<uint32_t>(std::max<size_t>(1, 2 * timed_.size()));
  pool_ = make(device.handle(), device.vk.vkCreateQueryPool, device.vk.vkDestroyQueryPool, info,
               "timestamp queries");
}

void TimingQueries::reset(VkCommandBuffer commands) const {
  device_.vk.vkCmdResetQueryPool(commands, pool_.get(), 0,
                                 static_cast<uint32_t>(std::max<size_t>(1, 2 * timed_.size())));
}

void TimingQueries::begin(VkCommandBuffer commands, PassId pass) const {
  for (size_t i = 0; i < timed_.size(); ++i)
    if (timed_[i].first == pass)
      write(commands, 2 * i);
}

void TimingQueries::end(VkCommandBuffer commands, PassId pass) const {
  for (size_t i = 0; i < timed_.size(); ++i)
    if (timed_[i].last == pass)
      write(commands, 2 * i + 1);
}

void TimingQueries::write(VkCommandBuffer commands, size_t query) const {
  device_.vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_.get(),
                                 static_cast<uint32_t>(query));
}

double TimingQueries::milliseconds(uint64_t from, uint64_t to) const {
  const uint64_t mask = device_.timestampBits >= 64 ? ~0ULL : (1ULL << device_.timestampBits) - 1;
  return static_cast<double>((to - from) & mask) * device_.limits.timestampPeriod * 1e-6;
}

int64_t TimingQueries::nanoseconds(uint64_t stamp) const {
  // A long double: 64 bits of a stamp don't fit into a double.
  return static_cast<int64_t>(static_cast<long double>(stamp) *
                              static_cast<long double>(device_.limits.timestampPeriod));
}

std::optional<int64_t> TimingQueries::hostOffset() const {
  if (device_.calibratedTimestamps == nullptr)
    return std::nullopt;
  std::array<VkCalibratedTimestampInfoEXT, 2> clocks{};
  clocks[0] = typed<VkCalibratedTimestampInfoEXT>(VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT);
  clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  clocks[1] = clocks[0];
  clocks[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  std::array<uint64_t, 2> now{};
  uint64_t deviation = 0;
  check(device_.calibratedTimestamps(device_.handle(), 2, clocks.data(), now.data(), &deviation),
        "its clocks");
  return static_cast<int64_t>(now[1]) - nanoseconds(now[0]);
}

Timings TimingQueries::read() const {
  Timings result;
  if (timed_.empty())
    return result;
  std::vector<uint64_t> stamps(2 * timed_.size());
  check(
      device_.vk.vkGetQueryPoolResults(device_.handle(), pool_.get(), 0, static_cast<uint32_t>(stamps.size()),
                                       stamps.size() * sizeof(uint64_t), stamps.data(), sizeof(uint64_t),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "the timestamps");
  for (size_t i = 0; i < work_.size(); ++i) {
    const size_t first = perPass_ ? work_[i].first.index() : i;
    const size_t last = perPass_ ? work_[i].last.index() : i;
    result.totalMs += milliseconds(stamps[2 * first], stamps[2 * last + 1]);
  }
  for (size_t i = 0; perPass_ && i < timed_.size(); ++i) {
    result.passMs.push_back(milliseconds(stamps[2 * i], stamps[2 * i + 1]));
    result.passes.push_back({nanoseconds(stamps[2 * i]), nanoseconds(stamps[2 * i + 1])});
  }
  result.hostOffset = perPass_ ? hostOffset() : std::nullopt;
  return result;
}

}  // namespace lacuna::vk
