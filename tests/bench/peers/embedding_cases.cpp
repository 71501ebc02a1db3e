// Rows of a table added up by bags, and dense layers on the sums.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "tests/bench/peers/cases.h"
#include "tests/bench/peers/chain.h"

namespace opkit::peers {
namespace {

using dnnl::algorithm;

struct Layer {
  Given weights, bias;
};

struct Model {
  int64_t width, bags, bag;  // bag: ids of each
  Given table, ids, offsets;
  std::vector<Layer> layers;
};

Given numbers(int64_t count, const std::function<int64_t(int64_t)>& number) {
  Given given{{count}, Floats(static_cast<size_t>(count)), true};
  for (int64_t i = 0; i < count; ++i)
    given.values[static_cast<size_t>(i)] = static_cast<float>(number(i));
  return given;
}

Layer layer_of(int64_t from, int64_t to, unsigned seed) {
  return {{{from, to}, random_floats({from, to}, seed)}, {{to}, random_floats({to}, seed + 1)}};
}

Model model_of(int64_t rows, int64_t width, int64_t bags, int64_t bag) {
  std::mt19937 random(7);
  const auto any_row = [&](int64_t) { return static_cast<int64_t>(random()) % rows; };
  return {width,
          bags,
          bag,
          {{rows, width}, random_floats({rows, width}, 1)},
          numbers(bags * bag, any_row),
          numbers(bags, [&](int64_t b) { return b * bag; }),
          {layer_of(width, 256, 10), layer_of(256, 64, 20), layer_of(64, 1, 30)}};
}

std::vector<uint16_t> halves_of(const Floats& values) {
  std::vector<uint16_t> halves(values.size());
  to_halves(values.data(), halves.data(), static_cast<int64_t>(values.size()));
  return halves;
}

float float_of(float value) { return value; }
float float_of(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, sizeof half);
  return static_cast<float>(half);
}

// oneDNN has no bags: a loop of the kind that one writes for it.
template <typename T>
void pool(const Model& model, const T* table, float* sums) {
#pragma omp parallel for
  for (int64_t b = 0; b < model.bags; ++b) {
    float* sum = sums + b * model.width;
    std::fill(sum, sum + model.width, 0.0f);
    for (int64_t i = b * model.bag; i < (b + 1) * model.bag; ++i) {
      const auto id = static_cast<int64_t>(model.ids.values[static_cast<size_t>(i)]);
      const T* row = table + id * model.width;
#pragma omp simd
      for (int64_t c = 0; c < model.width; ++c) sum[c] += float_of(row[c]);
    }
  }
}

void add_pool(Chain& chain, bool half, const std::shared_ptr<const Model>& model, float* sums) {
  const float* table = model->table.values.data();
  if (!half) return chain.add([=] { pool(*model, table, sums); });
  const auto halves = std::make_shared<const std::vector<uint16_t>>(halves_of(model->table.values));
  chain.add([=] { pool(*model, halves->data(), sums); });
}

// A product with its bias, and ReLU where another layer follows.
Memory add_layer(Chain& chain, const Layer& layer, const Memory& in, int64_t rows, bool bent) {
  const int64_t to = layer.bias.dims[0];
  const Dims out_dims = {rows, to}, row = {1, to};
  dnnl::primitive_attr attr;
  if (bent) {
    dnnl::post_ops then;
    then.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    attr.set_post_ops(then);
  }
  const dnnl::matmul::primitive_desc product(
      {in.get_desc(), any(layer.weights.dims), dense(row), dense(out_dims)}, attr, chain.engine());
  const Memory out = chain.room(dense(out_dims));
  chain.add(dnnl::matmul(product),
            {{DNNL_ARG_SRC, in},
             {DNNL_ARG_WEIGHTS,
              chain.constant(layer.weights.values, layer.weights.dims, product.weights_desc())},
             {DNNL_ARG_BIAS, chain.constant(layer.bias.values, row, dense(row))},
             {DNNL_ARG_DST, out}});
  return out;
}

Entrant bags_by_onednn(bool half, const std::shared_ptr<const Model>& model) {
  Chain chain(half);
  const Memory pooled = chain.room(dense({model->bags, model->width}));
  add_pool(chain, half, model, static_cast<float*>(pooled.get_data_handle()));
  Memory values = pooled;
  for (size_t i = 0; i < model->layers.size(); ++i)
    values = add_layer(chain, model->layers[i], values, model->bags, i + 1 < model->layers.size());
  return chain.entrant(kApart, {{values, {model->bags, 1}}});
}

Contest embedding_bag(DType dtype, unsigned threads) {
  const auto model = std::make_shared<const Model>(model_of(100000, 64, 256, 20));
  std::map<std::string, Given> inputs = {
      {"table", model->table}, {"ids", model->ids}, {"offsets", model->offsets}};
  const char *const weights[] = {"w1", "w2", "w3"}, *const biases[] = {"b1", "b2", "b3"};
  for (size_t i = 0; i < model->layers.size(); ++i) {
    inputs[weights[i]] = model->layers[i].weights;
    inputs[biases[i]] = model->layers[i].bias;
  }
  Contest contest = contest_of(dtype, "EmbeddingBagMlp", inputs, {}, threads);
  contest.entrants.push_back(bags_by_onednn(dtype == DType::kFloat16, model));
  contest.goals = goals_against(dtype, false, 1.2);
  return contest;
}

}  // namespace

std::vector<Case> embedding_cases() { return {{"EmbeddingBag 100k x 64 + MLP", embedding_bag}}; }

}  // namespace opkit::peers
