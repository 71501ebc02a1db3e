// Depthwise-separable convolutions: every channel by itself, then all channels of a pixel together,
// each part normalised by given statistics, with ReLU.
#include <cmath>

#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

using dnnl::algorithm;
using Convolution = dnnl::convolution_forward;
using Normalisation = dnnl::batch_normalization_forward;
constexpr auto kInference = dnnl::prop_kind::forward_inference;
constexpr float kEpsilon = 1e-5f;

struct Part {
  Given weights, scale, bias, mean, variance;
  Dims grouped;  // the weights', as oneDNN has them
  Dims out;
  Dims pads;

  float factor(size_t channel) const {
    return scale.values[channel] / std::sqrt(variance.values[channel] + kEpsilon);
  }
};

Part part_of(const Dims& weights, const Dims& grouped, const Dims& out, int64_t pad,
             unsigned seed) {
  const Dims channel = {out[1]};
  const auto random = [&](unsigned more) {
    return Given{channel, random_floats(channel, seed + more)};
  };
  Part part{{weights, random_floats(weights, seed)},
            random(1),
            random(2),
            random(3),
            random(4),
            grouped,
            out,
            {pad, pad}};
  for (float& value : part.variance.values) value = 0.5f + std::fabs(value);
  return part;
}

struct Separable {
  Given x;
  Part depth, point;
};

Separable separable_of(int64_t channels, int64_t kernels, int64_t size) {
  const Dims in = {1, channels, size, size};
  return {{in, random_floats(in, 1)},
          part_of({channels, 1, 3, 3}, {channels, 1, 1, 3, 3}, in, 1, 10),
          part_of({kernels, channels, 1, 1}, {kernels, channels, 1, 1}, {1, kernels, size, size}, 0,
                  20)};
}

Convolution::primitive_desc convolution_of(const Chain& chain, const Part& part, const Desc& in,
                                           bool bias, const dnnl::primitive_attr& attr) {
  const Dims ones = {1, 1};
  const auto direct = algorithm::convolution_direct;
  const auto desc =
      bias ? Convolution::desc(kInference, direct, in, any(part.grouped), dense(part.bias.dims),
                               any(part.out), ones, part.pads, part.pads)
           : Convolution::desc(kInference, direct, in, any(part.grouped), any(part.out), ones,
                               part.pads, part.pads);
  return {desc, attr, chain.engine()};
}

// The normalisation is part of weights and bias, ReLU of the primitive.
Memory fold(Chain& chain, const Part& part, const Convolution::primitive_desc& conv,
            const Memory& in) {
  Floats weights = part.weights.values, bias = part.bias.values;
  const size_t each = weights.size() / bias.size();
  for (size_t i = 0; i < weights.size(); ++i) weights[i] *= part.factor(i / each);
  for (size_t c = 0; c < bias.size(); ++c) bias[c] -= part.mean.values[c] * part.factor(c);
  const Memory out = chain.room(conv.dst_desc());
  chain.add(Convolution(conv),
            {{DNNL_ARG_SRC, in},
             {DNNL_ARG_WEIGHTS, chain.constant(weights, part.grouped, conv.weights_desc())},
             {DNNL_ARG_BIAS, chain.constant(bias, part.bias.dims, dense(part.bias.dims))},
             {DNNL_ARG_DST, out}});
  return out;
}

// Convolution, then the normalisation with its own ReLU.
Memory apart(Chain& chain, const Part& part, const Convolution::primitive_desc& conv,
             const Memory& in) {
  const Memory out = chain.room(conv.dst_desc());
  const Memory weights = chain.constant(part.weights.values, part.grouped, conv.weights_desc());
  chain.add(Convolution(conv),
            {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, out}});
  using dnnl::normalization_flags;
  const Normalisation::desc desc(
      kInference, out.get_desc(), kEpsilon,
      normalization_flags::use_global_stats | normalization_flags::use_scale |
          normalization_flags::use_shift | normalization_flags::fuse_norm_relu);
  const auto numbers = [&](const Given& given) {
    return chain.constant(given.values, given.dims, dense(given.dims));
  };
  chain.add(Normalisation({desc, chain.engine()}), {{DNNL_ARG_SRC, out},
                                                    {DNNL_ARG_SCALE, numbers(part.scale)},
                                                    {DNNL_ARG_SHIFT, numbers(part.bias)},
                                                    {DNNL_ARG_MEAN, numbers(part.mean)},
                                                    {DNNL_ARG_VARIANCE, numbers(part.variance)},
                                                    {DNNL_ARG_DST, out}});
  return out;
}

Entrant separable_by_onednn(bool fused, bool half, const Separable& s) {
  Chain chain(half);
  dnnl::primitive_attr attr;
  if (fused) {
    dnnl::post_ops then;
    then.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    attr.set_post_ops(then);
  }
  const auto part = fused ? fold : apart;
  const auto depth = convolution_of(chain, s.depth, any(s.x.dims), fused, attr);
  const Memory in = chain.activation(s.x.values, s.x.dims, depth.src_desc());
  const Memory between = part(chain, s.depth, depth, in);
  const auto point = convolution_of(chain, s.point, between.get_desc(), fused, attr);
  return chain.entrant(fused ? kFused : kApart,
                       {{part(chain, s.point, point, between), s.point.out}});
}

// oneDNN's depthwise post-op stands behind a pointwise convolution, not in front of it: no
// primitive computes the case as a whole.
Contest separable(int64_t channels, int64_t kernels, int64_t size, DType dtype, unsigned threads) {
  const Separable s = separable_of(channels, kernels, size);
  Contest contest = contest_of(dtype, "DepthwiseSeparableConv",
                               {{"x", s.x},
                                {"depth_w", s.depth.weights},
                                {"depth_scale", s.depth.scale},
                                {"depth_bias", s.depth.bias},
                                {"depth_mean", s.depth.mean},
                                {"depth_variance", s.depth.variance},
                                {"point_w", s.point.weights},
                                {"point_scale", s.point.scale},
                                {"point_bias", s.point.bias},
                                {"point_mean", s.point.mean},
                                {"point_variance", s.point.variance}},
                               {{"group", channels}}, threads);
  for (const bool fused : {true, false})
    contest.entrants.push_back(separable_by_onednn(fused, dtype == DType::kFloat16, s));
  contest.goals = goals_against(dtype, false, 1.2);
  return contest;
}

}  // namespace

std::vector<Case> separable_cases() {
  const auto sized = [](const char* name, int64_t channels, int64_t kernels, int64_t size) {
    return Case{name, [=](DType dtype, unsigned threads) {
                  return separable(channels, kernels, size, dtype, threads);
                }};
  };
  return {sized("Depthwise-separable 32->64 112^2", 32, 64, 112),
          sized("Depthwise-separable 256->256 28^2", 256, 256, 28),
          sized("Depthwise-separable 512->512 14^2", 512, 512, 14)};
}

}  // namespace opkit::peers
