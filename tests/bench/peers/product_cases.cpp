// Products of matrices, and what is made of them.
#include <cmath>

#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

using dnnl::algorithm;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

Given random_of(const Dims& dims, unsigned seed) { return {dims, random_floats(dims, seed)}; }

Entrant linear_by_onednn(bool fused, bool half, const Given& x, const Given& w, const Given& bias) {
  Chain chain(half);
  const Dims dims = {x.dims[0], w.dims[1]}, row = {1, w.dims[1]};
  const Memory in = chain.activation(x.values, x.dims, dense(x.dims));
  dnnl::primitive_attr attr;
  if (fused) {
    dnnl::post_ops then;
    then.append_eltwise(1, algorithm::eltwise_gelu_tanh, 0, 0);
    attr.set_post_ops(then);
  }
  const auto desc = fused ? dnnl::matmul::desc(dense(x.dims), any(w.dims), dense(row), dense(dims))
                          : dnnl::matmul::desc(dense(x.dims), any(w.dims), dense(dims));
  const dnnl::matmul::primitive_desc product(desc, attr, chain.engine());
  const Memory weights = chain.constant(w.values, w.dims, product.weights_desc());
  const Memory offsets = chain.constant(bias.values, row, dense(row));
  const Memory out = chain.room(dense(dims));
  Arguments arguments = {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, out}};
  if (fused) arguments.emplace(DNNL_ARG_BIAS, offsets);
  chain.add(dnnl::matmul(product), std::move(arguments));
  if (!fused) {
    chain.combine(algorithm::binary_add, out, offsets, out);
    chain.bend(algorithm::eltwise_gelu_tanh, out);
  }
  return chain.entrant(fused ? kFused : kApart, {{out, dims}});
}

Contest linear(int64_t m, int64_t k, int64_t n, DType dtype, unsigned threads) {
  const Given x = random_of({m, k}, 1), w = random_of({k, n}, 2), bias = random_of({n}, 3);
  Contest contest = contest_of(dtype, "LinearAddGelu", {{"x", x}, {"w", w}, {"bias", bias}},
                               {{"approximate", std::string("tanh")}}, threads);
  for (const bool fused : {true, false})
    contest.entrants.push_back(linear_by_onednn(fused, dtype == DType::kFloat16, x, w, bias));
  contest.goals = goals_against(dtype, true, 1.2);
  return contest;
}

// Heads stand in front, as the op's do.
Entrant attention_by_onednn(bool half, const Given& q, const Given& k, const Given& v,
                            float scale) {
  Chain chain(half);
  const int64_t heads = q.dims[1], rows = q.dims[2], depth = q.dims[3], keys = k.dims[2];
  const Dims all = {heads, rows, depth}, turned = {heads, depth, keys},
             scores = {heads, rows, keys};
  const Memory queries = chain.activation(q.values, all, dense(all));
  const Memory stored =
      chain.activation(k.values, {heads, keys, depth}, dense({heads, keys, depth}));
  const Memory values =
      chain.activation(v.values, {heads, keys, depth}, dense({heads, keys, depth}));
  const Desc transposed(turned, Memory::data_type::f32, {keys * depth, 1, depth});
  const Memory weights = chain.room(dense(scores)), out = chain.room(dense(all));
  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {scale});
  chain.add(
      dnnl::matmul({{queries.get_desc(), transposed, weights.get_desc()}, scaled, chain.engine()}),
      {{DNNL_ARG_SRC, queries},
       {DNNL_ARG_WEIGHTS, chain.view(stored, transposed)},
       {DNNL_ARG_DST, weights}});
  chain.add(dnnl::softmax_forward({{kInference, weights.get_desc(), 2}, chain.engine()}),
            {{DNNL_ARG_SRC, weights}, {DNNL_ARG_DST, weights}});
  chain.add(dnnl::matmul({{weights.get_desc(), values.get_desc(), out.get_desc()}, chain.engine()}),
            {{DNNL_ARG_SRC, weights}, {DNNL_ARG_WEIGHTS, values}, {DNNL_ARG_DST, out}});
  return chain.entrant(kApart, {{out, all}});
}

Contest attention(DType dtype, unsigned threads) {
  const Dims dims = {1, 8, 512, 64};
  const float scale = 0.125f;
  const Given q = random_of(dims, 1), k = random_of(dims, 2), v = random_of(dims, 3);
  Contest contest = contest_of(dtype, "FlashAttention", {{"q", q}, {"k", k}, {"v", v}},
                               {{"scale", static_cast<double>(scale)}}, threads);
  contest.entrants.push_back(attention_by_onednn(dtype == DType::kFloat16, q, k, v, scale));
  contest.goals = goals_against(dtype, false, 1.2);
  return contest;
}

struct Cell {
  Given x, h, c, w_x, w_h, bias;
  int64_t rows, width;
};

