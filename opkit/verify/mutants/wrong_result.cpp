#include "opkit/verify/mutants/wrong_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "opkit/oracle/float_format.h"

namespace opkit::verify {
namespace {

template <typename F>
void each_output(Execution& execution, F change) {
  for (auto& port : execution.outputs) {
    for (Tensor& tensor : port) change(tensor);
  }
}

template <typename F>
void each_element(Execution& execution, F value) {
  each_output(execution, [&](Tensor& tensor) {
    for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, value(tensor, i));
  });
}

WrongResult constant(double value) {
  return {.what = fmt::format("outputs are {}", value), .after = [value](Execution& execution) {
            each_element(execution, [&](const Tensor&, int64_t) { return value; });
          }};
}

WrongResult copy_of(size_t port, const std::string& name) {
  return {.what = "outputs are copies of " + name, .after = [port](Execution& execution) {
            if (execution.inputs[port].empty()) return;
            const Tensor& source = execution.inputs[port].front();
            each_output(execution, [&](Tensor& tensor) {
              if (source.elements() == 0) return;
              for (int64_t i = 0; i < tensor.elements(); ++i)
                tensor.set(i, source.at(i % source.elements()));
            });
          }};
}

// The first call computes; later ones of the same size find its results in the buffer.
WrongResult previous_call() {
  const auto last = std::make_shared<Ports>();
  return {.what = "outputs are those of the previous call", .after = [last](Execution& execution) {
            Ports now = execution.outputs;
            for (size_t p = 0; p < last->size() && p < now.size(); ++p) {
              for (size_t i = 0; i < (*last)[p].size() && i < now[p].size(); ++i) {
                const Tensor& old = (*last)[p][i];
                Tensor& out = execution.outputs[p][i];
                std::memcpy(out.data(), old.data(), std::min(old.size_bytes(), out.size_bytes()));
              }
            }
            *last = std::move(now);
          }};
}

WrongResult last_unwritten() {
  return {.what = "the last element is not written", .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              const auto size = static_cast<size_t>(tensor.elements());
              if (size == 0) return;
              const size_t bytes = std::max<size_t>(tensor.size_bytes() / size, 1);
              std::memset(tensor.data() + (tensor.size_bytes() - bytes), 0xff, bytes);
            });
          }};
}

WrongResult one_late() {
  return {.what = "every element is its neighbour", .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              for (int64_t i = tensor.elements() - 1; i > 0; --i) tensor.set(i, tensor.at(i - 1));
            });
          }};
}

WrongResult axes_exchanged() {
  return {.what = "the last two axes are exchanged", .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              const std::vector<int64_t> dims = tensor.shape().dims();
              if (dims.size() < 2) return;
              const int64_t rows = dims[dims.size() - 2], columns = dims.back();
              const Tensor right = tensor;
              for (int64_t i = 0; i < tensor.elements(); ++i) {
                const int64_t matrix = i / (rows * columns) * (rows * columns), at = i - matrix;
                tensor.set(i, right.at(matrix + at % rows * columns + at / rows));
              }
            });
          }};
}

WrongResult input_changed(size_t port, const std::string& name) {
  return {.what = "the input " + name + " is overwritten", .after = [port](Execution& execution) {
            for (Tensor& tensor : execution.inputs[port]) {
              if (tensor.size_bytes() > 0) tensor.data()[0] ^= std::byte{1};
            }
          }};
}

WrongResult attribute_ignored(const std::string& name, AttrValue value) {
  return {.what = fmt::format("attribute {} is ignored", name),
          .before = [name, value = std::move(value)](Invocation& invocation) {
            invocation.attrs[name] = value;
          }};
}

WrongResult half_precision() {
  return {.what = "float32 outputs are computed in half", .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              if (tensor.dtype() != DType::kFloat32) return;
              for (int64_t i = 0; i < tensor.elements(); ++i) {
                const double value = tensor.at(i);
                if (std::isfinite(value))
                  tensor.set(i, oracle::round_to(DType::kFloat16, value, true));
              }
            });
          }};
}

WrongResult nan_swallowed() {
  return {.what = "NaN becomes 0", .after = [](Execution& execution) {
            each_element(execution, [](const Tensor& tensor, int64_t i) {
              const double value = tensor.at(i);
              return std::isnan(value) ? 0 : value;
            });
          }};
}

WrongResult infinity_clamped() {
  return {.what = "infinities become the largest value", .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              if (!is_float(tensor.dtype())) return;
              const double largest = oracle::format_of(tensor.dtype()).largest;
              for (int64_t i = 0; i < tensor.elements(); ++i)
                tensor.set(i, std::clamp(tensor.at(i), -largest, largest));
            });
          }};
}

// Returns what a conversion to int8 gives at its ends when it keeps the low bits.
WrongResult int8_wraps() {
  return {.what = "int8 outputs wrap round in place of saturating",
          .after = [](Execution& execution) {
            each_output(execution, [](Tensor& tensor) {
              if (tensor.dtype() != DType::kInt8) return;
              for (int64_t i = 0; i < tensor.elements(); ++i) {
                const double value = tensor.at(i);
                if (value == 127 || value == -128) tensor.set(i, -1 - value);
              }
            });
          }};
}

bool any_of(const std::vector<Port>& ports, bool (*is)(DType)) {
  return std::any_of(ports.begin(), ports.end(), [&](const Port& port) {
    return std::any_of(port.dtypes.begin(), port.dtypes.end(), is);
  });
}

}  // namespace

std::vector<WrongResult> wrong_results(const OpContract& contract) {
  std::vector<WrongResult> list{constant(0), constant(1), previous_call(), last_unwritten(),
                                one_late()};
  const auto has_two_axes = [](const Port& port) {
    return port.shape.items.size() >= 2 ||
           std::any_of(port.shape.items.begin(), port.shape.items.end(),
                       [](const Expr& item) { return item.type() == Expr::Type::kList; });
  };
  if (std::any_of(contract.outputs.begin(), contract.outputs.end(), has_two_axes))
    list.push_back(axes_exchanged());
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    list.push_back(copy_of(p, contract.inputs[p].name));
    list.push_back(input_changed(p, contract.inputs[p].name));
  }
  for (const Attr& attr : contract.attrs) {
    if (attr.default_value) list.push_back(attribute_ignored(attr.name, *attr.default_value));
  }
  if (any_of(contract.outputs, [](DType dtype) { return dtype == DType::kFloat32; }))
    list.push_back(half_precision());
  // A conversion saturates; sums of int8 may wrap, as the contract's reference has it.
  if (any_of(contract.inputs, is_float) &&
      any_of(contract.outputs, [](DType dtype) { return dtype == DType::kInt8; }))
    list.push_back(int8_wraps());
  const bool floats = any_of(contract.outputs, is_float);
  if (floats && contract.numeric.nan == NumericPolicy::Nan::kPropagate)
    list.push_back(nan_swallowed());
  if (floats && contract.numeric.overflow == NumericPolicy::Overflow::kInf)
    list.push_back(infinity_clamped());
  return list;
}

Result<Execution> WrongExecutor::run(Invocation invocation) {
  if (wrong_.before) wrong_.before(invocation);
  OPKIT_TRY(Execution execution, right_.run(std::move(invocation)));
  if (wrong_.after) wrong_.after(execution);
  return execution;
}

}  // namespace opkit::verify
