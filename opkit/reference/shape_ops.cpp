// Operators that change or report the shape and leave the elements where they are.
#include <algorithm>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// Returns the elements in their order, in the inferred shape.
Result<Outputs> moved(const OperatorCall& call) {
  RefTensor out = call.input(0);
  out.shape = *call.fact(0).shape;
  return only(std::move(out));
}

Result<Shapes> reshaped(const OperatorCall& call, Shape shape) {
  const Shape& from = call.input(0).shape;
  OPKIT_TRY(const int64_t before, from.checked_elements());
  OPKIT_TRY(const int64_t after, shape.checked_elements());
  if (before == after) return one(std::move(shape));
  return call.shape_error("shape " + from.to_string() + " cannot become " + shape.to_string());
}

// A 0 copies the input's dim (unless allowzero), one -1 takes what is left.
Result<Shapes> reshaped_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const auto wanted, call.integers_from(1, "shape"));
  if (!wanted) return call.error(kBadArity, "no shape is given", "give input 1");
  const Shape& from = call.input(0).shape;
  const bool allow_zero = call.integer("allowzero") != 0;
  std::vector<int64_t> dims = *wanted;
  int64_t known = 1, free_dims = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 0 && !allow_zero) {
      if (d >= from.rank()) return call.shape_error("a 0 copies a dim that the input has not");
      dims[d] = from[d];
    }
    if (dims[d] < -1) return call.shape_error("a dim of " + std::to_string(dims[d]));
    if (dims[d] == -1) ++free_dims;
    if (dims[d] != -1 && __builtin_mul_overflow(known, dims[d], &known)) {
      return call.shape_error("the shape is too large");
    }
  }
  if (free_dims > 1) return call.shape_error("more than one dim of -1");
  if (free_dims == 1 && known == 0) return call.shape_error("a -1 beside a dim of 0 is ambiguous");
  for (int64_t& dim : dims) {
    if (dim == -1) dim = product(from, 0, from.rank()) / known;
  }
  return reshaped(call, Shape(std::move(dims)));
}

Result<Shapes> flat_shape(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  const int64_t rank = static_cast<int64_t>(shape.rank());
  int64_t axis = call.integer("axis");
  if (axis < -rank || axis > rank) return call.attribute_error("axis outside the tensor's rank");
  if (axis < 0) axis += rank;
  const size_t split = static_cast<size_t>(axis);
  return reshaped(call, Shape{product(shape, 0, split), product(shape, split, shape.rank())});
}

// Without axes: every dim of 1.
Result<Shapes> squeezed_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const auto given, call.integers_from(1, "axes"));
  std::vector<size_t> axes;
  if (given) {
    OPKIT_TRY(axes, call.axes(*given, shape.rank()));
  }
  std::vector<int64_t> dims;
  for (size_t d = 0; d < shape.rank(); ++d) {
    const bool named = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (named && shape[d] != 1) {
      return call.shape_error("axis " + std::to_string(d) + " of " + shape.to_string() +
                              " is not 1");
    }
    if (named || (!given && shape[d] == 1)) continue;
    dims.push_back(shape[d]);
  }
  return reshaped(call, Shape(std::move(dims)));
}

// Axes count in the result.
Result<Shapes> unsqueezed_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const auto given, call.integers_from(1, "axes"));
  if (!given) return call.error(kBadArity, "no axes are given", "give input 1");
  std::vector<int64_t> dims = call.input(0).shape.dims();
  OPKIT_TRY(const std::vector<size_t> axes, call.axes(*given, dims.size() + given->size()));
  for (size_t axis : axes) dims.insert(dims.begin() + static_cast<int64_t>(axis), 1);
  return reshaped(call, Shape(std::move(dims)));
}

// Returns the dims from start to end, both clamped.
std::pair<int64_t, int64_t> range_of_dims(const OperatorCall& call) {
  const int64_t rank = static_cast<int64_t>(call.input(0).shape.rank());
  const auto clamped = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0, rank);
  };
  const int64_t begin = clamped(call.integer("start"));
  return {begin, std::max(begin, clamped(call.integer("end", rank)))};
}

Result<Outputs> shape_of(const OperatorCall& call) {
  const std::vector<int64_t>& dims = call.input(0).shape.dims();
  const auto [begin, end] = range_of_dims(call);
  RefTensor out{DType::kInt64, Shape{end - begin}, {}};
  out.values.assign(dims.begin() + begin, dims.begin() + end);
  return only(std::move(out));
}

Result<Outputs> size_of(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  return only(
      RefTensor{DType::kInt64, Shape{}, {static_cast<double>(product(shape, 0, shape.rank()))}});
}

// Broadcasts to the common broadcast of the input's shape and the wanted one.
Result<Outputs> expand(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor out, call.result());
  int64_t position = 0;
  for_each_index(out.shape,
                 [&](const Index& i) { out[position++] = x[broadcast_offset(x.shape, i)]; });
  return only(std::move(out));
}

Result<DTypes> size_type(const OperatorCall&) { return DTypes{DType::kInt64}; }

Result<Shapes> shape_of_shape(const OperatorCall& call) {
  const auto [begin, end] = range_of_dims(call);
  return one(Shape{end - begin});
}

Result<Shapes> scalar_shape(const OperatorCall&) { return one(Shape{}); }

Result<Shapes> expanded_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const std::vector<int64_t> wanted, call.integers_of(1));
  const Shape& x = call.input(0).shape;
  const auto shape = broadcast_shape(x, Shape(wanted));
  if (shape) return checked(call, *shape);
  return call.shape_error("shape " + x.to_string() + " does not expand to " +
                          Shape(wanted).to_string());
}

}  // namespace

Operators shape_operators() {
  const auto row = [](std::string_view name, size_t most_inputs,
                      std::vector<AttributeSpec> attributes, auto shapes) {
    return Operator{.name = name,
                    .most_inputs = most_inputs,
                    .attributes = std::move(attributes),
                    .evaluate = moved,
                    .types = first_type_at_integers,
                    .shapes = shapes,
                    .bound = Bound::moved()};
  };
  Operator identity = row("Identity", 1, {}, first_shape);
  identity.reach = Reach::kElement;
  return {
      row("Reshape", 2, {integer("allowzero", 0), integers("shape")}, reshaped_shape),
      row("Flatten", 1, {integer("axis", 1)}, flat_shape),
      row("Squeeze", 2, {integers("axes")}, squeezed_shape),
      row("Unsqueeze", 2, {integers("axes")}, unsqueezed_shape),
      std::move(identity),
      {.name = "Shape",
       .attributes = {integer("start", 0), integer("end")},
       .evaluate = shape_of,
       .types = size_type,
       .shapes = shape_of_shape,
       .bound = Bound::moved()},
      {.name = "Size",
       .evaluate = size_of,
       .types = size_type,
       .shapes = scalar_shape,
       .bound = Bound::moved()},
      {.name = "Expand",
       .least_inputs = 2,
       .most_inputs = 2,
       .evaluate = expand,
       .types = first_type_at_integers,
       .shapes = expanded_shape,
       .bound = Bound::moved()},
  };
}

}  // namespace opkit::reference
