// The layers by oneDNN, in steps of so many rows: a convolution's shape, and with it the order of its sums,
// depends neither on the picture's height nor on the number of threads. A step runs on one thread. At the
// picture's own size successive layers run step by step, without results of their own, which would take most
// of the memory. Each thread goes down a stripe then.

#include "cnn-unet/host_layers.h"

#if HAS_ONEDNN

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "cnn-unet/host_convolution.h"

namespace lacuna::unet {
namespace {

constexpr int stepRows = 4;
constexpr int stripeRows = 32;
// Of the step above a stripe, two rows less are right after each layer, and the next one needs two.
constexpr size_t longestChain = stepRows / 2 + 1;

// Floats of their own pages, zeros at first, which the system gets back at once: a heap would keep a layer's
// for later ones, 20 MB at 1280x720. Large pages, since the first access of each takes long.
class Floats {
 public:
  explicit Floats(size_t count) : floats_(mapped(sizeof(float) * count), Unmap{sizeof(float) * count}) {}
  float* data() const { return floats_.get(); }

 private:
  struct Unmap {
    size_t bytes;
    void operator()(float* floats) const { munmap(floats, bytes); }
  };
  static float* mapped(size_t bytes) {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
      throw std::bad_alloc();
    madvise(pages, bytes, MADV_HUGEPAGE);
    return static_cast<float*>(pages);
  }
  std::unique_ptr<float, Unmap> floats_;
};

// Memory of a step, for one thread at a time.
class Rooms {
 public:
  explicit Rooms(size_t floats) : floats_(floats) {}

  Floats take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty())
      return Floats(floats_);
    Floats room = std::move(idle_.back());
    idle_.pop_back();
    return room;
  }
  void giveBack(Floats room) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(room));
  }

 private:
  const size_t floats_;
  std::mutex mutex_;
  std::vector<Floats> idle_;
};

// What layers read: results, or the largest of each 2x2, or the network's input.
struct Tensor {
  int width = 0, channels = 0;
  int begin = 0, end = 0;        // rows; zeros beyond the picture
  const float* first = nullptr;  // row 0
  std::shared_ptr<Floats> memory;

  size_t rowFloats() const { return static_cast<size_t>(width) * static_cast<size_t>(channels); }
  const float* row(int y) const { return first + static_cast<ptrdiff_t>(rowFloats()) * y; }
};

void copyLargest(const float* above, const float* below, int pixels, size_t channels, float* to,
                 size_t stride) {
  for (int x = 0; x < pixels; ++x, to += stride, above += 2 * channels, below += 2 * channels)
    for (size_t c = 0; c < channels; ++c)
      to[c] = std::max(std::max(above[c], above[c + channels]), std::max(below[c], below[c + channels]));
}

// A row of a tensor, at this width.
void copyRow(const Tensor& from, int width, int y, float* to, size_t stride) {
  const auto channels = static_cast<size_t>(from.channels);
  if (from.width > width)
    return copyLargest(from.row(2 * y), from.row(2 * y + 1), width, channels, to, stride);
  const int shift = from.width < width ? 1 : 0;
  const float* row = from.row(y >> shift);
  for (int x = 0; x < width; ++x, to += stride)
    std::memcpy(to, row + static_cast<size_t>(x >> shift) * channels, sizeof(float) * channels);
}

class HostNetwork {
 public:
  HostNetwork(const native::Call& call, const HostLayers& all, const float* features, float* output)
      : call_(call), all_(all), output_(output), engine_(dnnl::engine::kind::cpu, 0) {
    const int height = static_cast<int>(all.extended.height);
    input_ = {static_cast<int>(all.extended.width),
              static_cast<int>(all.inputChannels),
              0,
              height,
              features,
              nullptr};
    results_.resize(all.layers.size());
    for (size_t index = 0; index < all.layers.size(); ++index)
      if (isCheap(index))
        repeats_.emplace(index, Convolution3(engine_, layer(index), input_.width, stepRows + 2));
  }

