#include "opkit/reference/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace opkit::reference {
namespace {

// A binary floating format: bits of significand (the hidden one included), the exponent of its
// smallest subnormal, its largest finite value.
struct FloatFormat {
  int precision;
  int lowest_exponent;
  double largest;
};

// Rounds to nearest even: added to 1.5 * 2^52 ulps, a double keeps whole ulps. The library's frexp
// and ldexp took a third of the time in which atc compiles ResNet-50.
double rounded(double value, const FloatFormat& format) {
  constexpr int kFraction = 52, kBias = 1023, kExponents = 0x7ff;
  if (std::isnan(value)) return value;
  if (std::abs(value) >= 2 * format.largest) return std::copysign(INFINITY, value);
  const auto bits = std::bit_cast<uint64_t>(value);
  const int exponent = static_cast<int>(bits >> kFraction & kExponents) - kBias + 1;
  const int ulp = std::max(exponent - format.precision, format.lowest_exponent);
  const auto whole =
      1.5 * std::bit_cast<double>(static_cast<uint64_t>(ulp + kFraction + kBias) << kFraction);
  const double result = std::copysign((value + whole) - whole, value);
  return std::abs(result) > format.largest ? std::copysign(INFINITY, value) : result;
}

Error inexact(std::string_view what, double value) {
  return Error("OPK-REF-008", fmt::format("{} {} cannot be held exactly", what, value),
               "use integers up to 2^53 that fit the dtype");
}

}  // namespace

bool is_integer(DType dtype) { return !is_float(dtype) && dtype != DType::kBool; }

Wide lowest_of(DType dtype) {
  return is_signed(dtype) ? -(Wide{1} << (bits_of(dtype) - 1)) : Wide{0};
}

Wide highest_of(DType dtype) {
  return (Wide{1} << (bits_of(dtype) - (is_signed(dtype) ? 1 : 0))) - 1;
}

bool is_value_of(DType dtype, double value) {
  if (is_float(dtype)) return true;
  if (dtype == DType::kBool) return value == 0 || value == 1;
  return value == std::trunc(value) && std::abs(value) <= kMaxExactInteger &&
         static_cast<Wide>(value) >= lowest_of(dtype) &&
         static_cast<Wide>(value) <= highest_of(dtype);
}

Wide wrapped(DType dtype, Wide value) {
  if (value >= lowest_of(dtype) && value <= highest_of(dtype)) return value;
  const Wide modulus = Wide{1} << bits_of(dtype);
  const Wide residue = ((value % modulus) + modulus) % modulus;
  return residue > highest_of(dtype) ? residue - modulus : residue;
}

double rounded_to(DType dtype, double value) {
  switch (dtype) {
    case DType::kFloat16: return rounded(value, {11, -24, 65504.0});
    case DType::kBFloat16: return rounded(value, {8, -133, 0x1.fep127});
    case DType::kFloat32: return static_cast<double>(static_cast<float>(value));
    default: return value;
  }
}

Result<RefTensor> from_tensor(const Tensor& tensor) {
  RefTensor out{tensor.dtype(), tensor.shape(), {}};
  out.values.reserve(static_cast<size_t>(tensor.elements()));
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const double value = tensor.at(i);
    if (is_integer(tensor.dtype()) && std::abs(value) >= kMaxExactInteger) {
      return inexact(fmt::format("element {} of '{}':", i, tensor.desc().name), value);
    }
    out.values.push_back(value);
  }
  return out;
}

Result<Tensor> to_tensor(const RefTensor& tensor) {
  Tensor out(tensor.dtype, tensor.shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    if (!is_value_of(tensor.dtype, tensor[i])) {
      return inexact(fmt::format("element {} as {}:", i, name_of(tensor.dtype)), tensor[i]);
    }
    out.set(i, rounded_to(tensor.dtype, tensor[i]));
  }
  return out;
}

}  // namespace opkit::reference
