// Gather, GatherElements, GatherND, Compress. Negative indices count from the end; others outside
// the axis are an error.
#include <algorithm>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/indices.h"

namespace opkit::reference {
namespace {

// out[a..., i..., b...] = x[a..., indices[i...], b...]
Result<Outputs> gather(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const RefTensor& indices = call.input(1);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.shape.rank()));
  OPKIT_TRY(const std::vector<int64_t> at, checked_indices(call, 1, x.shape[axis]));
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t inner = product(x.shape, axis + 1, x.shape.rank());
  const int64_t count = indices.elements();
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t outer = i / inner / count;
    out[i] = x[(outer * x.shape[axis] + at[i / inner % count]) * inner + i % inner];
  }
  return only(std::move(out));
}

// out[i] = x[i with indices[i] in place of the axis]
Result<Outputs> gather_elements(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const RefTensor& indices = call.input(1);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.shape.rank()));
  OPKIT_TRY(const std::vector<int64_t> at, checked_indices(call, 1, x.shape[axis]));
  OPKIT_TRY(RefTensor out, call.result());
  int64_t position = 0;
  for_each_index(indices.shape, [&](const Index& index) {
    Index from = index;
    from[axis] = at[static_cast<size_t>(position)];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

// Evaluates GatherND: the last dim of the indices holds tuples of indices into the dims of x that
// stand behind the batch dims.
Result<Outputs> gather_nd(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const size_t batch = static_cast<size_t>(call.integer("batch_dims"));
  OPKIT_TRY(const IndexTuples tuples, read_tuples(call, batch));
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t batches = product(x.shape, 0, batch);
  const int64_t per_batch =
      batches == 0 ? 0 : static_cast<int64_t>(tuples.offsets.size()) / batches;
  const int64_t batch_stride = product(x.shape, batch, x.shape.rank());
  for (int64_t i = 0; i < out.elements(); ++i) {
    const int64_t tuple = i / tuples.block;
    out[i] = x[tuple / per_batch * batch_stride + tuples.offsets[tuple] + i % tuples.block];
  }
  return only(std::move(out));
}

// Returns the slices whose condition is true; without an axis, the elements of the flattened
// tensor.
Result<Outputs> compress(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const RefTensor& condition = call.input(1);
  Shape shape = call.has_attribute("axis") ? x.shape : Shape{x.elements()};
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", 0), shape.rank()));
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < condition.elements(); ++i) {
    if (condition[i] != 0) kept.push_back(i);
  }
  const Shape source = shape;
  shape[axis] = static_cast<int64_t>(kept.size());
  OPKIT_TRY(RefTensor out, call.make(x.dtype, shape));
  int64_t position = 0;
  for_each_index(shape, [&](const Index& to) {
    Index from = to;
    from[axis] = kept[static_cast<size_t>(to[axis])];
    out[position++] = x[offset_of(source, from)];
  });
  return only(std::move(out));
}

Result<Shapes> gathered_shape(const OperatorCall& call) {
  const Shape &x = call.input(0).shape, &indices = call.input(1).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.rank()));
  std::vector<int64_t> dims(x.dims().begin(), x.dims().begin() + axis);
  dims.insert(dims.end(), indices.dims().begin(), indices.dims().end());
  dims.insert(dims.end(), x.dims().begin() + axis + 1, x.dims().end());
  return checked(call, Shape(std::move(dims)));
}

Result<Shapes> gathered_elements_shape(const OperatorCall& call) {
  const Shape &x = call.input(0).shape, &indices = call.input(1).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.rank()));
  OPKIT_CHECK(require_inside(call, indices, x, axis));
  return checked(call, indices);
}

Result<Shapes> gathered_nd_shape(const OperatorCall& call) {
  const Shape &x = call.input(0).shape, &indices = call.input(1).shape;
  const int64_t batch_dims = call.integer("batch_dims");
  if (indices.rank() == 0 || batch_dims < 0 || batch_dims >= static_cast<int64_t>(indices.rank()) ||
      batch_dims > static_cast<int64_t>(x.rank())) {
    return call.shape_error("batch_dims or indices " + indices.to_string() + " do not fit");
  }
  const size_t batch = static_cast<size_t>(batch_dims);
  OPKIT_TRY(const size_t length, tuple_length(call, batch));
  if (product(x, 0, batch) != product(indices, 0, batch))
    return call.shape_error("the batch dims differ");
  std::vector<int64_t> dims(indices.dims().begin(), indices.dims().end() - 1);
  dims.insert(dims.end(), x.dims().begin() + batch + length, x.dims().end());
  return checked(call, Shape(std::move(dims)));
}

// Infers no dim: how many elements are kept depends on the condition's values.
Result<Shapes> compressed_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const Shape shape = call.has_attribute("axis") ? x : Shape{product(x, 0, x.rank())};
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", 0), shape.rank()));
  OPKIT_TRY(const int64_t condition, call.input(1).shape.checked_elements());
  if (condition > shape[axis]) return call.shape_error("the condition is longer than the axis");
  return Shapes();
}

}  // namespace

Operators gather_operators() {
  const auto row = [](std::string_view name, AttributeSpec own,
                      Result<Outputs> (*f)(const OperatorCall&), auto shapes) {
    return Operator{.name = name,
                    .least_inputs = 2,
                    .most_inputs = 2,
                    .attributes = {std::move(own)},
                    .evaluate = f,
                    .types = first_type_at_integers,
                    .shapes = shapes,
                    .bound = Bound::moved()};
  };
  return {
      row("Gather", integer("axis", 0), gather, gathered_shape),
      row("GatherElements", integer("axis", 0), gather_elements, gathered_elements_shape),
      row("GatherND", integer("batch_dims", 0), gather_nd, gathered_nd_shape),
      // Without an axis the tensor is flattened.
      {.name = "Compress",
       .least_inputs = 2,
       .most_inputs = 2,
       .attributes = {integer("axis")},
       .evaluate = compress,
       .types = first_type,
       .shapes = compressed_shape},
  };
}

}  // namespace opkit::reference
