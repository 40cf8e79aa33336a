// The layers by oneDNN, in bands of rows whose sizes depend neither on the picture's height nor on the number
// of threads. A band's convolutions run on one thread each. At the picture's own size successive layers run
// in one band, the first of them over rows more on each side: their results would take most of the memory.

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

constexpr int bandRows = 8;

// Floats of their own pages, which the system gets back at once: a heap would keep a layer's for later ones,
// 20 MB at 1280x720.
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
    return pages == MAP_FAILED ? throw std::bad_alloc() : static_cast<float*>(pages);
  }
  std::unique_ptr<float, Unmap> floats_;
};

// Memory of a band, for one thread at a time.
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

// A layer's results, with rows of zeros above and below the picture, up to the last band.
struct Tensor {
  int width = 0, height = 0, channels = 0;
  const float* first = nullptr;  // of the picture
  bool hasZeros = false;
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

// One pixel's values of a source at another scale.
void copyScaled(const Tensor& from, Scale scale, int x, int y, float* to) {
  const int channels = from.channels;
  if (scale != Scale::half) {
    const int shift = scale == Scale::twice ? 1 : 0;
    std::memcpy(to, from.row(y >> shift) + static_cast<ptrdiff_t>(x >> shift) * channels,
                sizeof(float) * static_cast<size_t>(channels));
    return;
  }
  const float *above = from.row(2 * y) + ptrdiff_t{2} * x * channels,
              *below = from.row(2 * y + 1) + ptrdiff_t{2} * x * channels;
  for (int c = 0; c < channels; ++c)
    to[c] = std::max(std::max(above[c], above[c + channels]), std::max(below[c], below[c + channels]));
}

class HostNetwork {
 public:
  HostNetwork(const native::Call& call, const HostLayers& all, const float* features, float* output)
      : call_(call), all_(all), output_(output), engine_(dnnl::engine::kind::cpu, 0) {
    input_ = {static_cast<int>(all.extended.width),
              static_cast<int>(all.extended.height),
              static_cast<int>(all.inputChannels),
              features,
              false,
              nullptr};
    results_.resize(all.layers.size());
  }

  void run() {
    for (size_t first = 0; first < all_.layers.size();) {
      const size_t count = chainAt(first);
      runChain(first, count);
      first += count;
      dropUnread(first);
    }
  }

 private:
  struct Band {
    size_t first, count;  // layers
    int width, height, rows, y;
  };

  const Tensor& tensor(int layer) const {
    return layer == inputLayer ? input_ : results_[static_cast<size_t>(layer)];
  }

  bool reads(const Layer& reader, size_t layer) const {
    return std::ranges::any_of(reader.sources,
                               [&](const Source& source) { return source.layer == static_cast<int>(layer); });
  }

  // The number of layers from this one on of which each but the last one is read by the next one alone.
  size_t chainAt(size_t first) const {
    size_t last = first;
    const auto isOnlyForNext = [&](size_t layer) {
      const Layer& next = all_.layers[layer + 1];
      return all_.layers[layer].halvings == 0 && next.sources.size() == 1 && reads(next, layer) &&
             next.sources.front().scale == Scale::same &&
             std::none_of(all_.layers.begin() + static_cast<ptrdiff_t>(layer) + 2, all_.layers.end(),
                          [&](const Layer& reader) { return reads(reader, layer); });
    };
    while (last + 1 < all_.layers.size() && isOnlyForNext(last))
      ++last;
    return last - first + 1;
  }

  void dropUnread(size_t next) {
    for (size_t layer = 0; layer < next; ++layer)
      if (std::none_of(all_.layers.begin() + static_cast<ptrdiff_t>(next), all_.layers.end(),
                       [&](const Layer& reader) { return reads(reader, layer); }))
        results_[layer] = {};
  }

  void runChain(size_t first, size_t count) {
    const Layer& last = all_.layers[first + count - 1];
    const int width = input_.width >> last.halvings, height = input_.height >> last.halvings;
    const int rows = bandRows, bands = (height + rows - 1) / rows;
    std::vector<Convolution3> convolutions;
    for (size_t i = 0; i < count; ++i)
      convolutions.emplace_back(engine_, all_.layers[first + i], width,
                                rows + 2 * static_cast<int>(count - 1 - i));
    const bool isEnd = first + count == all_.layers.size();
    const Band top{first, count, width, height, rows, 0};
    size_t most = sourceFloats(top);
    for (size_t i = 0; i < count; ++i)
      most += resultFloats(top, i) + extendedFloats(convolutions[i].scratchpadFloats());
    Rooms rooms(most);
    if (!isEnd)
      results_[first + count - 1] = emptyTensor(width, height, bands * rows, static_cast<int>(last.channels));
    call_.parallel(static_cast<uint32_t>(bands), [&](uint32_t band) {
      const OneThread one;
      Band work = top;
      work.y = rows * static_cast<int>(band);
      Floats room = rooms.take();
      runBand(work, convolutions, isEnd, room.data());
      rooms.giveBack(std::move(room));
    });
  }

