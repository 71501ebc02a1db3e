// HannWindow, HammingWindow, BlackmanWindow: sums of cosines.
#include <cmath>

#include "opkit/reference/operators.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

// a - b cos(2 pi n / N) + c cos(4 pi n / N), N = size, or size - 1 when symmetric.
Result<Outputs> cosine_window(const Call& call, double a, double b, double c) {
  OPKIT_CHECK(call.require_integer(0));
  OPKIT_TRY(const int64_t size, call.integer_of(0));
  OPKIT_TRY(const DType dtype, type_attribute(call, "output_datatype", DType::kFloat32));
  OPKIT_TRY(RefTensor out, call.make(dtype, Shape{size}));
  const double period = static_cast<double>(call.integer("periodic", 1) != 0 ? size : size - 1);
  for (int64_t n = 0; n < out.elements(); ++n) {
    const double angle = period == 0 ? 0 : 2 * M_PI * static_cast<double>(n) / period;
    out[n] = a - b * std::cos(angle) + c * std::cos(2 * angle);
  }
  return only(std::move(out));
}

Result<Outputs> hann(const Call& call) { return cosine_window(call, 0.5, 0.5, 0); }
Result<Outputs> hamming(const Call& call) {
  return cosine_window(call, 25.0 / 46, 1 - 25.0 / 46, 0);
}
Result<Outputs> blackman(const Call& call) { return cosine_window(call, 0.42, 0.5, 0.08); }

}  // namespace

Operators window_function_operators() {
  using enum AttributeKind;
  const std::vector<AttributeSpec> attributes = {{"output_datatype", kType},
                                                 {"periodic", kInteger}};
  return {
      {"HannWindow", 1, 1, 1, attributes, hann},
      {"HammingWindow", 1, 1, 1, attributes, hamming},
      {"BlackmanWindow", 1, 1, 1, attributes, blackman},
  };
}

}  // namespace opkit::reference
