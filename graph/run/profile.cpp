#include "graph/run/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/files/file_name.h"
#include "graph/files/part_file.h"

namespace lacuna {
namespace {

using nlohmann::ordered_json;

constexpr int hostProcess = 1, deviceProcess = 2;

int64_t nanoseconds(Profile::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

ordered_json span(int process, int track, const std::string& name, int64_t begin, int64_t end, int frame) {
  ordered_json event = {{"name", name},
                        {"ph", "X"},
                        {"pid", process},
                        {"tid", track},
                        {"ts", static_cast<double>(begin) * 1e-3},
                        {"dur", static_cast<double>(end - begin) * 1e-3}};
  if (frame >= 0)
    event["args"] = {{"frame", frame}};
  return event;
}

ordered_json label(int process, int track, const char* what, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}};
}

}  // namespace

Profile::Span::Span(Profile* profile, std::string name, int frame)
    : profile_(profile), name_(std::move(name)), frame_(frame), begin_(Clock::now()) {}

Profile::Span::~Span() {
  if (profile_ != nullptr) {
    const Clock::time_point end = Clock::now();
    const std::scoped_lock lock(profile_->mutex_);
    profile_->stages_.push_back({std::move(name_), frame_, profile_->track(), begin_, end});
  }
}

void Profile::nameThread(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  trackNames_[static_cast<size_t>(track())] = name;
}

int Profile::track() {
  const auto [found, fresh] = tracks_.try_emplace(std::this_thread::get_id(), trackNames_.size());
  if (fresh)
    trackNames_.push_back(fmt::format("thread {}", trackNames_.size()));
  return found->second;
}

void Profile::addFrame(const FrameGraph& schedule, int frame, Clock::time_point submitted,
                       const vk::Timings& timings) {
  const std::scoped_lock lock(mutex_);
  if (passNames_.empty())
    for (const Pass& pass : schedule.passes)
      passNames_.push_back(pass.name);
  frames_.push_back({frame, submitted, timings.hostOffset, timings.passes});
}

int64_t Profile::alignmentAtSubmit() const {
  int64_t offset = INT64_MIN;
  for (const DeviceFrame& frame : frames_)
    if (!frame.passes.empty())
      offset = std::max(offset, nanoseconds(frame.submitted) - frame.passes.front().begin);
  return offset;
}

std::string Profile::json() const {
  const std::scoped_lock lock(mutex_);
  const int64_t start = nanoseconds(start_);
  ordered_json events = ordered_json::array();
  events.push_back(label(hostProcess, 0, "process_name", "host"));
  for (size_t t = 0; t < trackNames_.size(); ++t)
    events.push_back(label(hostProcess, static_cast<int>(t), "thread_name", trackNames_[t]));
  for (const Stage& stage : stages_) {
    events.push_back(span(hostProcess, stage.track, stage.name, nanoseconds(stage.begin) - start,
                          nanoseconds(stage.end) - start, stage.frame));
  }
  events.push_back(label(deviceProcess, 0, "process_name", "device"));
  // Frames are added when they are waited for, perhaps in another order.
  std::vector<const DeviceFrame*> order;
  for (const DeviceFrame& frame : frames_)
    if (!frame.passes.empty())
      order.push_back(&frame);
  std::ranges::sort(order, [](const DeviceFrame* a, const DeviceFrame* b) {
    return a->passes.front().begin < b->passes.front().begin;
  });
  const int64_t atSubmit = alignmentAtSubmit();
  int64_t last = 0;  // each frame is related to the clock again, so neighbours may differ a little
  for (const DeviceFrame* frame : order) {
    const int64_t offset = frame->hostOffset.value_or(atSubmit) - start;
    const int64_t begin = std::max(last, frame->passes.front().begin + offset);
    const int64_t end = std::max(begin, frame->passes.back().end + offset);
    events.push_back(span(deviceProcess, 0, fmt::format("frame {}", frame->frame), begin, end, frame->frame));
    last = begin;
    for (const PassId pass : frame->passes.ids()) {
      const int64_t from = std::clamp(frame->passes[pass].begin + offset, last, end);
      last = std::clamp(frame->passes[pass].end + offset, from, end);
      if (frame->passes[pass].ran)
        events.push_back(span(deviceProcess, 0, passNames_[pass], from, last, frame->frame));
    }
    last = end;
  }
  return jsonText(ordered_json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}, 1);
}

void Profile::write(const std::string& path) const {
  const std::string text = json();
  PartFile part(path);
  std::FILE* file = std::fopen(part.name().c_str(), "wb");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written = file != nullptr && std::fclose(file) == 0 && written;
  if (!written)
    throw FileError(fmt::format("{}: the profile can't be written: {}", path, std::strerror(errno)));
  part.place();
}

}  // namespace lacuna
