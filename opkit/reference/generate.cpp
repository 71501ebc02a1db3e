// Operators that make values: constants, ranges, positions, running sums.
#include <cmath>

#include "opkit/reference/index.h"
#include "opkit/reference/operators.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

template <typename T>
RefTensor list(DType dtype, const std::vector<T>& values) {
  return {dtype, Shape{static_cast<int64_t>(values.size())},
          std::vector<double>(values.begin(), values.end())};
}

Result<Outputs> constant(const Call& call) {
  if (const RefTensor* value = call.tensor("value")) return only(*value);
  if (call.has_attribute("value_float")) {
    return only(RefTensor{DType::kFloat32, Shape{}, {call.number("value_float", 0)}});
  }
  if (call.has_attribute("value_int")) {
    const double value = static_cast<double>(call.integer("value_int", 0));
    return only(RefTensor{DType::kInt64, Shape{}, {value}});
  }
  if (call.has_attribute("value_floats")) {
    return only(list(DType::kFloat32, call.numbers("value_floats")));
  }
  if (call.has_attribute("value_ints"))
    return only(list(DType::kInt64, call.integers("value_ints")));
  return call.error(kMissingAttribute, "no value is given",
                    "give value, value_float(s) or value_int(s)");
}

Result<Outputs> constant_of_shape(const Call& call) {
  OPKIT_TRY(const std::vector<int64_t> dims, call.integers_of(0));
  const RefTensor* value = call.tensor("value");
  if (value != nullptr && value->elements() != 1) {
    return call.attribute_error("value must have one element");
  }
  OPKIT_TRY(RefTensor out, call.make(value ? value->dtype : DType::kFloat32, Shape(dims)));
  if (value != nullptr) out.values.assign(out.values.size(), (*value)[0]);
  return only(std::move(out));
}

// start, start + delta, ... before limit.
Result<Outputs> range(const Call& call) {
  OPKIT_CHECK(call.require_same_dtype());
  OPKIT_TRY(const double start, call.scalar_of(0));
  OPKIT_TRY(const double limit, call.scalar_of(1));
  OPKIT_TRY(const double delta, call.scalar_of(2));
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || std::isnan(count) || count > static_cast<double>(kMaxElements)) {
    return call.error(kTooLarge, "the range has no reasonable number of elements",
                      "give a delta that leads from start to limit");
  }
  const int64_t size = count > 0 ? static_cast<int64_t>(count) : 0;
  OPKIT_TRY(RefTensor out, call.make(call.input(0).dtype, Shape{size}));
  for (int64_t i = 0; i < size; ++i) out[i] = start + static_cast<double>(i) * delta;
  return only(std::move(out));
}

// An index outside -depth .. depth - 1 gives a row of off values.
Result<Outputs> one_hot(const Call& call) {
  const RefTensor& indices = call.input(0);
  OPKIT_TRY(const int64_t depth, call.integer_of(1));
  const RefTensor& values = call.input(2);
  if (values.elements() != 2) return call.shape_error("values must be [off, on]");
  const size_t rank = indices.shape.rank() + 1;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", -1), rank));
  std::vector<int64_t> dims = indices.shape.dims();
  dims.insert(dims.begin() + static_cast<int64_t>(axis), depth);
  OPKIT_TRY(RefTensor out, call.make(values.dtype, Shape(dims)));
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& index) {
    Index outer = index;
    outer.erase(outer.begin() + static_cast<int64_t>(axis));
    const double at = indices[offset_of(indices.shape, outer)];
    const double wanted = static_cast<double>(index[axis]);
    out[position++] = values[at == wanted || at + static_cast<double>(depth) == wanted ? 1 : 0];
  });
  return only(std::move(out));
}

Result<Outputs> eye_like(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 2));
  OPKIT_TRY(const DType dtype, type_attribute(call, "dtype", call.input(0).dtype));
  OPKIT_TRY(RefTensor out, call.make(dtype, call.input(0).shape));
  const int64_t diagonal = call.integer("k", 0);
  for_each_index(out.shape, [&](const Index& i) {
    out[offset_of(out.shape, i)] = i[1] - i[0] == diagonal ? 1 : 0;
  });
  return only(std::move(out));
}

Result<Outputs> cumulative_sum(const Call& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const int64_t given, call.integer_of(1));
  OPKIT_TRY(const size_t axis, call.axis(given, x.shape.rank()));
  const bool exclusive = call.integer("exclusive", 0) != 0;
  const bool reverse = call.integer("reverse", 0) != 0;
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
Result<Outputs> non_zero(const Call& call) {
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

}  // namespace

Operators generate_operators() {
  using enum AttributeKind;
  return {
      {"Constant",
       0,
       0,
       1,
       {{"value", kTensor},
        {"value_float", kNumber},
        {"value_int", kInteger},
        {"value_floats", kNumbers},
        {"value_ints", kIntegers}},
       constant},
      {"ConstantOfShape", 1, 1, 1, {{"value", kTensor}}, constant_of_shape},
      {"Range", 3, 3, 1, {}, range},
      {"OneHot", 3, 3, 1, {{"axis", kInteger}}, one_hot},
      {"EyeLike", 1, 1, 1, {{"dtype", kType}, {"k", kInteger}}, eye_like},
      {"CumSum", 2, 2, 1, {{"exclusive", kInteger}, {"reverse", kInteger}}, cumulative_sum},
      {"NonZero", 1, 1, 1, {}, non_zero},
  };
}

}  // namespace opkit::reference
