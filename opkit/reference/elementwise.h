// Applying a scalar function to every element.
#ifndef OPKIT_REFERENCE_ELEMENTWISE_H_
#define OPKIT_REFERENCE_ELEMENTWISE_H_

#include "opkit/reference/call.h"
#include "opkit/reference/index.h"

namespace opkit::reference {

// f(double) -> double on every element; the shape and dtype stay.
template <typename F>
RefTensor map_values(RefTensor tensor, F f) {
  for (double& value : tensor.values) value = f(value);
  return tensor;
}

// f(double, double) -> Result<double> with numpy broadcasting.
template <typename F>
Result<RefTensor> combine(const OperatorCall& call, const RefTensor& a, const RefTensor& b,
                          DType dtype, F f) {
  const std::optional<Shape> shape = broadcast_shape(a.shape, b.shape);
  if (!shape) {
    return call.shape_error("shapes " + a.shape.to_string() + " and " + b.shape.to_string() +
                            " do not broadcast");
  }
  OPKIT_TRY(RefTensor out, call.make(dtype, *shape));
  std::optional<Error> failure;
  int64_t position = 0;
  for_each_index(*shape, [&](const Index& index) {
    if (failure) return;
    Result<double> value =
        f(a[broadcast_offset(a.shape, index)], b[broadcast_offset(b.shape, index)]);
    if (value.ok()) {
      out[position++] = *value;
    } else {
      failure = std::move(value).error();
    }
  });
  if (failure) return std::move(*failure);
  return out;
}

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_ELEMENTWISE_H_
