// Softmax, LogSoftmax, Hardmax. Since version 13 along one axis (default -1); before, over
// everything from an axis on (default 1).
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

Result<size_t> axis_of(const OperatorCall& call) {
  return call.axis(call.integer("axis", call.opset() >= 13 ? -1 : 1), call.input(0).shape.rank());
}

// Calls f(values) on each run of elements that is normalised together and stores them back.
template <typename F>
Result<Outputs> along_axis(const OperatorCall& call, F f) {
  const Shape& shape = call.input(0).shape;
  const bool single_axis = call.opset() >= 13;
  OPKIT_TRY(const size_t axis, axis_of(call));
  const size_t end = single_axis ? axis + 1 : shape.rank();
  const int64_t outer = product(shape, 0, axis);
  const int64_t count = product(shape, axis, end);
  const int64_t inner = product(shape, end, shape.rank());
  RefTensor out = call.input(0);
  std::vector<double> run(static_cast<size_t>(count));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t k = 0; k < count; ++k) run[k] = out[(o * count + k) * inner + i];
      if (count > 0) f(run);
      for (int64_t k = 0; k < count; ++k) out[(o * count + k) * inner + i] = run[k];
    }
  }
  return only(std::move(out));
}

double largest_of(const std::vector<double>& run) {
  return *std::max_element(run.begin(), run.end());
}

double sum_of_exponentials(const std::vector<double>& run, double largest) {
  double sum = 0;
  for (double x : run) sum += std::exp(x - largest);
  return sum;
}

Result<Outputs> softmax(const OperatorCall& call) {
  return along_axis(call, [](std::vector<double>& run) {
    const double largest = largest_of(run);
    const double sum = sum_of_exponentials(run, largest);
    for (double& x : run) x = std::exp(x - largest) / sum;
  });
}

Result<Outputs> log_softmax(const OperatorCall& call) {
  return along_axis(call, [](std::vector<double>& run) {
    const double largest = largest_of(run);
    const double sum = sum_of_exponentials(run, largest);
    for (double& x : run) x = x - largest - std::log(sum);
  });
}

// Returns one at the first largest element, zero elsewhere.
Result<Outputs> hardmax(const OperatorCall& call) {
  return along_axis(call, [](std::vector<double>& run) {
    const auto first = std::max_element(run.begin(), run.end()) - run.begin();
    std::fill(run.begin(), run.end(), 0.0);
    run[first] = 1;
  });
}

Result<Shapes> softmax_shape(const OperatorCall& call) {
  OPKIT_TRY([[maybe_unused]] const size_t axis, axis_of(call));
  return first_shape(call);
}

}  // namespace

Operators softmax_operators() {
  // Without an axis: -1, before version 13 1.
  const auto row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                      Bound bound) {
    return Operator{.name = name,
                    .attributes = {integer("axis")},
                    .evaluate = f,
                    .types = float_type,
                    .shapes = softmax_shape,
                    .reach = Reach::kRow,
                    .bound = bound};
  };
  return {
      row("Softmax", softmax, Bound::composed()),
      row("LogSoftmax", log_softmax, Bound::composed()),
      row("Hardmax", hardmax, Bound()),
  };
}

}  // namespace opkit::reference
