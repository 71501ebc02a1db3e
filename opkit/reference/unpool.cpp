// MaxUnpool: puts values back where MaxPool found them; everything else is zero.
#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

// Without output_shape: the smallest shape that pools to the input's.
Result<Shape> inferred_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const size_t rank = x.rank() - 2;
  const std::vector<int64_t> kernel = call.integers("kernel_shape");
  const std::vector<int64_t> strides = call.integers("strides", std::vector<int64_t>(rank, 1));
  const std::vector<int64_t> pads = call.integers("pads", std::vector<int64_t>(2 * rank, 0));
  constexpr int64_t kLimit = int64_t{1} << 31;
  for (const std::vector<int64_t>* list : {&kernel, &strides, &pads}) {
    for (int64_t value : *list) {
      if (value < 0 || value >= kLimit)
        return call.attribute_error("a value of " + std::to_string(value));
    }
  }
  if (kernel.size() != rank || strides.size() != rank || pads.size() != 2 * rank) {
    return call.attribute_error("kernel_shape, strides and pads must fit " + x.to_string());
  }
  std::vector<int64_t> dims;
  for (size_t d = 0; d < rank; ++d) {
    dims.push_back((x[d + 2] - 1) * strides[d] + kernel[d] - pads[d] - pads[rank + d]);
  }
  return with_spatial(x[0], x[1], Shape(dims));
}

Index unravelled(const Shape& shape, int64_t flat) {
  Index index(shape.rank());
  for (size_t d = index.size(); d-- > 0; flat /= shape[d]) index[d] = flat % shape[d];
  return index;
}

bool lies_in(const Shape& shape, const Index& index) {
  bool inside = shape.rank() == index.size();
  for (size_t d = 0; inside && d < index.size(); ++d) inside = index[d] < shape[d];
  return inside;
}

// The indices are flat ones into the inferred shape; a larger output_shape keeps the positions.
Result<Outputs> max_unpool(const OperatorCall& call) {
  const RefTensor &x = call.input(0), &indices = call.input(1);
  OPKIT_TRY(const Shape inner, inferred_shape(call));
  OPKIT_TRY(const int64_t inner_elements, inner.checked_elements());
  OPKIT_TRY(RefTensor out, call.result());
  const Shape& shape = out.shape;
  for (int64_t i = 0; i < x.elements(); ++i) {
    Index at;
    if (indices[i] >= 0 && indices[i] < static_cast<double>(inner_elements)) {
      at = unravelled(inner, static_cast<int64_t>(indices[i]));
    }
    if (!lies_in(shape, at)) {
      return call.error(kBadIndex, "index " + std::to_string(indices[i]) + " lies outside",
                        "give indices within the output");
    }
    out[offset_of(shape, at)] = x[i];
  }
  return only(std::move(out));
}

Result<Shapes> unpooled_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 3, 64));
  if (call.input(0).shape != call.input(1).shape)
    return call.shape_error("values and indices differ in shape");
  OPKIT_TRY(Shape inner, inferred_shape(call));
  OPKIT_CHECK(call.check_size(inner));
  if (!call.has_input(2)) return one(std::move(inner));
  if (!call.known(2)) return Shapes();
  OPKIT_TRY(const std::vector<int64_t> wanted, call.integers_of(2));
  return checked(call, Shape(wanted));
}

}  // namespace

Operators unpool_operators() {
  return {
      {.name = "MaxUnpool",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = {required(integers("kernel_shape")), integers("pads"), integers("strides")},
       .evaluate = max_unpool,
       .types = first_type_at_integers,
       .shapes = unpooled_shape}};
}

}  // namespace opkit::reference