  void run() {
    std::vector<Chain> chains;
    size_t most = 0;
    for (size_t next = 0; next < all_.layers.size(); next += chains.back().layers()) {
      chains.push_back(chainAt(next));
      most = std::max(most, roomFloats(chains.back()));
    }
    Rooms rooms(most);
    for (const Chain& chain : chains)
      runChain(chain, rooms);
  }

 private:
  // Layers of one size, each but the last one read by the next one alone.
  struct Chain {
    size_t first;
    int width, height;
    std::vector<Convolution3> convolutions;

    size_t layers() const { return convolutions.size(); }
    size_t last() const { return first + layers() - 1; }
  };

  const Layer& layer(size_t index) const { return all_.layers[index]; }
  const Tensor& tensor(int index) const {
    return index == inputLayer ? input_ : results_[static_cast<size_t>(index)];
  }
  bool isEnd(size_t index) const { return index + 1 == all_.layers.size(); }

  // By this layer or later ones, at one of these scales.
  bool isRead(size_t index, size_t by, std::initializer_list<Scale> scales) const {
    return std::any_of(all_.layers.begin() + static_cast<ptrdiff_t>(by), all_.layers.end(),
                       [&](const Layer& reader) {
                         return std::ranges::any_of(reader.sources, [&](const Source& source) {
                           return source.layer == static_cast<int>(index) &&
                                  std::ranges::find(scales, source.scale) != scales.end();
                         });
                       });
  }
  bool isRead(size_t index, size_t by) const {
    return isRead(index, by, {Scale::same, Scale::half, Scale::twice});
  }
  // At the picture's size, read pooled and as it is, and cheaper to compute again than to keep.
  bool isCheap(size_t index) const {
    const std::vector<Source>& sources = layer(index).sources;
    return sources.size() == 1 && sources.front().layer == inputLayer &&
           sources.front().scale == Scale::same && layer(index).inputs <= 16 &&
           isRead(index, index + 1, {Scale::same}) && isRead(index, index + 1, {Scale::half});
  }
  bool isRepeated(int index) const {
    return index != inputLayer && repeats_.contains(static_cast<size_t>(index));
  }
  // Then only the largest of each 2x2 values are kept.
  bool isOnlyPooled(size_t index) const {
    return repeats_.contains(index) ||
           (!isEnd(index) && !isRead(index, index + 1, {Scale::same, Scale::twice}));
  }

  Chain chainAt(size_t first) const {
    const auto isOnlyForNext = [&](size_t index) {
      if (layer(index).halvings != 0 || isEnd(index) || isRead(index, index + 2))
        return false;
      const std::vector<Source>& sources = layer(index + 1).sources;
      return sources.size() == 1 && sources.front().layer == static_cast<int>(index) &&
             sources.front().scale == Scale::same;
    };
    const int halvings = layer(first).halvings;
    Chain chain{first, input_.width >> halvings, static_cast<int>(all_.extended.height) >> halvings, {}};
    do
      chain.convolutions.emplace_back(engine_, layer(first + chain.layers()), chain.width, stepRows);
    while (chain.layers() < longestChain && isOnlyForNext(chain.last()));
    return chain;
  }

  void runChain(const Chain& chain, Rooms& rooms) {
    const int rows = chain.layers() == 1 ? stepRows : stripeRows;
    if (!isEnd(chain.last())) {
      const int shift = isOnlyPooled(chain.last()) ? 1 : 0;
      results_[chain.last()] = emptyTensor(chain.width >> shift, chain.height >> shift,
                                           static_cast<int>(layer(chain.last()).channels));
    }
    call_.parallel(static_cast<uint32_t>((chain.height + rows - 1) / rows), [&](uint32_t stripe) {
      const OneThread one;
      Floats room = rooms.take();
      const int begin = rows * static_cast<int>(stripe), end = std::min(begin + rows, chain.height);
      if (chain.layers() > 1)
        runStep(chain, begin - stepRows, chain.layers() - 1, room.data());
      for (int y = begin; y < end; y += stepRows)
        runStep(chain, y, chain.layers(), room.data());
      rooms.giveBack(std::move(room));
    });
    for (size_t index = 0; index <= chain.last(); ++index)
      if (!isRead(index, chain.last() + 1, {Scale::half}) &&
          (repeats_.contains(index) || !isRead(index, chain.last() + 1)))
        results_[index] = {};
  }

