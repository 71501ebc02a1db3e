// HannWindow, HammingWindow, BlackmanWindow: sums of cosines.
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

// a - b cos(2 pi n / N) + c cos(4 pi n / N), N = size, or size - 1 when symmetric.
Result<Outputs> cosine_window(const OperatorCall& call, double a, double b, double c) {
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t size = out.elements();
  const double period = static_cast<double>(call.integer("periodic") != 0 ? size : size - 1);
  for (int64_t n = 0; n < out.elements(); ++n) {
    const double angle = period == 0 ? 0 : 2 * M_PI * static_cast<double>(n) / period;
    out[n] = a - b * std::cos(angle) + c * std::cos(2 * angle);
  }
  return only(std::move(out));
}

Result<Outputs> hann(const OperatorCall& call) { return cosine_window(call, 0.5, 0.5, 0); }
Result<Outputs> hamming(const OperatorCall& call) {
  return cosine_window(call, 25.0 / 46, 1 - 25.0 / 46, 0);
}
Result<Outputs> blackman(const OperatorCall& call) { return cosine_window(call, 0.42, 0.5, 0.08); }

Result<DTypes> window_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_integer(0));
  OPKIT_TRY(const DType dtype, type_attribute(call, "output_datatype", DType::kFloat32));
  return DTypes{dtype};
}

Result<Shapes> window_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_one_element(0));
  if (!call.known(0)) return Shapes();
  OPKIT_TRY(const int64_t size, call.integer_of(0));
  return checked(call, Shape{size});
}

}  // namespace

Operators window_function_operators() {
  const auto row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&)) {
    return Operator{
        .name = name,
        .attributes = {{"output_datatype", AttributeKind::kType}, integer("periodic", 1)},
        .evaluate = f,
        .types = window_type,
        .shapes = window_shape};
  };
  return {row("HannWindow", hann), row("HammingWindow", hamming), row("BlackmanWindow", blackman)};
}

}  // namespace opkit::reference
