// MatMul, Gemm, MatMulInteger.
#include "opkit/reference/matmul.h"

#include <algorithm>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/operators.h"
#include "opkit/reference/quantization.h"

namespace opkit::reference {
namespace {

// One element of a product: sum over k of a[a0 + k * a_step] * b[b0 + k * b_step].
struct Strided {
  const RefTensor& tensor;
  int64_t start;
  int64_t step;
  double operator[](int64_t k) const { return tensor[start + k * step]; }
};

Result<double> dot(const Call& call, DType dtype, const Strided& a, const Strided& b,
                   int64_t count) {
  if (is_float(dtype)) {
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
  }
  Wide sum = 0;
  for (int64_t k = 0; k < count; ++k) sum += static_cast<Wide>(a[k]) * static_cast<Wide>(b[k]);
  return call.integer_result(dtype, sum);
}

Shape leading(const Shape& shape) {
  return Shape(std::vector<int64_t>(shape.dims().begin(), shape.dims().end() - 2));
}

// The product of two tensors of rank 2 or more.
Result<RefTensor> batched_product(const Call& call, const RefTensor& a, const RefTensor& b,
                                  DType dtype) {
  const int64_t m = a.shape[a.shape.rank() - 2], k = a.shape[a.shape.rank() - 1];
  const int64_t n = b.shape[b.shape.rank() - 1];
  const auto batch = broadcast_shape(leading(a.shape), leading(b.shape));
  if (!batch || b.shape[b.shape.rank() - 2] != k) {
    return call.shape_error("shapes " + a.shape.to_string() + " and " + b.shape.to_string() +
                            " have no matrix product");
  }
  const Shape a_batch = leading(a.shape), b_batch = leading(b.shape);
  std::vector<int64_t> dims = batch->dims();
  dims.insert(dims.end(), {m, n});
  OPKIT_TRY(RefTensor out, call.make(dtype, Shape(dims)));
  std::optional<Error> failure;
  int64_t position = 0;
  for_each_index(Shape(dims), [&](const Index& index) {
    if (failure) return;
    const int64_t row = index[index.size() - 2], column = index.back();
    const Index outer(index.begin(), index.end() - 2);
    const int64_t a_start = (broadcast_offset(a_batch, outer) * m + row) * k;
    const int64_t b_start = broadcast_offset(b_batch, outer) * k * n + column;
    Result<double> sum = dot(call, dtype, {a, a_start, 1}, {b, b_start, n}, k);
    if (!sum.ok()) return void(failure = std::move(sum).error());
    out[position++] = *sum;
  });
  if (failure) return std::move(*failure);
  return out;
}

Result<Outputs> matmul(const Call& call) {
  OPKIT_CHECK(call.require_same_dtype());
  return only(matrix_product(call, call.input(0), call.input(1), call.input(0).dtype));
}

// Transposed as the attribute says.
Result<RefTensor> gemm_operand(const Call& call, size_t input, std::string_view attribute) {
  OPKIT_CHECK(call.require_rank(input, 2, 2));
  RefTensor out = call.input(input);
  if (call.integer(attribute, 0) == 0) return out;
  const int64_t rows = out.shape[0], columns = out.shape[1];
  out.shape = Shape{columns, rows};
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) out[j * rows + i] = call.input(input)[i * columns + j];
  }
  return out;
}

RefTensor scaled(RefTensor tensor, double factor) {
  return map_values(std::move(tensor), [&](double value) { return factor * value; });
}

// alpha * A B + beta * C, where C broadcasts to the result and may be absent.
Result<Outputs> gemm(const Call& call) {
  OPKIT_CHECK(call.require_same_dtype());
  const double alpha = call.number("alpha", 1), beta = call.number("beta", 1);
  OPKIT_TRY(const RefTensor a, gemm_operand(call, 0, "transA"));
  OPKIT_TRY(const RefTensor b, gemm_operand(call, 1, "transB"));
  OPKIT_TRY(RefTensor out, batched_product(call, a, b, a.dtype));
  const bool biased = call.has_input(2);
  if (biased && broadcast_shape(call.input(2).shape, out.shape) != out.shape) {
    return call.shape_error("C " + call.input(2).shape.to_string() + " does not broadcast to " +
                            out.shape.to_string());
  }
  if (!is_float(out.dtype) && (alpha != 1 || beta != 1)) {
    return call.not_implemented("Gemm of integers with alpha or beta");
  }
  if (!biased) return only(scaled(std::move(out), alpha));
  return only(combine(call, scaled(std::move(out), alpha), call.input(2), a.dtype,
                      [&](double product, double c) -> Result<double> {
                        if (is_float(a.dtype)) return product + beta * c;
                        return call.integer_result(
                            a.dtype, static_cast<Wide>(product) + static_cast<Wide>(c));
                      }));
}

Result<Outputs> matmul_integer(const Call& call) {
  OPKIT_TRY(const RefTensor a, minus_zero_point(call, 0, 2, RowOrColumn::kRow));
  OPKIT_TRY(const RefTensor b, minus_zero_point(call, 1, 3, RowOrColumn::kColumn));
  return only(matrix_product(call, a, b, DType::kInt32));
}

}  // namespace

Result<RefTensor> matrix_product(const Call& call, const RefTensor& a, const RefTensor& b,
                                 DType dtype) {
  if (a.shape.rank() == 0 || b.shape.rank() == 0) {
    return call.shape_error("a scalar has no matrix product");
  }
  RefTensor left = a, right = b;
  if (a.shape.rank() == 1) left.shape = Shape{1, a.shape[0]};
  if (b.shape.rank() == 1) right.shape = Shape{b.shape[0], 1};
  OPKIT_TRY(RefTensor out, batched_product(call, left, right, dtype));
  std::vector<int64_t>& dims = out.shape.dims();
  if (b.shape.rank() == 1) dims.pop_back();
  if (a.shape.rank() == 1) dims.erase(dims.end() - (b.shape.rank() == 1 ? 1 : 2));
  return out;
}

Operators matmul_operators() {
  using enum AttributeKind;
  return {
      {"MatMul", 2, 2, 1, {}, matmul},
      {"Gemm",
       2,
       3,
       1,
       {{"alpha", kNumber},
        {"beta", kNumber},
        {"transA", kInteger},
        {"transB", kInteger},
        {"broadcast", kInteger, false, 6}},
       gemm},
      {"MatMulInteger", 2, 4, 1, {}, matmul_integer},
  };
}

}  // namespace opkit::reference