  // With what keeps the next ones aligned.
  static size_t rowsFloats(int width, int rows, uint32_t channels) {
    const size_t floats = static_cast<size_t>(rows) * static_cast<size_t>(width) * channels;
    return (floats + 15) / 16 * 16;
  }
  size_t sourceFloats(const Chain& chain, size_t i) const {
    return rowsFloats(chain.width, stepRows + 2, layer(chain.first + i).inputs);
  }
  // What all layers read, the last one's results, if they aren't kept as they are, the scratchpad, and for
  // repeated layers the same once more.
  size_t roomFloats(const Chain& chain) const {
    size_t floats = rowsFloats(chain.width, stepRows, layer(chain.last()).channels), scratchpad = 0;
    for (size_t i = 0; i < chain.layers(); ++i) {
      floats += sourceFloats(chain, i);
      scratchpad = std::max(scratchpad, chain.convolutions[i].scratchpadFloats());
    }
    for (const Source& source : layer(chain.first).sources)
      if (isRepeated(source.layer)) {
        const auto index = static_cast<size_t>(source.layer);
        floats += rowsFloats(chain.width, stepRows + 4, layer(index).inputs) +
                  rowsFloats(chain.width, stepRows + 2, layer(index).channels);
        scratchpad = std::max(scratchpad, repeats_.at(index).scratchpadFloats());
      }
    return floats + scratchpad;
  }

  static Tensor emptyTensor(int width, int height, int channels) {
    Tensor tensor{width, channels, -1, (height + stepRows - 1) / stepRows * stepRows + 1, nullptr, nullptr};
    tensor.memory =
        std::make_shared<Floats>(tensor.rowFloats() * static_cast<size_t>(tensor.end - tensor.begin));
    tensor.first = tensor.memory->data() + tensor.rowFloats();
    return tensor;
  }

  // What a layer reads, rows from `y` on; in `room`, if it isn't a tensor's memory.
  const float* sourceRows(size_t index, int y, int rows, float* room, float* spare) const {
    const Layer& reader = layer(index);
    const int width = input_.width >> reader.halvings, height = input_.end >> reader.halvings;
    if (const Tensor& only = tensor(reader.sources.front().layer);
        reader.sources.size() == 1 && only.width == width && y >= only.begin && y + rows <= only.end)
      return only.row(y);
    const size_t rowFloats = static_cast<size_t>(width) * reader.inputs;
    const auto rowAt = [&](int row) { return room + rowFloats * static_cast<size_t>(row - y); };
    for (int row = y; row < y + rows; ++row)
      if (row < 0 || row >= height)
        std::fill_n(rowAt(row), rowFloats, 0.0F);
    int channel = 0;
    for (const Source& source : reader.sources) {
      const Tensor from = source.scale == Scale::same && isRepeated(source.layer)
                              ? repeated(static_cast<size_t>(source.layer), y, spare)
                              : tensor(source.layer);
      for (int row = std::max(y, 0); row < std::min(y + rows, height); ++row)
        copyRow(from, width, row, rowAt(row) + channel, reader.inputs);
      channel += from.channels;
    }
    return room;
  }

  // A step's rows, and two more, of a layer whose results aren't kept.
  Tensor repeated(size_t index, int y, float* room) const {
    constexpr int rows = stepRows + 2;
    const int width = input_.width;
    const float* source = sourceRows(index, y - 1, rows + 2, room, nullptr);
    room += rowsFloats(width, rows + 2, layer(index).inputs);
    repeats_.at(index).run(source, room, room + rowsFloats(width, rows, layer(index).channels));
    Tensor made{width, static_cast<int>(layer(index).channels), y, y + rows, nullptr, nullptr};
    made.first = room - static_cast<ptrdiff_t>(made.rowFloats()) * y;
    return made;
  }

