#pragma once
// NaN and infinities among the values that a run writes.

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/load/files.h"

namespace lacuna {

// Such values of a source or sink in a frame, and the first one's place.
struct FoundNotFinite {
  uint64_t values = 0;
  std::string plane;
  uint64_t x = 0, y = 0;
};
std::vector<FilePlane> rowsOf(std::vector<FilePlane> planes, uint32_t first, uint32_t end);
// Adds NaN and infinities of the rows from `firstRow` on. Only f16 and f32 are counted. Depth, normals and
// motion are omitted: renderers write infinities and NaN for the background.
void findNotFinite(const std::vector<FilePlane>& rows, uint32_t firstRow, FoundNotFinite& found);

// Frames of a run, from any thread.
class NotFinite {
 public:
  // NaN and infinities of a sink in a frame. `file`: its name. `countRead` returns their number in the
  // frame's inputs; it is only called if outputs have some.
  void look(const std::string& file, int frame, const FoundNotFinite& written,
            const std::function<uint64_t()>& countRead);
  // The same for integers that were converted from such values, which the device has counted.
  struct Counted {
    uint64_t values = 0, x = 0, y = 0;
  };
  void lookAtCounted(const std::string& file, int frame, const Counted& counted,
                     const std::function<uint64_t()>& countRead);
  // NaN and infinities of a source that is read for a sink without them, or with integers. `file` is the
  // source's name, `by` the sink's.
  void lookAtRead(const std::string& file, int frame, const FoundNotFinite& read, const std::string& by);

  // A line with their number and the place of the first one; empty if there are none. It then starts counting
  // again.
  std::string text();

 private:
  struct First {
    std::string file;
    int frame = 0;
    FoundNotFinite found;
    bool isCounted = false;
    std::string by;
    uint64_t read = 0;
  };
  void add(First found);

  std::mutex mutex_;
  std::optional<First> first_;  // of the earliest frame
  std::set<int> frames_;
};

}  // namespace lacuna
