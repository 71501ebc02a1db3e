// Element-wise, normalisation and softmax.
#include <cstring>

#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

using dnnl::algorithm;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

Entrant add_relu_by_onednn(bool fused, bool half, const Given& x, const Given& y) {
  Chain chain(half);
  const Desc desc = dense(x.dims);
  const Memory a = chain.activation(x.values, x.dims, desc);
  const Memory b = chain.activation(y.values, y.dims, desc);
  const Memory sum = chain.room(desc);
  if (fused) {
    dnnl::post_ops then;
    then.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attr;
    attr.set_post_ops(then);
    chain.add(dnnl::binary({{algorithm::binary_add, desc, desc, desc}, attr, chain.engine()}),
              {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, sum}});
  } else {
    chain.combine(algorithm::binary_add, a, b, sum);
    chain.bend(algorithm::eltwise_relu, sum);
  }
  return chain.entrant(fused ? kFused : kApart, {{sum, x.dims}});
}

Contest add_relu(int64_t n, DType dtype, unsigned threads) {
  const Given x{{n}, random_floats({n}, 1)}, y{{n}, random_floats({n}, 2)};
  Contest contest = contest_of(dtype, "AddRelu", {{"x", x}, {"y", y}}, {}, threads);
  for (const bool fused : {true, false})
    contest.entrants.push_back(add_relu_by_onednn(fused, dtype == DType::kFloat16, x, y));
  contest.goals = goals_against(dtype, true, 2);
  return contest;
}

Entrant layer_norm_gelu_by_onednn(bool half, const Given& x, const Given& scale,
                                  const Given& bias) {
  Chain chain(half);
  const Memory in = chain.activation(x.values, x.dims, dense(x.dims));
  const Memory out = chain.room(dense(x.dims));
  const dnnl::layer_normalization_forward norm(
      {{kInference, in.get_desc(), 1e-5f,
        dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift},
       chain.engine()});
  chain.add(norm, {{DNNL_ARG_SRC, in},
                   {DNNL_ARG_SCALE, chain.constant(scale.values, scale.dims, dense(scale.dims))},
                   {DNNL_ARG_SHIFT, chain.constant(bias.values, bias.dims, dense(bias.dims))},
                   {DNNL_ARG_DST, out}});
  chain.bend(algorithm::eltwise_gelu_tanh, out);
  return chain.entrant(kApart, {{out, x.dims}});
}

Contest layer_norm_gelu(DType dtype, unsigned threads) {
  const Dims dims = {512, 768}, row = {768};
  const Given x{dims, random_floats(dims, 1)}, scale{row, random_floats(row, 2)},
      bias{row, random_floats(row, 3)};
  Contest contest =
      contest_of(dtype, "LayerNormGelu", {{"x", x}, {"scale", scale}, {"bias", bias}}, {}, threads);
  contest.entrants.push_back(layer_norm_gelu_by_onednn(dtype == DType::kFloat16, x, scale, bias));
  contest.goals = goals_against(dtype, false, 2);
  return contest;
}

Entrant softmax_by_onednn(bool half, const Given& x) {
  Chain chain(half);
  const Memory in = chain.activation(x.values, x.dims, dense(x.dims));
  const Memory out = chain.room(dense(x.dims));
  chain.add(dnnl::softmax_forward({{kInference, in.get_desc(), 1}, chain.engine()}),
            {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
  return chain.entrant("oneDNN", {{out, x.dims}});
}

// Returns what the memory allows: as many bytes read and written. Its result is whatever is wanted.
Entrant copy_of(const Given& x, size_t element, const Entrant& wanted) {
  const size_t bytes = x.values.size() * element;
  auto from = std::make_shared<std::vector<char>>(bytes, 1);
  auto to = std::make_shared<std::vector<char>>(bytes, 2);
  constexpr int64_t kPart = 1 << 16;
  const auto parts = static_cast<int64_t>(bytes) / kPart;
  return {"copy of as many bytes",
          [=] {
#pragma omp parallel for
            for (int64_t i = 0; i < parts; ++i)
              std::memcpy(to->data() + i * kPart, from->data() + i * kPart, kPart);
          },
          wanted.result};
}

Contest softmax(DType dtype, unsigned threads) {
  const Dims dims = {4096, 1024};
  const Given x{dims, random_floats(dims, 1)};
  Contest contest = contest_of(dtype, "Softmax", {{"x", x}}, {}, threads);
  contest.entrants.push_back(softmax_by_onednn(dtype == DType::kFloat16, x));
  contest.entrants.push_back(
      copy_of(x, dtype == DType::kFloat16 ? 2 : 4, contest.entrants.front()));
  contest.goals = {{"oneDNN", dtype == DType::kFloat16 ? 2.0 : 1.0},
                   {"copy of as many bytes", 0.9}};
  return contest;
}

}  // namespace

std::vector<Case> elementwise_cases() {
  const auto sized = [](int64_t n, const char* name) {
    return Case{name, [=](DType dtype, unsigned threads) {
                  return add_relu(n / (dtype == DType::kFloat16 ? 2 : 4), dtype, threads);
                }};
  };
  return {sized(1 << 20, "AddRelu 1 MiB"),
          sized(1 << 26, "AddRelu 64 MiB"),
          {"LayerNorm+GELU 512x768", layer_norm_gelu},
          {"softmax 4096x1024", softmax}};
}

}  // namespace opkit::peers