  // The last layer's rows from `y` on, and of each layer before it the rows below those of the last step.
  // With fewer layers, what the stripe's first step needs of them.
  void runStep(const Chain& chain, int y, size_t layers, float* room) const {
    float* end = room;
    for (size_t i = 0; i < chain.layers(); ++i)
      end += sourceFloats(chain, i);
    float* scratchpad = end + rowsFloats(chain.width, stepRows, layer(chain.last()).channels);
    for (size_t i = 0; i < layers; ++i, room += sourceFloats(chain, i - 1)) {
      const bool isLast = chain.first + i == chain.last();
      const int first = y + static_cast<int>(chain.layers() - 1 - i);
      const size_t rowFloats = static_cast<size_t>(chain.width) * layer(chain.first + i).channels;
      const float* source =
          i == 0 ? sourceRows(chain.first, first - 1, stepRows + 2, room, scratchpad) : room;
      float* result = isLast ? resultRows(chain, y, end) : room + sourceFloats(chain, i) + 2 * rowFloats;
      if (!isLast)  // the next one's rows of the last step
        std::copy_n(result + (stepRows - 2) * rowFloats, 2 * rowFloats, result - 2 * rowFloats);
      chain.convolutions[i].run(source, result, scratchpad);
      for (int row = 0; row < stepRows; ++row)
        if (first + row < 0 || first + row >= chain.height)
          std::fill_n(result + rowFloats * static_cast<size_t>(row), rowFloats, 0.0F);
      if (isLast)
        finish(chain, y, result);
    }
  }

  float* resultRows(const Chain& chain, int y, float* room) const {
    return isEnd(chain.last()) || isOnlyPooled(chain.last())
               ? room
               : const_cast<float*>(results_[chain.last()].row(y));
  }

  void finish(const Chain& chain, int y, const float* result) const {
    if (isEnd(chain.last()))
      return write(y, chain.width, result);
    if (!isOnlyPooled(chain.last()))
      return;
    const Tensor& pooled = results_[chain.last()];
    const auto channels = static_cast<size_t>(pooled.channels);
    const size_t row = static_cast<size_t>(chain.width) * channels;
    for (int half = 0; half < stepRows / 2; ++half, result += 2 * row)
      copyLargest(result, result + row, pooled.width, channels, const_cast<float*>(pooled.row(y / 2 + half)),
                  channels);
  }

  // The last layer's rows that lie in the picture.
  void write(int y, int width, const float* result) const {
    const size_t channels = all_.layers.back().channels, floats = all_.resultFloats;
    const int end = std::min(y + stepRows, static_cast<int>(all_.image.height));
    for (; y < end; ++y, result += static_cast<size_t>(width) * channels) {
      const float* from = result;
      float* to = output_ + static_cast<size_t>(y) * all_.image.width * floats;
      for (uint32_t x = 0; x < all_.image.width; ++x, from += channels, to += floats) {
        std::copy_n(from, channels, to);
        std::fill_n(to + channels, floats - channels, 0.0F);
      }
    }
  }

  const native::Call& call_;
  const HostLayers& all_;
  float* output_;
  dnnl::engine engine_;
  Tensor input_;
  std::vector<Tensor> results_;  // a layer each, while it is read
  std::map<size_t, Convolution3> repeats_;
};

}  // namespace

bool canComputeOnHost() {
  return true;
}

void computeNetwork(const native::Call& call, const native::Planes& inputs, const native::Planes& outputs) {
  const auto floats = [&](const char* name) { return static_cast<const float*>(inputs.find(name)->data); };
  const HostLayers all =
      readHostLayers(static_cast<const uint32_t*>(inputs.find("numbers")->data), floats("weights"));
  const OneThread one;
  HostNetwork(call, all, floats("features"), static_cast<float*>(outputs[0].data)).run();
}

}  // namespace lacuna::unet

#else

namespace lacuna::unet {

bool canComputeOnHost() {
  return false;
}

void computeNetwork(const native::Call&, const native::Planes&, const native::Planes&) {
  throw native::Error("this build has no oneDNN");
}

}  // namespace lacuna::unet

#endif
