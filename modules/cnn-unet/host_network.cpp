// The layers by oneDNN, in steps of so many rows: a convolution's shape, and with it the order of its sums,
// depends neither on the picture's height nor on the number of threads. A step runs on one thread. At the
// picture's own size successive layers run step by step, without results of their own, which would take most
// of the memory. Each thread goes down a stripe then.

#include "cnn-unet/host_layers.h"

#if HAS_ONEDNN

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <oneapi/dnnl/dnnl.hpp>

namespace lacuna::unet {
namespace {

using dnnl::memory;

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

// A 3x3 convolution of a fixed number of rows. Any thread may run it.
class Convolution3 {
 public:
  Convolution3(const dnnl::engine& engine, const Layer& layer, int width, int rows) : engine_(engine) {
    const auto inputs = static_cast<int>(layer.inputs), outputs = static_cast<int>(layer.channels);
    const auto floats = memory::data_type::f32;
    const memory::desc source({1, inputs, rows + 2, width}, floats, memory::format_tag::nhwc);
    const memory::desc result({1, outputs, rows, width}, floats, memory::format_tag::nhwc);
    const memory::desc weights({outputs, inputs, 3, 3}, floats, memory::format_tag::any);
    const memory::desc biases({outputs}, floats, memory::format_tag::x);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (layer.relu) {
      dnnl::post_ops after;
      after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
      attributes.set_post_ops(after);
    }
    const dnnl::convolution_forward::primitive_desc chosen({dnnl::prop_kind::forward_inference,
                                                            dnnl::algorithm::convolution_direct,
                                                            source,
                                                            weights,
                                                            biases,
                                                            result,
                                                            {1, 1},
                                                            {0, 1},
                                                            {0, 1}},
                                                           attributes, engine);
    primitive_ = dnnl::convolution_forward(chosen);
    source_ = chosen.src_desc();
    result_ = chosen.dst_desc();
    scratchpad_ = chosen.scratchpad_desc();
    weights_ = memory(chosen.weights_desc(), engine);
    biases_ = memory(biases, engine);
    std::copy(layer.biases.begin(), layer.biases.end(), static_cast<float*>(biases_.get_data_handle()));
    memory given({{outputs, inputs, 3, 3}, floats, memory::format_tag::oihw}, engine,
                 const_cast<float*>(layer.weights.data()));
    dnnl::stream stream(engine);
    dnnl::reorder(given, weights_).execute(stream, given, weights_);
    stream.wait();
  }

  size_t scratchpadFloats() const { return scratchpad_.get_size() / sizeof(float) + 1; }
  void run(const float* source, float* result, float* scratchpad) const {
    dnnl::stream stream(engine_);
    primitive_.execute(stream, {{DNNL_ARG_SRC, memory(source_, engine_, const_cast<float*>(source))},
                                {DNNL_ARG_WEIGHTS, weights_},
                                {DNNL_ARG_BIAS, biases_},
                                {DNNL_ARG_DST, memory(result_, engine_, result)},
                                {DNNL_ARG_SCRATCHPAD, memory(scratchpad_, engine_, scratchpad)}});
    stream.wait();
  }

 private:
  dnnl::engine engine_;
  dnnl::primitive primitive_;
  memory::desc source_, result_, scratchpad_;
  memory weights_, biases_;
};

// oneDNN's own threads, of the calling one.
class OneThread {
 public:
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  const int before_ = omp_get_max_threads();
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
  // Then only the largest of each 2x2 values are kept.
  bool isOnlyPooled(size_t index) const {
    return !isEnd(index) && !isRead(index, index + 1, {Scale::same, Scale::twice});
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
      if (!isRead(index, chain.last() + 1))
        results_[index] = {};
  }

  // With what keeps the next ones aligned.
  static size_t rowsFloats(const Chain& chain, int rows, uint32_t channels) {
    const size_t floats = static_cast<size_t>(rows) * static_cast<size_t>(chain.width) * channels;
    return (floats + 15) / 16 * 16;
  }
  size_t sourceFloats(const Chain& chain, size_t i) const {
    return rowsFloats(chain, stepRows + 2, layer(chain.first + i).inputs);
  }
  // What all layers read, the last one's results, if they aren't kept as they are, and the scratchpad.
  size_t roomFloats(const Chain& chain) const {
    size_t floats = rowsFloats(chain, stepRows, layer(chain.last()).channels), scratchpad = 0;
    for (size_t i = 0; i < chain.layers(); ++i) {
      floats += sourceFloats(chain, i);
      scratchpad = std::max(scratchpad, chain.convolutions[i].scratchpadFloats());
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

  // What a step of the first layer reads, from this row on; in `room`, if it isn't a tensor's memory.
  const float* sourceRows(const Chain& chain, int y, float* room) const {
    const Layer& reader = layer(chain.first);
    const int end = y + stepRows + 2;
    if (const Tensor& only = tensor(reader.sources.front().layer);
        reader.sources.size() == 1 && only.width == chain.width && y >= only.begin && end <= only.end)
      return only.row(y);
    const size_t rowFloats = static_cast<size_t>(chain.width) * reader.inputs;
    for (float* to = room; y < end; ++y, to += rowFloats) {
      if (y < 0 || y >= chain.height) {
        std::fill_n(to, rowFloats, 0.0F);
        continue;
      }
      float* at = to;
      for (const Source& source : reader.sources) {
        copyRow(tensor(source.layer), chain.width, y, at, reader.inputs);
        at += tensor(source.layer).channels;
      }
    }
    return room;
  }

  // The last layer's rows from `y` on, and of each layer before it the rows below those of the last step.
  // With fewer layers, what the stripe's first step needs of them.
  void runStep(const Chain& chain, int y, size_t layers, float* room) const {
    float* end = room;
    for (size_t i = 0; i < chain.layers(); ++i)
      end += sourceFloats(chain, i);
    float* scratchpad = end + rowsFloats(chain, stepRows, layer(chain.last()).channels);
    for (size_t i = 0; i < layers; ++i, room += sourceFloats(chain, i - 1)) {
      const bool isLast = chain.first + i == chain.last();
      const int first = y + static_cast<int>(chain.layers() - 1 - i);
      const size_t rowFloats = static_cast<size_t>(chain.width) * layer(chain.first + i).channels;
      const float* source = i == 0 ? sourceRows(chain, first - 1, room) : room;
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
