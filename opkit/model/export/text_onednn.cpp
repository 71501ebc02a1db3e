#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kOneDnnHeader =
    R"source(// Steps on oneDNN: primitives are made once, with weights in the
// layout that each wants, and run for every sample.
#pragma once

#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "products.h"

namespace onednn {

using dnnl::algorithm;
using dnnl::memory;
using Sizes = memory::dims;

// Where a tensor lies when it is dense, its dims, and its steps
// where they are others than those of dense rows.
struct Tensor {
  float* place = nullptr;
  Sizes dims;
  Sizes steps;
  bool constant = false;
};
inline Tensor tensor(float* place, Sizes dims, Sizes steps = {}) {
  return {place, std::move(dims), std::move(steps), false};
}
// REQUIRES: the elements never change.
inline Tensor tensor(const float* place, Sizes dims, Sizes steps = {}) {
  return {const_cast<float*>(place), std::move(dims), std::move(steps), true};
}

// What is done to a result: a function, or another tensor that is
// added, multiplied or the like. `last`: nothing reads it later.
struct Then {
  algorithm what;
  float alpha = 0, beta = 0;
  Tensor operand = {};
  bool last = false;
};
using Thens = std::vector<Then>;

// The steps of a model, in order. A tensor keeps the layout in which
// a step gives it until a loop reads it.
class Plan {
 public:
  // Adds a step. False, with nothing added: the library has no fast
  // form of it. A bias or operand without a place is none.
  bool conv(const loops::Window& window, int64_t groups, const Tensor& x, const Tensor& w,
            const Tensor& bias, const Tensor& y, const Thens& thens);
  bool matmul(const Tensor& a, const Tensor& b, const Tensor& bias, const Tensor& y,
              const Thens& thens);
  bool pool(const loops::Window& window, algorithm kind, const Tensor& x, const Tensor& y);
  bool apply(const Then& then, const Tensor& x, const Tensor& y);
  bool softmax(int axis, const Tensor& x, const Tensor& y);
  bool layer_norm(float epsilon, const Tensor& x, const Tensor& scale, const Tensor& bias,
                  const Tensor& y);
  bool join(int axis, const std::vector<Tensor>& x, const Tensor& y);
  // Lays elements of x, read by its steps, out as dense ones.
  bool move(const Tensor& x, const Tensor& y);

  // Adds a loop that reads and writes dense tensors.
  void loop(const std::vector<const void*>& reads, const std::vector<const void*>& writes,
            std::function<void()> body);
  // Rounds each element of a step's result, in whatever layout.
  void round(const void* place, void (*each)(int64_t count, float* v));
  // Makes a result of the model dense.
  void give(const void* place) { make_dense(place); }
  // Nothing reads the tensor any more.
  void release(const void* place);

  void run();

 private:
  struct State {
    Sizes dims;
    std::vector<memory> forms;  // the first as the step gave it
    std::vector<memory> views;  // have other dims
    bool dense = true;
  };
  using Arguments = std::unordered_map<int, memory>;

  memory::desc layout(const Tensor& t) const;
  memory read(const Tensor& t, const memory::desc& wanted);
  memory write(const Tensor& t, const memory::desc& given);
  memory write_sum(const Then& sum, bool in_place, const Tensor& y, const memory::desc& given);
  memory take(const memory::desc& desc, bool kept = false);
  void make_dense(const void* place);
  void reorder(const memory& from, const memory& to);
  void add_operands(const Thens& thens, size_t first, Arguments& arguments);
  dnnl::primitive_attr attributes(const Thens& thens, bool summed) const;
  void add(dnnl::primitive primitive, Arguments arguments);

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::unordered_map<const void*, State> states_;
  std::vector<std::unique_ptr<char[]>> owned_;
  std::unordered_map<const void*, size_t> sizes_;  // holds the bytes of each buffer
  std::vector<void*> free_;
  std::vector<std::function<void()>> steps_;
};

}  // namespace onednn
)source";

const char* const kOneDnnLayouts = R"source(// Layouts and memory of the steps on oneDNN.
#include "onednn.h"

