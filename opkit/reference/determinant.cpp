// Det: the determinant of each matrix, by elimination with partial pivoting.
#include <cmath>

#include "opkit/reference/index.h"
#include "opkit/reference/operators.h"

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

Result<Outputs> det(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  const RefTensor& x = call.input(0);
  const size_t rank = x.shape.rank();
  const int64_t n = x.shape[rank - 1];
  if (x.shape[rank - 2] != n) return call.shape_error(x.shape.to_string() + " is not square");
  const Shape batch(std::vector<int64_t>(x.shape.dims().begin(), x.shape.dims().end() - 2));
  OPKIT_TRY(RefTensor out, call.make(x.dtype, batch));
  for (int64_t i = 0; i < out.elements(); ++i) {
    const auto start = x.values.begin() + i * n * n;
    out[i] = determinant(std::vector<double>(start, start + n * n), n);
  }
  return only(std::move(out));
}

}  // namespace

Operators determinant_operators() { return {{"Det", 1, 1, 1, {}, det}}; }

}  // namespace opkit::reference
