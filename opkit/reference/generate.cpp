// Operators that make values: constants, ranges, positions, running sums.
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

template <typename T>
RefTensor list(DType dtype, const std::vector<T>& values) {
  return {dtype, Shape{static_cast<int64_t>(values.size())},
          std::vector<double>(values.begin(), values.end())};
}

Result<RefTensor> constant_value(const OperatorCall& call) {
  if (const RefTensor* value = call.tensor("value")) return *value;
  if (call.has_attribute("value_float")) {
    return RefTensor{DType::kFloat32, Shape{}, {call.number("value_float")}};
  }
  if (call.has_attribute("value_int")) {
    const double value = static_cast<double>(call.integer("value_int"));
    return RefTensor{DType::kInt64, Shape{}, {value}};
  }
  if (call.has_attribute("value_floats")) {
    return list(DType::kFloat32, call.numbers("value_floats"));
  }
  if (call.has_attribute("value_ints")) return list(DType::kInt64, call.integers("value_ints"));
  return call.error(kMissingAttribute, "no value is given",
                    "give value, value_float(s) or value_int(s)");
}

Result<Outputs> constant(const OperatorCall& call) { return only(constant_value(call)); }

Result<Outputs> constant_of_shape(const OperatorCall& call) {
  const RefTensor* value = call.tensor("value");
  OPKIT_TRY(RefTensor out, call.result());
  if (value != nullptr) out.values.assign(out.values.size(), (*value)[0]);
  return only(std::move(out));
}

// start, start + delta, ... before limit.
Result<int64_t> range_size(const OperatorCall& call) {
  OPKIT_TRY(const double start, call.scalar_of(0));
  OPKIT_TRY(const double limit, call.scalar_of(1));
  OPKIT_TRY(const double delta, call.scalar_of(2));
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || std::isnan(count) || count > static_cast<double>(kMaxElements)) {
    return call.error(kTooLarge, "the range has no reasonable number of elements",
                      "give a delta that leads from start to limit");
  }
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

Result<Outputs> range(const OperatorCall& call) {
  OPKIT_TRY(RefTensor out, call.result());
  const double start = call.input(0)[0], delta = call.input(2)[0];
  for (int64_t i = 0; i < out.elements(); ++i) out[i] = start + static_cast<double>(i) * delta;
  return only(std::move(out));
}

// An index outside -depth .. depth - 1 gives a row of off values; before version 11 every negative
// one does.
Result<Outputs> one_hot(const OperatorCall& call) {
  const RefTensor& indices = call.input(0);
  OPKIT_TRY(const int64_t depth, call.integer_of(1));
  const RefTensor& values = call.input(2);
  OPKIT_TRY(RefTensor out, call.result());
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), out.shape.rank()));
  const double behind = call.opset() < 11 ? INFINITY : static_cast<double>(depth);
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& index) {
    Index outer = index;
    outer.erase(outer.begin() + static_cast<int64_t>(axis));
    const double at = indices[offset_of(indices.shape, outer)];
    const double wanted = static_cast<double>(index[axis]);
    out[position++] = values[at == wanted || at + behind == wanted ? 1 : 0];
  });
  return only(std::move(out));
}

Result<Outputs> eye_like(const OperatorCall& call) {
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t diagonal = call.integer("k");
  for_each_index(out.shape, [&](const Index& i) {
    out[offset_of(out.shape, i)] = i[1] - i[0] == diagonal ? 1 : 0;
  });
  return only(std::move(out));
}

Result<Outputs> cumulative_sum(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const int64_t given, call.integer_of(1));
  OPKIT_TRY(const size_t axis, call.axis(given, x.shape.rank()));
  const bool exclusive = call.integer("exclusive") != 0;
  const bool reverse = call.integer("reverse") != 0;
  const int64_t count = x.shape[axis];
  const int64_t inner = product(x.shape, axis + 1, x.shape.rank());
  RefTensor out = x;
  for (int64_t run = 0; count > 0 && run < x.elements() / count; ++run) {
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t along = reverse ? count - 1 - k : k;
      const int64_t i = (run / inner * count + along) * inner + run % inner;
      const double before = sum;
      sum += x[i];
      if (is_integer(x.dtype)) {
        OPKIT_TRY(sum, call.integer_result(x.dtype, static_cast<Wide>(sum)));
      }
      out[i] = exclusive ? before : sum;
    }
  }
  return only(std::move(out));
}

