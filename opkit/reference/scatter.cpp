// ScatterElements (and its old name Scatter), ScatterND. Updates are applied in order; without a
// reduction the last one wins.
#include <cmath>
#include <optional>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/indices.h"

namespace opkit::reference {
namespace {

using Combine = Result<double> (*)(const OperatorCall&, DType, double, double);

Result<double> replace(const OperatorCall&, DType, double, double update) { return update; }

Result<double> add(const OperatorCall& call, DType dtype, double old, double update) {
  if (is_float(dtype)) return old + update;
  return call.integer_result(dtype, static_cast<Wide>(old) + static_cast<Wide>(update));
}

Result<double> multiply(const OperatorCall& call, DType dtype, double old, double update) {
  if (is_float(dtype)) return old * update;
  return call.integer_result(dtype, static_cast<Wide>(old) * static_cast<Wide>(update));
}

Result<double> larger(const OperatorCall&, DType, double old, double update) {
  return std::isnan(old) || old > update ? old : update;
}

Result<double> smaller(const OperatorCall&, DType, double old, double update) {
  return std::isnan(old) || old < update ? old : update;
}

Result<Combine> combine_of(const OperatorCall& call) {
  const std::string name = call.text("reduction", "none");  // Scatter has no such attribute
  if (name == "none") return Combine{replace};
  if (name == "add") return Combine{add};
  if (name == "mul") return Combine{multiply};
  if (name == "max") return Combine{larger};
  if (name == "min") return Combine{smaller};
  return call.attribute_error("reduction '" + name + "' is unknown");
}

Status require_updates(const OperatorCall& call, const Shape& expected) {
  if (call.input(2).shape == expected) return {};
  return call.shape_error("updates " + call.input(2).shape.to_string() + " must have shape " +
                          expected.to_string());
}

Result<Outputs> scatter_elements(const OperatorCall& call) {
  const RefTensor& data = call.input(0);
  const Shape& shape = call.input(1).shape;
  OPKIT_TRY(const Combine combine, combine_of(call));
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), data.shape.rank()));
  OPKIT_TRY(const std::vector<int64_t> at, checked_indices(call, 1, data.shape[axis]));
  RefTensor out = data;
  std::optional<Error> failure;
  int64_t position = 0;
  for_each_index(shape, [&](const Index& index) {
    Index to = index;
    to[axis] = at[static_cast<size_t>(position)];
    double& element = out[offset_of(out.shape, to)];
    Result<double> value = combine(call, data.dtype, element, call.input(2)[position++]);
    if (!value.ok()) return void(failure = std::move(value).error());
    element = *value;
  });
  if (failure) return std::move(*failure);
  return only(std::move(out));
}

Result<Outputs> scatter_nd(const OperatorCall& call) {
  const RefTensor& data = call.input(0);
  OPKIT_TRY(const Combine combine, combine_of(call));
  OPKIT_TRY(const IndexTuples tuples, read_tuples(call, 0));
  RefTensor out = data;
  for (int64_t i = 0; i < call.input(2).elements(); ++i) {
    double& element = out[tuples.offsets[i / tuples.block] + i % tuples.block];
    OPKIT_TRY(element, combine(call, data.dtype, element, call.input(2)[i]));
  }
  return only(std::move(out));
}

Result<DTypes> scattered_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_integer(1));
  OPKIT_TRY([[maybe_unused]] const Combine combine, combine_of(call));
  if (call.input(2).dtype == call.input(0).dtype) return first_type(call);
  return call.error(kBadDType, "data and updates differ in dtype", "cast the updates");
}

Result<Shapes> scattered_elements_shape(const OperatorCall& call) {
  const Shape &data = call.input(0).shape, &indices = call.input(1).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), data.rank()));
  OPKIT_CHECK(require_inside(call, indices, data, axis));
  OPKIT_CHECK(require_updates(call, indices));
  return one(data);
}

Result<Shapes> scattered_nd_shape(const OperatorCall& call) {
  const Shape &data = call.input(0).shape, &indices = call.input(1).shape;
  OPKIT_TRY(const size_t length, tuple_length(call, 0));
  std::vector<int64_t> expected(indices.dims().begin(), indices.dims().end() - 1);
  expected.insert(expected.end(), data.dims().begin() + length, data.dims().end());
  OPKIT_CHECK(require_updates(call, Shape(std::move(expected))));
  return one(data);
}

}  // namespace

Operators scatter_operators() {
  const auto row = [](std::string_view name, std::vector<AttributeSpec> attributes,
                      Result<Outputs> (*f)(const OperatorCall&), auto shapes, Bound bound) {
    return Operator{.name = name,
                    .least_inputs = 3,
                    .most_inputs = 3,
                    .attributes = std::move(attributes),
                    .evaluate = f,
                    .types = scattered_type,
                    .shapes = shapes,
                    .bound = bound};
  };
  const AttributeSpec axis = integer("axis", 0), reduction = text("reduction", "none");
  const Bound scattered = Bound::by(BoundRule::kScatter, "n roundings");
  return {
      row("Scatter", {axis}, scatter_elements, scattered_elements_shape, Bound()),
      row("ScatterElements", {axis, reduction}, scatter_elements, scattered_elements_shape,
          scattered),
      row("ScatterND", {reduction}, scatter_nd, scattered_nd_shape, scattered),
  };
}

}  // namespace opkit::reference
