#include "tests/bench/peers/chain.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

namespace opkit::peers {
namespace {

Dims row_strides(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

int64_t floats_in(const Memory& memory) {
  return static_cast<int64_t>(memory.get_desc().get_size() / sizeof(float));
}

float* data_of(const Memory& memory) { return static_cast<float*>(memory.get_data_handle()); }

}  // namespace

Desc dense(const Dims& dims) { return Desc(dims, Memory::data_type::f32, row_strides(dims)); }
Desc any(const Dims& dims) { return Desc(dims, Memory::data_type::f32, Memory::format_tag::any); }

void set_threads(unsigned threads) { omp_set_num_threads(static_cast<int>(threads)); }

void to_floats(const uint16_t* from, float* to, int64_t count) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < count; ++i) {
    _Float16 half;
    std::memcpy(&half, from + i, sizeof half);
    to[i] = static_cast<float>(half);
  }
}

void to_halves(const float* from, uint16_t* to, int64_t count) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < count; ++i) {
    const auto half = static_cast<_Float16>(from[i]);
    std::memcpy(to + i, &half, sizeof half);
  }
}

Memory Chain::view(const Memory& of, const Desc& as) {
  viewed_.push_back(of);
  return Memory(as, engine_, of.get_data_handle());
}

Memory Chain::constant(const Floats& values, const Dims& dims, const Desc& as) {
  Memory plain = room(dense(dims));
  std::copy(values.begin(), values.end(), data_of(plain));
  if (as == plain.get_desc()) return plain;
  Memory laid_out = room(as);
  dnnl::reorder(plain, laid_out).execute(stream_, plain, laid_out);
  stream_.wait();
  return laid_out;
}

Memory Chain::activation(const Floats& values, const Dims& dims, const Desc& as) {
  Memory memory = constant(values, dims, as);
  if (!half_) return memory;
  auto halves = std::make_shared<std::vector<uint16_t>>(floats_in(memory));
  to_halves(data_of(memory), halves->data(), floats_in(memory));
  add([=] { to_floats(halves->data(), data_of(memory), floats_in(memory)); });
  return memory;
}

void Chain::add(const dnnl::primitive& primitive, Arguments arguments) {
  add([stream = stream_, primitive, arguments = std::move(arguments)] {
    primitive.execute(stream, arguments);
  });
}

void Chain::bend(dnnl::algorithm algorithm, const Memory& values, float alpha, float beta) {
  const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference, algorithm,
                                         values.get_desc(), alpha, beta);
  add(dnnl::eltwise_forward({desc, engine_}), {{DNNL_ARG_SRC, values}, {DNNL_ARG_DST, values}});
}

void Chain::combine(dnnl::algorithm algorithm, const Memory& a, const Memory& b, const Memory& to) {
  const dnnl::binary::desc desc(algorithm, a.get_desc(), b.get_desc(), to.get_desc());
  add(dnnl::binary({desc, engine_}),
      {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, to}});
}

void Chain::run() {
  for (const auto& step : steps_) step();
  stream_.wait();
}

Floats Chain::read(const Memory& memory, const Dims& dims) {
  Memory from = memory, plain = room(dense(dims));
  dnnl::reorder(from, plain).execute(stream_, from, plain);
  stream_.wait();
  return Floats(data_of(plain), data_of(plain) + elements_of(dims));
}

Entrant Chain::entrant(const std::string& name, std::vector<std::pair<Memory, Dims>> results) {
  if (half_) {
    for (const auto& [memory, dims] : results) {
      auto halves = std::make_shared<std::vector<uint16_t>>(floats_in(memory));
      add([=, memory = memory] { to_halves(data_of(memory), halves->data(), floats_in(memory)); });
    }
  }
  auto chain = std::make_shared<Chain>(std::move(*this));
  return {name, [chain] { chain->run(); },
          [chain, results] {
            Floats all;
            for (const auto& [memory, dims] : results) {
              const Floats one = chain->read(memory, dims);
              all.insert(all.end(), one.begin(), one.end());
            }
            return all;
          }};
}

}  // namespace opkit::peers
