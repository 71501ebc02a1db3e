// Reductions. Axes are an attribute or (newer versions) an input. No axes: all of them, or with
// noop_with_empty_axes none.
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

struct Reduction {
  std::vector<size_t> axes;
  Shape kept;    // the input's shape with reduced dims set to 1
  Shape result;  // is `kept`, or lacks the reduced dims
};

Result<Reduction> read_reduction(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const auto given, call.integers_from(1, "axes"));
  Reduction r;
  if (given && !given->empty()) {
    OPKIT_TRY(r.axes, call.axes(*given, shape.rank()));
  } else if (call.integer("noop_with_empty_axes") == 0) {
    for (size_t d = 0; d < shape.rank(); ++d) r.axes.push_back(d);
  }
  const bool keep = call.integer("keepdims") != 0;
  for (size_t d = 0; d < shape.rank(); ++d) {
    const bool reduced = std::find(r.axes.begin(), r.axes.end(), d) != r.axes.end();
    r.kept.dims().push_back(reduced ? 1 : shape[d]);
    if (!reduced || keep) r.result.dims().push_back(r.kept[d]);
  }
  return r;
}

using Values = std::vector<double>;

// Gathers the elements that meet in each result and calls f on them.
template <typename F>
Result<RefTensor> reduce(const OperatorCall& call, F f) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const Reduction r, read_reduction(call));
  OPKIT_TRY(RefTensor out, call.result());
  std::vector<Values> groups(out.values.size());
  int64_t position = 0;
  for_each_index(x.shape, [&](const Index& index) {
    groups[static_cast<size_t>(broadcast_offset(r.kept, index))].push_back(x[position++]);
  });
  for (size_t i = 0; i < groups.size(); ++i) {
    OPKIT_TRY(out.values[i], f(groups[i]));
  }
  return out;
}

Result<Outputs> real_reduction(const OperatorCall& call, double (*f)(const Values&)) {
  return only(reduce(call, [&](const Values& values) -> Result<double> { return f(values); }));
}

// Integers: exact, modulo 2^bits.
Result<Outputs> sum_reduction(const OperatorCall& call, double (*real)(double),
                              Wide (*whole)(Wide)) {
  const DType dtype = call.input(0).dtype;
  return only(reduce(call, [&](const Values& values) -> Result<double> {
    double sum = 0;
    Wide exact = 0;
    for (double v : values) {
      if (is_float(dtype)) sum += real(v);
      if (!is_float(dtype)) exact += whole(static_cast<Wide>(v));
    }
    if (is_float(dtype)) return sum;
    return call.integer_result(dtype, exact);
  }));
}

Result<Outputs> reduce_sum(const OperatorCall& call) {
  return sum_reduction(
      call, [](double v) { return v; }, [](Wide v) { return v; });
}

Result<Outputs> reduce_l1(const OperatorCall& call) {
  return sum_reduction(
      call, [](double v) { return std::abs(v); }, [](Wide v) { return v < 0 ? -v : v; });
}

Result<Outputs> reduce_sum_square(const OperatorCall& call) {
  return sum_reduction(
      call, [](double v) { return v * v; }, [](Wide v) { return v * v; });
}

// Integer products are reduced modulo 2^bits after each factor.
Result<Outputs> reduce_product(const OperatorCall& call) {
  const DType dtype = call.input(0).dtype;
  return only(reduce(call, [&](const Values& values) -> Result<double> {
    double real = 1;
    Wide exact = 1;
    for (double v : values) {
      if (is_float(dtype)) real *= v;
      if (!is_float(dtype)) exact = wrapped(dtype, exact * static_cast<Wide>(v));
    }
    if (is_float(dtype)) return real;
    return call.integer_result(dtype, exact);
  }));
}

