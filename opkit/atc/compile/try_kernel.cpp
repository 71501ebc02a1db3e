#include "opkit/atc/compile/try_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "opkit/contract/lower.h"
#include "opkit/reference/evaluate.h"

namespace opkit::compile {
namespace {

using graph::RefTensor;

// Integers up to this are exact in the dtype, and so are their sums on the way.
double exact_up_to(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return 2048;
    case DType::kBFloat16: return 256;
    default: return 16777216;
  }
}

bool is_quantized(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUInt8; }

class Trial {
 public:
  Trial(const graph::Graph& graph, const Candidate& candidate, TrialData data)
      : graph_(graph),
        candidate_(candidate),
        contract_(candidate.op->contract()),
        parts_(data == TrialData::kFractions ? 64 : 1) {}

  Status run(KernelProof& proof) {
    OPKIT_CHECK(make_inputs());
    OPKIT_TRY(const LoweredReference lowered, lower_reference(contract_, call_));
    OPKIT_TRY(const reference::NamedTensors expected, evaluate_all(lowered.graph));
    OPKIT_TRY(const Ports outputs, launch());
    proof.exact = is_exact(expected);
    compare(lowered, expected, outputs, proof);
    return {};
  }

 private:
  Status make_inputs() {
    const Binding& binding = candidate_.plan->binding;
    call_ = {{}, binding.attrs, binding.scope, binding.column};
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      inputs_.emplace_back();
      call_.inputs.emplace_back();
      for (size_t i = 0; i < candidate_.match.inputs[p].size(); ++i) OPKIT_CHECK(make_input(p, i));
    }
    return {};
  }

  // Makes an input: what the host must know, integers, and whatever decides about integers are the
  // model's; everything else is drawn.
  Status make_input(size_t p, size_t i) {
    const Port& port = contract_.inputs[p];
    const graph::ValueInfo& value = graph_.values.at(candidate_.match.inputs[p][i]);
    const bool keep =
        value.constant && (port.value_depend || !is_float(value.dtype) || quantizes());
    RefTensor tensor = keep ? *value.constant : drawn(port, value);
    OPKIT_TRY(Tensor stored, reference::to_tensor(tensor));
    stored.desc().name = port.name;
    stored.desc().format = port.formats[candidate_.plan->binding.column];
    inputs_.back().push_back(std::move(stored));
    call_.inputs.back().push_back(value);
    named_[tensor_name(port, i)] = std::move(tensor);
    return {};
  }

  // Drawn scales would saturate whatever they scale.
  bool quantizes() const {
    const size_t column = candidate_.plan->binding.column;
    return std::any_of(contract_.outputs.begin(), contract_.outputs.end(),
                       [&](const Port& port) { return is_quantized(port.dtypes[column]); });
  }

  RefTensor drawn(const Port& port, const graph::ValueInfo& value) {
    const auto range = value_range(port, candidate_.plan->binding.scope);
    double low = value.dtype == DType::kBool || value.dtype == DType::kUInt8 ? 0 : -2, high = 2;
    if (value.dtype == DType::kBool) high = 1;
    if (range.ok() && *range) {
      low = std::max(low, std::ceil((*range)->first));
      high = std::max(low, std::min(high, std::floor((*range)->second)));
    }
    RefTensor tensor{value.dtype, *value.shape, {}};
    const int parts = is_float(value.dtype) ? parts_ : 1;
    std::uniform_int_distribution<int> number(static_cast<int>(low) * parts,
                                              static_cast<int>(high) * parts);
    const int64_t count = value.shape->elements();
    for (int64_t k = 0; k < count; ++k)
      tensor.values.push_back(static_cast<double>(number(random_)) / parts);
    return tensor;
  }

  // Returns every value of the reference, to see whether all of them are integers.
  Result<reference::NamedTensors> evaluate_all(graph::Graph graph) const {
    for (const graph::Node& node : graph.nodes) {
      for (const std::string& output : node.outputs) {
        if (!output.empty()) graph.outputs.push_back(output);
      }
    }
    return reference::evaluate(graph, named_);
  }

  static bool is_exact(const reference::NamedTensors& values) {
    for (const auto& [name, tensor] : values) {
      const double most = exact_up_to(tensor.dtype);
      for (const double v : tensor.values) {
        if (v != std::floor(v) || std::abs(v) > most) return false;
      }
    }
    return true;
  }

  Result<Ports> launch() {
    OPKIT_TRY(Executor * executor, candidate_.op->executor());
    Invocation invocation;
    invocation.contract = &contract_;
    invocation.soc = candidate_.plan->soc->name;
    invocation.inputs = inputs_;
    invocation.attrs = candidate_.plan->binding.attrs;
    invocation.threads = 0;
    invocation.plan = candidate_.plan;
    OPKIT_TRY(Execution execution, executor->run(std::move(invocation)));
    return std::move(execution.outputs);
  }

  void compare(const LoweredReference& lowered, const reference::NamedTensors& expected,
               const Ports& outputs, KernelProof& proof) const {
    for (size_t p = 0; p < outputs.size(); ++p) {
      for (size_t i = 0; i < outputs[p].size(); ++i)
        compare(contract_.outputs[p].name, expected.at(lowered.outputs[p][i]), outputs[p][i],
                proof);
    }
  }

  static void compare(const std::string& name, const RefTensor& expected, const Tensor& got,
                      KernelProof& proof) {
    double largest = 1;
    for (const double v : expected.values) {
      if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    }
    const double tolerance =
        is_quantized(expected.dtype) ? 1 / largest : tolerance_of(expected.dtype);  // one step
    const double allowed = proof.exact ? 0 : tolerance;
    for (int64_t i = 0; i < expected.elements(); ++i) {
      const bool both_nan = std::isnan(got.at(i)) && std::isnan(expected[i]);
      if (both_nan || got.at(i) == expected[i]) continue;  // two infinities have no distance
      const double off = std::abs(got.at(i) - expected[i]) / largest;
      if (off <= proof.worst) continue;
      proof.worst = off;
      if (off > allowed || off != off)
        proof.failure = fmt::format("element {} of {} is {}, the reference says {}", i, name,
                                    got.at(i), expected[i]);
    }
    // A NaN is less than nothing.
    for (int64_t i = 0; i < expected.elements() && proof.failure.empty(); ++i) {
      if (std::isnan(got.at(i)) && !std::isnan(expected[i]))
        proof.failure =
            fmt::format("element {} of {} is NaN, the reference says {}", i, name, expected[i]);
    }
  }

  const graph::Graph& graph_;
  const Candidate& candidate_;
  const OpContract& contract_;
  const int parts_;  // says into how many parts one is divided: inputs are multiples of a part
  ReferenceCall call_;
  Ports inputs_;
  reference::NamedTensors named_;
  std::mt19937 random_{1};
};

}  // namespace

double tolerance_of(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16 ? 1e-2 : 1e-4;
}

Status try_kernel(const graph::Graph& graph, const Candidate& candidate, TrialData data,
                  KernelProof& proof) {
  return Trial(graph, candidate, data).run(proof);
}

}  // namespace opkit::compile