  // With what keeps the next ones aligned.
  static size_t extendedFloats(size_t count) { return (count + 15) / 16 * 16; }
  size_t sourceFloats(const Band& band) const {
    const size_t rows = static_cast<size_t>(band.rows) + 2 * band.count;
    return extendedFloats(rows * static_cast<size_t>(band.width) * all_.layers[band.first].inputs);
  }
  size_t resultFloats(const Band& band, size_t i) const {
    const size_t rows = static_cast<size_t>(band.rows) + 2 * (band.count - 1 - i);
    return extendedFloats(rows * static_cast<size_t>(band.width) * all_.layers[band.first + i].channels);
  }

  static Tensor emptyTensor(int width, int height, int bandRows, int channels) {
    Tensor tensor{width, height, channels, nullptr, true, nullptr};
    tensor.memory = std::make_shared<Floats>(tensor.rowFloats() * static_cast<size_t>(bandRows + 2));
    tensor.first = tensor.memory->data() + tensor.rowFloats();
    std::fill_n(tensor.memory->data(), tensor.rowFloats(), 0.0F);
    std::fill_n(tensor.memory->data() + tensor.rowFloats() * static_cast<size_t>(bandRows + 1),
                tensor.rowFloats(), 0.0F);
    return tensor;
  }

  // The rows from `y` on of what the layer reads; in `room`, if they aren't a layer's own.
  const float* sourceRows(const Band& band, int y, int rows, float* room) const {
    const Layer& layer = all_.layers[band.first];
    if (const Source& only = layer.sources.front(); layer.sources.size() == 1 && only.scale == Scale::same &&
                                                    band.count == 1 && tensor(only.layer).hasZeros)
      return tensor(only.layer).row(y);
    const size_t rowFloats = static_cast<size_t>(band.width) * layer.inputs;
    float* to = room;
    for (int row = y; row < y + rows; ++row, to += rowFloats) {
      if (row < 0 || row >= band.height) {
        std::fill_n(to, rowFloats, 0.0F);
        continue;
      }
      float* at = to;
      for (const Source& source : layer.sources) {
        const Tensor& from = tensor(source.layer);
        for (int x = 0; x < band.width; ++x)
          copyScaled(from, source.scale, x, row, at + static_cast<size_t>(x) * layer.inputs);
        at += from.channels;
      }
    }
    return room;
  }

  void runBand(const Band& band, const std::vector<Convolution3>& convolutions, bool isEnd,
               float* room) const {
    const int reach = static_cast<int>(band.count);
    const float* source = sourceRows(band, band.y - reach, band.rows + 2 * reach, room);
    room += sourceFloats(band);
    for (size_t i = 0; i < band.count; ++i) {
      const Layer& layer = all_.layers[band.first + i];
      const int more = static_cast<int>(band.count - 1 - i), y = band.y - more, rows = band.rows + 2 * more;
      const size_t rowFloats = static_cast<size_t>(band.width) * layer.channels;
      const bool isKept = more == 0 && !isEnd;
      float* result = isKept ? const_cast<float*>(results_[band.first + i].row(y)) : room;
      room += isKept ? 0 : resultFloats(band, i);
      convolutions[i].run(source, result, room);
      for (int row = 0; row < rows; ++row)
        if (y + row < 0 || y + row >= band.height)
          std::fill_n(result + rowFloats * static_cast<size_t>(row), rowFloats, 0.0F);
      source = result;
    }
    if (isEnd)
      write(band, source);
  }

  // The last layer's rows that lie in the picture.
  void write(const Band& band, const float* result) const {
    const size_t channels = all_.layers.back().channels, floats = all_.resultFloats;
    const int end = std::min(band.y + band.rows, static_cast<int>(all_.image.height));
    for (int y = band.y; y < end; ++y) {
      const float* from =
          result + static_cast<size_t>(y - band.y) * static_cast<size_t>(band.width) * channels;
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