// Integer means truncate toward zero.
Result<Outputs> reduce_mean(const OperatorCall& call) {
  const bool real = is_float(call.input(0).dtype);
  return only(reduce(call, [&](const Values& values) -> Result<double> {
    if (values.empty()) {
      return call.error(kUndefinedResult, "the mean of no elements", "reduce non-empty dims");
    }
    double sum = 0;
    Wide exact = 0;
    for (double v : values) {
      if (real) sum += v;
      if (!real) exact += static_cast<Wide>(v);
    }
    if (real) return sum / static_cast<double>(values.size());
    return static_cast<double>(exact / static_cast<Wide>(values.size()));
  }));
}

// NaN wins over every number. Over no elements: the infinity, or an integer type's far end.
Result<Outputs> extreme(const OperatorCall& call, bool largest) {
  const DType dtype = call.input(0).dtype;
  return only(reduce(call, [&](const Values& values) -> Result<double> {
    double best = largest ? -INFINITY : INFINITY;
    for (double v : values) {
      if (std::isnan(v) || (largest ? v > best : v < best)) best = v;
      if (std::isnan(v)) break;
    }
    if (!values.empty() || is_float(dtype)) return best;
    if (dtype == DType::kBool) return largest ? 0.0 : 1.0;
    return static_cast<double>(largest ? lowest_of(dtype) : highest_of(dtype));
  }));
}

Result<Outputs> reduce_max(const OperatorCall& call) { return extreme(call, true); }
Result<Outputs> reduce_min(const OperatorCall& call) { return extreme(call, false); }

double sum_of(const Values& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum;
}

double l2_of(const Values& values) {
  double squares = 0;
  for (double v : values) squares += v * v;
  return std::sqrt(squares);
}

double log_sum_of(const Values& values) { return std::log(sum_of(values)); }

double log_sum_exp_of(const Values& values) {
  if (values.empty()) return -INFINITY;
  const double largest = *std::max_element(values.begin(), values.end());
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (double v : values) sum += std::exp(v - largest);
  return largest + std::log(sum);
}

Result<Outputs> reduce_l2(const OperatorCall& call) { return real_reduction(call, l2_of); }
Result<Outputs> reduce_log_sum(const OperatorCall& call) {
  return real_reduction(call, log_sum_of);
}
Result<Outputs> reduce_log_sum_exp(const OperatorCall& call) {
  return real_reduction(call, log_sum_exp_of);
}

Result<DTypes> reduced_type(const OperatorCall& call) { return first_type_at_integers(call); }

Result<DTypes> reduced_float_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return reduced_type(call);
}

Result<Shapes> reduced_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(Reduction r, read_reduction(call));
  return one(std::move(r.result));
}

}  // namespace

Operators reduce_operators() {
  const auto row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&), auto types,
                      Bound bound = {}) {
    return Operator{.name = name,
                    .most_inputs = 2,
                    .attributes = {integers("axes"), integer("keepdims", 1),
                                   integer("noop_with_empty_axes", 0)},
                    .evaluate = f,
                    .types = types,
                    .shapes = reduced_shape,
                    .bound = bound};
  };
  return {
      row("ReduceSum", reduce_sum, reduced_type, Bound::summed()),
      row("ReduceMean", reduce_mean, reduced_type, Bound::summed()),
      row("ReduceMax", reduce_max, reduced_type, Bound::moved()),
      row("ReduceMin", reduce_min, reduced_type, Bound::moved()),
      row("ReduceProd", reduce_product, reduced_type,
          Bound::by(BoundRule::kFactors, "n roundings")),
      row("ReduceL1", reduce_l1, reduced_type, Bound::composed()),
      row("ReduceL2", reduce_l2, reduced_float_type, Bound::composed()),
      row("ReduceLogSum", reduce_log_sum, reduced_float_type, Bound::composed()),
      row("ReduceLogSumExp", reduce_log_sum_exp, reduced_float_type, Bound::composed()),
      row("ReduceSumSquare", reduce_sum_square, reduced_type, Bound::composed()),
  };
}

}  // namespace opkit::reference
