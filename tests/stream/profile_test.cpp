// Profiles: JSON whose spans nest on each track, with every pass of every frame.

#include "graph/run/profile.h"

#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "modules/codecs/image_file.h"
#include "tests/stream/sequence.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

class Profiles : public StreamTest {};

struct Span {
  std::string name;
  double begin, end;
};

using Track = std::pair<int, int>;

std::map<Track, std::vector<Span>> spansOf(const nlohmann::json& trace) {
  std::map<Track, std::vector<Span>> tracks;
  for (const nlohmann::json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") {
      const double begin = event.at("ts");
      tracks[{event.at("pid"), event.at("tid")}].push_back(
          {event.at("name"), begin, begin + event.at("dur").get<double>()});
    }
  }
  return tracks;
}

// Two spans of a track are apart, or one is inside the other.
void expectNested(std::vector<Span> spans) {
  constexpr double rounding = 1e-3;  // microseconds
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
  });
  std::vector<Span> open;
  for (const Span& span : spans) {
    EXPECT_GE(span.begin, 0.0) << span.name;
    EXPECT_GE(span.end, span.begin) << span.name;
    while (!open.empty() && open.back().end <= span.begin + rounding)
      open.pop_back();
    if (!open.empty())
      EXPECT_LE(span.end, open.back().end + rounding) << span.name << " ends after " << open.back().name;
    open.push_back(span);
  }
}

size_t count(const std::vector<Span>& spans, const std::string& name) {
  return static_cast<size_t>(
      std::count_if(spans.begin(), spans.end(), [&](const Span& span) { return span.name == name; }));
}

TEST_F(Profiles, RandomHaveEveryPassAndStageNested) {
  constexpr int frames = 12;
  const Sequence sequence(random_, frames);
  for (const int inFlight : {1, 3}) {
    SCOPED_TRACE(inFlight);
    Profile profile;
    const auto session = sequence.session(&profile);
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = inFlight;
    stream(*session, options);
    const auto tracks = spansOf(readJson(profile.json()));
    std::vector<Span> host;
    for (const auto& [track, spans] : tracks) {
      expectNested(spans);
      if (track.first == 1)
        host.insert(host.end(), spans.begin(), spans.end());
    }
    // Spans of the caller, of the device, and of a thread for each slot that took a frame.
    EXPECT_GE(tracks.size(), inFlight == 1 ? 2U : 3U);
    EXPECT_LE(tracks.size(), inFlight == 1 ? 2U : 5U);
    const std::vector<Span>& device = tracks.at({2, 0});
    EXPECT_EQ(device.size(), frames * (1 + session->schedule().passes.size()));
    for (const Pass& pass : session->schedule().passes)
      EXPECT_EQ(count(device, pass.name), static_cast<size_t>(frames)) << pass.name;
    for (const char* stage : {"fill", "submit", "wait", "take"})
      EXPECT_EQ(count(host, stage), static_cast<size_t>(frames)) << stage;
    EXPECT_EQ(count(host, "shaders"), 1U);
    EXPECT_EQ(results, sequence.oneByOne()) << "profiled or not";
  }
}

TEST_F(Profiles, RandomAreWrittenWholeOrNotAtAll) {
  const Folder folder;
  Profile profile;
  { const Profile::Span span(&profile, "something"); }
  const std::string path = folder.file("t.json");
  profile.write(path);
  EXPECT_EQ(readJson(readTextFile(path).text), readJson(profile.json()));
  EXPECT_THROW(profile.write(folder.file("t.json/t.json")), FileError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace lacuna::test
