// Operators that change or report the shape and leave the elements where they are.
#include <algorithm>

#include "opkit/reference/index.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

Result<Outputs> reshaped(const Call& call, Shape shape) {
  RefTensor out = call.input(0);
  OPKIT_TRY(const int64_t elements, shape.checked_elements());
  if (elements != out.elements()) {
    return call.shape_error("shape " + out.shape.to_string() + " cannot become " +
                            shape.to_string());
  }
  out.shape = std::move(shape);
  return only(std::move(out));
}

// A 0 copies the input's dim (unless allowzero), one -1 takes what is left.
Result<Outputs> reshape(const Call& call) {
  OPKIT_TRY(const auto wanted, call.integers_from(1, "shape"));
  if (!wanted) return call.error(kBadArity, "no shape is given", "give input 1");
  const Shape& from = call.input(0).shape;
  const bool allow_zero = call.integer("allowzero", 0) != 0;
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
    if (dim == -1) dim = call.input(0).elements() / known;
  }
  return reshaped(call, Shape(std::move(dims)));
}

Result<Outputs> flatten(const Call& call) {
  const Shape& shape = call.input(0).shape;
  const int64_t rank = static_cast<int64_t>(shape.rank());
  int64_t axis = call.integer("axis", 1);
  if (axis < -rank || axis > rank) return call.attribute_error("axis outside the tensor's rank");
  if (axis < 0) axis += rank;
  const size_t split = static_cast<size_t>(axis);
  return reshaped(call, Shape{product(shape, 0, split), product(shape, split, shape.rank())});
}

// Without axes: every dim of 1.
Result<Outputs> squeeze(const Call& call) {
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
Result<Outputs> unsqueeze(const Call& call) {
  OPKIT_TRY(const auto given, call.integers_from(1, "axes"));
  if (!given) return call.error(kBadArity, "no axes are given", "give input 1");
  std::vector<int64_t> dims = call.input(0).shape.dims();
  OPKIT_TRY(const std::vector<size_t> axes, call.axes(*given, dims.size() + given->size()));
  for (size_t axis : axes) dims.insert(dims.begin() + static_cast<int64_t>(axis), 1);
  return reshaped(call, Shape(std::move(dims)));
}

Result<Outputs> identity(const Call& call) { return only(call.input(0)); }

// The dims from start to end, both clamped.
Result<Outputs> shape_of(const Call& call) {
  const std::vector<int64_t>& dims = call.input(0).shape.dims();
  const int64_t rank = static_cast<int64_t>(dims.size());
  const auto clamped = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0, rank);
  };
  const int64_t begin = clamped(call.integer("start", 0));
  const int64_t end = std::max(begin, clamped(call.integer("end", rank)));
  RefTensor out{DType::kInt64, Shape{end - begin}, {}};
  out.values.assign(dims.begin() + begin, dims.begin() + end);
  return only(std::move(out));
}

Result<Outputs> size_of(const Call& call) {
  return only(RefTensor{DType::kInt64, Shape{}, {static_cast<double>(call.input(0).elements())}});
}

// To the common broadcast of the input's shape and the wanted one.
Result<Outputs> expand(const Call& call) {
  OPKIT_TRY(const std::vector<int64_t> wanted, call.integers_of(1));
  const RefTensor& x = call.input(0);
  const auto shape = broadcast_shape(x.shape, Shape(wanted));
  if (!shape) {
    return call.shape_error("shape " + x.shape.to_string() + " does not expand to " +
                            Shape(wanted).to_string());
  }
  OPKIT_TRY(RefTensor out, call.make(x.dtype, *shape));
  int64_t position = 0;
  for_each_index(*shape,
                 [&](const Index& i) { out[position++] = x[broadcast_offset(x.shape, i)]; });
  return only(std::move(out));
}

}  // namespace

Operators shape_operators() {
  using enum AttributeKind;
  return {
      {"Reshape", 1, 2, 1, {{"allowzero", kInteger}, {"shape", kIntegers}}, reshape},
      {"Flatten", 1, 1, 1, {{"axis", kInteger}}, flatten},
      {"Squeeze", 1, 2, 1, {{"axes", kIntegers}}, squeeze},
      {"Unsqueeze", 1, 2, 1, {{"axes", kIntegers}}, unsqueeze},
      {"Identity", 1, 1, 1, {}, identity},
      {"Shape", 1, 1, 1, {{"start", kInteger}, {"end", kInteger}}, shape_of},
      {"Size", 1, 1, 1, {}, size_of},
      {"Expand", 2, 2, 1, {}, expand},
  };
}

}  // namespace opkit::reference