namespace onednn {

memory::desc dense(const Tensor& t) {
  Sizes steps = t.steps;
  if (steps.empty()) {
    steps.resize(t.dims.size());
    memory::dim step = 1;
    for (size_t d = t.dims.size(); d-- > 0; step *= t.dims[d]) steps[d] = step;
  }
  return {t.dims, memory::data_type::f32, steps};
}

memory::desc Plan::layout(const Tensor& t) const {
  const auto found = states_.find(t.place);
  if (found == states_.end() || found->second.forms.empty() || found->second.dims != t.dims ||
      !t.steps.empty())
    return dense(t);
  return found->second.forms[0].get_desc();
}

void Plan::reorder(const memory& from, const memory& to) {
  add(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

void Plan::add(dnnl::primitive primitive, Arguments arguments) {
  steps_.push_back([this, primitive = std::move(primitive), arguments = std::move(arguments)] {
    primitive.execute(stream_, arguments);
  });
}

// The smallest free buffer that is large enough, else a new one. One
// that is kept is not shared with steps before.
memory Plan::take(const memory::desc& desc, bool kept) {
  const size_t size = desc.get_size();
  auto best = free_.end();
  for (auto one = free_.begin(); !kept && one != free_.end(); ++one) {
    if (sizes_[*one] >= size && (best == free_.end() || sizes_[*one] < sizes_[*best])) best = one;
  }
  void* buffer = nullptr;
  if (best != free_.end()) {
    buffer = *best;
    free_.erase(best);
  } else {
    owned_.emplace_back(new char[size + 64]());
    const size_t past = reinterpret_cast<uintptr_t>(owned_.back().get()) % 64;
    buffer = owned_.back().get() + (64 - past);
    sizes_[buffer] = size;
  }
  return memory(desc, engine_, buffer);
}

// Constants are laid out at once, all else in a step.
memory Plan::read(const Tensor& t, const memory::desc& wanted) {
  const memory::desc own = dense(t);
  State& state = states_.try_emplace(t.place, State{t.dims, {}, {}, true}).first->second;
  const bool formed = state.dims == t.dims && t.steps.empty();
  if (formed) {
    for (const memory& form : state.forms) {
      if (form.get_desc() == wanted) return form;
    }
  }
  if (!formed || own == wanted) make_dense(t.place);
  const memory plain(own, engine_, t.place);
  if (own == wanted) return plain;
  memory to = take(wanted, t.constant);
  memory from = state.dense || !formed ? plain : state.forms[0];
  if (t.constant) {
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  } else {
    reorder(from, to);
  }
  (formed ? state.forms : state.views).push_back(to);
  return to;
}

memory Plan::write(const Tensor& t, const memory::desc& given) {
  release(t.place);
  State& state = states_[t.place];
  state.dims = t.dims;
  state.dense = given == dense(t);
  if (state.dense) return memory(given, engine_, t.place);
  state.forms = {take(given)};
  return state.forms[0];
}

// A sum is added to what lies in the result's memory: the operand, or
// a copy of it.
memory Plan::write_sum(const Then& sum, bool in_place, const Tensor& y,
                       const memory::desc& given) {
  const Tensor& operand = sum.operand;
  const auto found = states_.find(operand.place);
  if (sum.last && in_place && found != states_.end() && found->second.dims == operand.dims) {
    std::vector<memory>& forms = found->second.forms;
    for (auto form = forms.begin(); form != forms.end(); ++form) {
      if (form->get_desc() != given) continue;
      const memory own = *form;
      forms.erase(form);
      release(y.place);
      states_[y.place] = {y.dims, {own}, {}, false};
      return own;
    }
  }
  const memory from = read(operand, layout(operand));
  const memory to = write(y, given);
  reorder(from, to);
  return to;
}

void Plan::make_dense(const void* place) {
  const auto found = states_.find(place);
  if (found == states_.end() || found->second.dense) return;
  const Tensor t = tensor(static_cast<float*>(const_cast<void*>(place)), found->second.dims);
  reorder(found->second.forms[0], memory(dense(t), engine_, t.place));
  found->second.dense = true;
}

void Plan::release(const void* place) {
  const auto found = states_.find(place);
  if (found == states_.end()) return;
  for (const auto* all : {&found->second.forms, &found->second.views}) {
    for (const memory& form : *all) free_.push_back(form.get_data_handle());
  }
  states_.erase(found);
}

void Plan::loop(const std::vector<const void*>& reads, const std::vector<const void*>& writes,
                std::function<void()> body) {
  for (const void* place : reads) make_dense(place);
  for (const void* place : writes) release(place);
  steps_.push_back(std::move(body));
}

void Plan::round(const void* place, void (*each)(int64_t, float*)) {
  const Tensor y = tensor(static_cast<float*>(const_cast<void*>(place)), states_.at(place).dims);
  const memory own = read(y, layout(y));
  auto* const values = static_cast<float*>(own.get_data_handle());
  const auto count = static_cast<int64_t>(own.get_desc().get_size() / sizeof(float));
  steps_.push_back([=] { each(count, values); });
}

void Plan::run() {
  for (const auto& step : steps_) step();
  stream_.wait();
}

}  // namespace onednn
)source";

}  // namespace opkit::model_export
