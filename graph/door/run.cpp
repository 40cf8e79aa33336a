#include <fmt/format.h>

#include "graph/door/errors.h"
#include "graph/door/state.h"
#include "graph/lists.h"
#include "graph/run/stream.h"

namespace lacuna {
namespace {

using door::PipelineState;

// The options of a stream, for a run's callbacks with the numbers of their frames.
StreamOptions streamOptions(const PipelineState& state, const RunOptions& options) {
  const int firstNumber = state.graph->loaded.graph.modules.firstNumber;
  StreamOptions made;
  made.frames = state.graph->plan.frames;
  made.warmUp = state.graph->plan.warmUp;
  made.starts = state.graph->plan.starts;
  made.inFlight = options.inFlight;
  made.timesPasses = options.timesPasses;
  made.skipDamaged = state.graph->skipDamaged || state.graph->isListed;
  made.cutsAtGaps = state.graph->warmUp.cutsAtGaps;
  made.skipUnwritten = state.graph->isListed;
  made.waits = state.graph->missing == Missing::wait;
  made.cancelled = door::passing(options.cancelled);
  if (options.fill) {
    made.fill = [&state, firstNumber, fill = door::passing(options.fill)](const StreamFrame& memory) {
      const door::FrameState view{state, memory, memory.index() + firstNumber};
      Frame frame = door::Access::frame(view);
      fill(frame);
      view.checkGiven();
    };
  }
  if (options.take) {
    made.take = [&state, firstNumber, take = door::passing(options.take)](const StreamFrame& memory) {
      const door::FrameState view{state, memory, memory.index() + firstNumber};
      take(door::Access::frame(view));
    };
  }
  if (options.progress) {
    made.progress = [firstNumber, progress = door::passing(options.progress)](RunProgress now) {
      now.frame += firstNumber;
      progress(now);
    };
  }
  return made;
}

// The session warns the program for as long as this lives.
class Warned : NoCopy {
 public:
  Warned(Session& session, const RunOptions& options) : session_(session) {
    session_.onWarning([warning = door::passing(options.warning), note = door::passing(options.note)](
                           Severity severity, const std::string& text) {
      if (const auto& told = severity == Severity::note ? note : warning)
        told(text);
    });
  }
  ~Warned() {
    session_.onWarning([](Severity, const std::string&) {});
  }

 private:
  Session& session_;
};

void checkNotRecorded(const PipelineState& state) {
  if (state.recorder)
    door::refuse("run: this pipeline is recorded into the program's command buffers; expected record()");
}

void checkOptions(const PipelineState& state, const RunOptions& options) {
  if (options.inFlight < 0)
    door::refuse("run: RunOptions::inFlight is {}, but must be 0 or more", options.inFlight);
  for (const auto& [name, port] : state.ports)
    if (port.isSource && !port.valueName.empty() && !options.fill)
      door::refuse("run: {} needs an image in every frame: set RunOptions::fill", name);
}

void runFrame(PipelineState& state, int number, const std::map<std::string, ConstImageView>& sources,
              const std::map<std::string, ImageView>& sinks) {
  const int index = door::indexOf(state, number);
  const StreamFrame memory(*state.session, index, 0);
  const door::FrameState view{state, memory, number};
  Frame frame = door::Access::frame(view);
  for (const auto& [name, image] : sources)
    frame.put(name, image);
  view.checkGiven();
  for (const auto& [name, image] : sinks) {
    const MemoryPort& port = door::portNamed(state, name, false);
    door::checkView(readOnly(image), door::imageTypeOf(port.type, name), name);
  }
  Session& session = *state.session;
  session.upload(index);
  session.submit(index, 0, !door::followsLast(state, index), vk::Timed::no);
  session.wait(0);
  state.last = index;
  for (const auto& [name, image] : sinks)
    frame.get(name, image);
  session.writeSinks(index);
  session.warnOfValues();
}

}  // namespace

namespace door {

Running::Running(PipelineState& state) : state_(state) {
  if (state_.isRunning.exchange(true)) {
    throw Error(ErrorKind::call,
                "run: this pipeline is running, on another thread or in a callback of its own: a "
                "Pipeline is for one thread at a time. Make one for each thread; they may share "
                "a Device and a Graph");
  }
}

int indexOf(const PipelineState& state, int number) {
  const int firstNumber = state.graph->loaded.graph.modules.firstNumber;
  if (number < firstNumber || number - firstNumber >= mostFrames) {
    door::refuse("run: frame {}; expected {} to {}", number, firstNumber,
                 int64_t{firstNumber} + mostFrames - 1);
  }
  return number - firstNumber;
}

bool followsLast(const PipelineState& state, int index) {
  return state.last && (index == *state.last + 1 || !state.graph->warmUp.cutsAtGaps);
}

}  // namespace door

RunResult Pipeline::run(const RunOptions& options) {
  return door::guarded([&] {
    const door::Running running(*state_);
    checkNotRecorded(*state_);
    checkOptions(*state_, options);
    const Warned warned(*state_->session, options);
    RunResult result = stream(*state_->session, streamOptions(*state_, options));
    const FrameSet& frames = state_->graph->plan.frames;
    state_->last = frames.empty() ? std::nullopt : std::optional(frames.back());
    result.damaged = result.damaged.shifted(state_->graph->loaded.graph.modules.firstNumber);
    return result;
  });
}

void Pipeline::run(int frame, const std::map<std::string, ConstImageView>& sources,
                   const std::map<std::string, ImageView>& sinks,
                   const std::vector<std::string>& parameters) {
  door::guarded([&] {
    const door::Running running(*state_);
    if (state_->hosted) {
      door::runHosted(*state_, frame, sources, sinks, parameters);
      return;
    }
    checkNotRecorded(*state_);
    if (!parameters.empty())
      door::refuse(
          "run: {}: the parameters of this pipeline are GraphOptions::parameters; those of bundles "
          "change while frames run",
          parameters.front());
    runFrame(*state_, frame, sources, sinks);
  });
}

void Pipeline::restart() {
  door::guarded([&] {
    const door::Running running(*state_);
    state_->last.reset();
    if (state_->recorder)
      state_->recorder->restart();
  });
}

}  // namespace lacuna
