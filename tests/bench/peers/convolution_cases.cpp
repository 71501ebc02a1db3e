// Convolutions. Both sides have images and weights in the layout that they like best.
#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

using dnnl::algorithm;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

struct Conv {
  int64_t batch, channels, kernels, kernel, stride, size;

  int64_t pad() const { return kernel / 2; }
  int64_t after() const { return (size + 2 * pad() - kernel) / stride + 1; }
};

Given random_of_dims(const Dims& dims, unsigned seed) { return {dims, random_floats(dims, seed)}; }

Entrant conv_by_onednn(bool fused, bool half, const Conv& c, const Given& x, const Given& w,
                       const Given& bias) {
  Chain chain(half);
  const Dims out_dims = {c.batch, c.kernels, c.after(), c.after()};
  const Dims strides = {c.stride, c.stride}, pads = {c.pad(), c.pad()};
  dnnl::primitive_attr attr;
  if (fused) {
    dnnl::post_ops then;
    then.append_eltwise(1, algorithm::eltwise_relu, 0.01f, 0);
    attr.set_post_ops(then);
  }
  using Convolution = dnnl::convolution_forward;
  const auto direct = algorithm::convolution_direct;
  const auto desc = fused ? Convolution::desc(kInference, direct, any(x.dims), any(w.dims),
                                              dense(bias.dims), any(out_dims), strides, pads, pads)
                          : Convolution::desc(kInference, direct, any(x.dims), any(w.dims),
                                              any(out_dims), strides, pads, pads);
  const Convolution::primitive_desc conv(desc, attr, chain.engine());
  const Memory in = chain.activation(x.values, x.dims, conv.src_desc());
  const Memory weights = chain.constant(w.values, w.dims, conv.weights_desc());
  const Memory out = chain.room(conv.dst_desc());
  chain.add(Convolution(conv),
            {{DNNL_ARG_SRC, in},
             {DNNL_ARG_WEIGHTS, weights},
             {DNNL_ARG_BIAS, chain.constant(bias.values, bias.dims, dense(bias.dims))},
             {DNNL_ARG_DST, out}});
  if (!fused) {
    const Dims channel = {1, c.kernels, 1, 1};
    chain.combine(algorithm::binary_add, out, chain.constant(bias.values, channel, dense(channel)),
                  out);
    chain.bend(algorithm::eltwise_relu, out, 0.01f);
  }
  return chain.entrant(fused ? kFused : kApart, {{out, out_dims}});
}

Contest conv(const Conv& c, DType dtype, unsigned threads) {
  const Given x = random_of_dims({c.batch, c.channels, c.size, c.size}, 1);
  const Given w = random_of_dims({c.kernels, c.channels, c.kernel, c.kernel}, 2);
  const Given bias = random_of_dims({c.kernels}, 3);
  const std::vector<int64_t> pads(4, c.pad());
  Contest contest =
      contest_of(dtype, "ConvBiasLeakyRelu", {{"x", x}, {"w", w}, {"bias", bias}},
                 {{"strides", std::vector<int64_t>{c.stride, c.stride}}, {"pads", pads}}, threads);
  for (const bool fused : {true, false})
    contest.entrants.push_back(conv_by_onednn(fused, dtype == DType::kFloat16, c, x, w, bias));
  contest.goals = goals_against(dtype, true, 1.2);
  return contest;
}

}  // namespace

std::vector<Case> convolution_cases() {
  const auto made = [](const char* name, const Conv& c) {
    return Case{name, [=](DType dtype, unsigned threads) { return conv(c, dtype, threads); }};
  };
  return {made("Conv 64->64 3x3 56^2", {1, 64, 64, 3, 1, 56}),
          made("Conv 3->64 7x7 s2 224^2", {1, 3, 64, 7, 2, 224}),
          made("Conv 4x 64->128 3x3 56^2", {4, 64, 128, 3, 1, 56})};
}

}  // namespace opkit::peers