Entrant fused_lstm(bool half, const Cell& cell) {
  Chain chain(half);
  const int64_t n = cell.rows, w = cell.width;
  const Dims layer = {1, n, w}, state = {1, 1, n, w}, weights = {1, 1, w, 4, w}, row = {1, 1, 4, w};
  const dnnl::lstm_forward::primitive_desc step(
      {kInference, dnnl::rnn_direction::unidirectional_left2right, dense(layer), dense(state),
       dense(state), any(weights), any(weights), dense(row), dense(layer), dense(state),
       dense(state)},
      chain.engine());
  const Memory out = chain.room(dense(layer)), next = chain.room(dense(state)),
               kept = chain.room(dense(state));
  chain.add(
      dnnl::lstm_forward(step),
      {{DNNL_ARG_SRC_LAYER, chain.activation(cell.x.values, layer, dense(layer))},
       {DNNL_ARG_SRC_ITER, chain.activation(cell.h.values, state, dense(state))},
       {DNNL_ARG_SRC_ITER_C, chain.activation(cell.c.values, state, dense(state))},
       {DNNL_ARG_WEIGHTS_LAYER,
        chain.constant(cell.w_x.values, weights, step.weights_layer_desc())},
       {DNNL_ARG_WEIGHTS_ITER, chain.constant(cell.w_h.values, weights, step.weights_iter_desc())},
       {DNNL_ARG_BIAS, chain.constant(cell.bias.values, row, dense(row))},
       {DNNL_ARG_DST_LAYER, out},
       {DNNL_ARG_DST_ITER, next},
       {DNNL_ARG_DST_ITER_C, kept}});
  return chain.entrant(kFused, {{out, layer}, {kept, state}});
}

void multiply(Chain& chain, const Memory& a, const Given& b, const Memory& to) {
  const dnnl::matmul::primitive_desc product({a.get_desc(), any(b.dims), to.get_desc()},
                                             chain.engine());
  const Memory weights = chain.constant(b.values, b.dims, product.weights_desc());
  chain.add(dnnl::matmul(product),
            {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, to}});
}

Entrant lstm_apart(bool half, const Cell& cell) {
  Chain chain(half);
  const int64_t n = cell.rows, w = cell.width;
  const Dims state = {n, w}, gates = {n, 4 * w}, row = {1, 4 * w};
  const auto made = [&] { return chain.room(dense(state)); };
  const Memory of_x = chain.room(dense(gates)), of_h = chain.room(dense(gates));
  multiply(chain, chain.activation(cell.x.values, state, dense(state)), cell.w_x, of_x);
  multiply(chain, chain.activation(cell.h.values, state, dense(state)), cell.w_h, of_h);
  chain.combine(algorithm::binary_add, of_x, of_h, of_x);
  chain.combine(algorithm::binary_add, of_x, chain.constant(cell.bias.values, row, dense(row)),
                of_x);
  const auto gate = [&](int64_t i, algorithm bent) {
    const Memory view(of_x.get_desc().submemory_desc(state, {0, i * w}), chain.engine(),
                      of_x.get_data_handle());
    chain.bend(bent, view);
    return view;
  };
  const Memory input = gate(0, algorithm::eltwise_logistic),
               forget = gate(1, algorithm::eltwise_logistic),
               candidate = gate(2, algorithm::eltwise_tanh),
               output = gate(3, algorithm::eltwise_logistic);
  const Memory before = chain.activation(cell.c.values, state, dense(state));
  const Memory taken = made(), kept = made(), bent = made(), next = made();
  chain.combine(algorithm::binary_mul, input, candidate, taken);
  chain.combine(algorithm::binary_mul, forget, before, kept);
  chain.combine(algorithm::binary_add, kept, taken, kept);
  const dnnl::eltwise_forward::desc tanh(kInference, algorithm::eltwise_tanh, kept.get_desc(), 0);
  chain.add(dnnl::eltwise_forward({tanh, chain.engine()}),
            {{DNNL_ARG_SRC, kept}, {DNNL_ARG_DST, bent}});
  chain.combine(algorithm::binary_mul, output, bent, next);
  return chain.entrant(kApart, {{next, state}, {kept, state}});
}

Contest lstm_cell(DType dtype, unsigned threads) {
  const int64_t n = 32, w = 512;
  const Cell cell{random_of({n, w}, 1),
                  random_of({n, w}, 2),
                  random_of({n, w}, 3),
                  random_of({w, 4 * w}, 4),
                  random_of({w, 4 * w}, 5),
                  random_of({4 * w}, 6),
                  n,
                  w};
  Contest contest = contest_of(dtype, "LstmCell",
                               {{"x", cell.x},
                                {"h", cell.h},
                                {"c", cell.c},
                                {"w_x", cell.w_x},
                                {"w_h", cell.w_h},
                                {"bias", cell.bias}},
                               {}, threads);
  const bool half = dtype == DType::kFloat16;
  contest.entrants.push_back(fused_lstm(half, cell));
  contest.entrants.push_back(lstm_apart(half, cell));
  contest.goals = goals_against(dtype, true, 1.2);
  return contest;
}

}  // namespace

std::vector<Case> product_cases() {
  const auto sized = [](int64_t m, int64_t k, int64_t n) {
    return Case{
        "LinearAddGelu " + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n),
        [=](DType dtype, unsigned threads) { return linear(m, k, n, dtype, threads); }};
  };
  return {sized(32, 128, 256),
          sized(512, 768, 3072),
          sized(1024, 1024, 1024),
          {"attention 8x512x64", attention},
          {"LSTM cell 32x512", lstm_cell}};
}

}  // namespace opkit::peers
