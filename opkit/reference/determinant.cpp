// Det: the determinant of each matrix, by elimination with partial pivoting.
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

double determinant(std::vector<double> a, int64_t n) {
  double result = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (a[pivot * n + k] == 0) return 0;
    for (int64_t j = 0; pivot != k && j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    result *= pivot == k ? a[k * n + k] : -a[k * n + k];
    for (int64_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (int64_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return result;
}

Result<Outputs> det(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const int64_t n = x.shape[x.shape.rank() - 1];
  OPKIT_TRY(RefTensor out, call.result());
  for (int64_t i = 0; i < out.elements(); ++i) {
    const auto start = x.values.begin() + i * n * n;
    out[i] = determinant(std::vector<double>(start, start + n * n), n);
  }
  return only(std::move(out));
}

Result<Shapes> det_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  Shape shape = call.input(0).shape;
  const size_t rank = shape.rank();
  if (shape[rank - 2] != shape[rank - 1])
    return call.shape_error(shape.to_string() + " is not square");
  shape.dims().resize(rank - 2);
  return one(std::move(shape));
}

}  // namespace

Operators determinant_operators() {
  return {{.name = "Det", .evaluate = det, .types = float_type, .shapes = det_shape}};
}

}  // namespace opkit::reference
