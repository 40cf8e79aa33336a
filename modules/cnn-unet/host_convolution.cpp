#include "cnn-unet/host_convolution.h"

#if HAS_ONEDNN

#include <omp.h>

#include <algorithm>

namespace lacuna::unet {

using dnnl::memory;

Convolution3::Convolution3(const dnnl::engine& engine, const Layer& layer, int width, int rows)
    : engine_(engine) {
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

void Convolution3::run(const float* source, float* result, float* scratchpad) const {
  dnnl::stream stream(engine_);
  primitive_.execute(stream, {{DNNL_ARG_SRC, memory(source_, engine_, const_cast<float*>(source))},
                              {DNNL_ARG_WEIGHTS, weights_},
                              {DNNL_ARG_BIAS, biases_},
                              {DNNL_ARG_DST, memory(result_, engine_, result)},
                              {DNNL_ARG_SCRATCHPAD, memory(scratchpad_, engine_, scratchpad)}});
  stream.wait();
}

OneThread::OneThread() : before_(omp_get_max_threads()) {
  omp_set_num_threads(1);
}
OneThread::~OneThread() {
  omp_set_num_threads(before_);
}

}  // namespace lacuna::unet

#endif