// The index tuples of the non-zero elements, one column each.
Result<Outputs> non_zero(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  std::vector<Index> found;
  int64_t position = 0;
  for_each_index(x.shape, [&](const Index& index) {
    if (x[position++] != 0) found.push_back(index);
  });
  const int64_t count = static_cast<int64_t>(found.size());
  const int64_t rank = static_cast<int64_t>(x.shape.rank());
  OPKIT_TRY(RefTensor out, call.make(DType::kInt64, Shape{rank, count}));
  for (int64_t d = 0; d < rank; ++d) {
    for (int64_t i = 0; i < count; ++i) out[d * count + i] = static_cast<double>(found[i][d]);
  }
  return only(std::move(out));
}

Result<DTypes> constant_type(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor value, constant_value(call));
  return DTypes{value.dtype};
}

Result<Shapes> constant_shape(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor value, constant_value(call));
  return one(value.shape);
}

Result<DTypes> filled_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_integer(0));
  const RefTensor* value = call.tensor("value");
  if (value == nullptr) return DTypes{DType::kFloat32};
  if (value->elements() != 1) return call.attribute_error("value must have one element");
  return DTypes{value->dtype};
}

Result<Shapes> filled_shape(const OperatorCall& call) {
  if (!call.known(0)) return Shapes();
  OPKIT_TRY(const std::vector<int64_t> dims, call.integers_of(0));
  return checked(call, Shape(dims));
}

Result<Shapes> range_shape(const OperatorCall& call) {
  for (size_t i = 0; i < 3; ++i) {
    OPKIT_CHECK(call.require_one_element(i));
    if (!call.known(i)) return Shapes();
  }
  OPKIT_TRY(const int64_t size, range_size(call));
  return one(Shape{size});
}

Result<DTypes> one_hot_type(const OperatorCall& call) { return DTypes{call.input(2).dtype}; }

Result<Shapes> one_hot_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_one_element(1));
  OPKIT_TRY(const int64_t values, call.input(2).shape.checked_elements());
  if (values != 2) return call.shape_error("values must be [off, on]");
  std::vector<int64_t> dims = call.input(0).shape.dims();
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), dims.size() + 1));
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const int64_t depth, call.integer_of(1));
  dims.insert(dims.begin() + static_cast<int64_t>(axis), depth);
  return checked(call, Shape(std::move(dims)));
}

Result<DTypes> eye_type(const OperatorCall& call) {
  OPKIT_TRY(const DType dtype, type_attribute(call, "dtype", call.input(0).dtype));
  return DTypes{dtype};
}

Result<Shapes> eye_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 2));
  return first_shape(call);
}

Result<Shapes> cumulative_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_one_element(1));
  return first_shape(call);
}

Result<DTypes> non_zero_type(const OperatorCall&) { return DTypes{DType::kInt64}; }

// Infers no dim: how many there are depends on the values.
Result<Shapes> non_zero_shape(const OperatorCall&) { return Shapes(); }

}  // namespace

Operators generate_operators() {
  return {
      {.name = "Constant",
       .least_inputs = 0,
       .most_inputs = 0,
       .attributes = {{"value", AttributeKind::kTensor},
                      number("value_float"),
                      integer("value_int"),
                      {"value_floats", AttributeKind::kNumbers},
                      integers("value_ints")},
       .evaluate = constant,
       .types = constant_type,
       .shapes = constant_shape,
       .bound = Bound::moved()},
      {.name = "ConstantOfShape",
       .attributes = {{"value", AttributeKind::kTensor}},
       .evaluate = constant_of_shape,
       .types = filled_type,
       .shapes = filled_shape,
       .bound = Bound::moved()},
      {.name = "Range",
       .least_inputs = 3,
       .most_inputs = 3,
       .evaluate = range,
       .types = same_type,
       .shapes = range_shape,
       .bound = Bound::moved()},
      {.name = "OneHot",
       .least_inputs = 3,
       .most_inputs = 3,
       .attributes = {integer("axis", -1)},
       .evaluate = one_hot,
       .types = one_hot_type,
       .shapes = one_hot_shape,
       .bound = Bound::stepped()},
      {.name = "EyeLike",
       .attributes = {{"dtype", AttributeKind::kType}, integer("k", 0)},
       .evaluate = eye_like,
       .types = eye_type,
       .shapes = eye_shape},
      {.name = "CumSum",
       .least_inputs = 2,
       .most_inputs = 2,
       .attributes = {integer("exclusive", 0), integer("reverse", 0)},
       .evaluate = cumulative_sum,
       .types = first_type,
       .shapes = cumulative_shape,
       .bound = Bound::summed()},
      {.name = "NonZero", .evaluate = non_zero, .types = non_zero_type, .shapes = non_zero_shape},
  };
}

}  // namespace opkit::reference
