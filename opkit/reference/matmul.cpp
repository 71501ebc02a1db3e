// MatMul, Gemm, MatMulInteger.
#include "opkit/reference/matmul.h"

#include <algorithm>
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"
#include "opkit/reference/quantization.h"

namespace opkit::reference {
namespace {

// row[j] += sum over k of a[k] * b[k * n + j], the terms in the order of k. Four of them at a time
// pass through a register.
void add_row_times_matrix(const double* a, const double* b, int64_t k, int64_t n, double* row) {
  int64_t i = 0;
  for (; i + 4 <= k; i += 4) {
    const double a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3];
    const double *b0 = b + i * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
    for (int64_t j = 0; j < n; ++j)
      row[j] = (((row[j] + a0 * b0[j]) + a1 * b1[j]) + a2 * b2[j]) + a3 * b3[j];
  }
  for (; i < k; ++i) {
    for (int64_t j = 0; j < n; ++j) row[j] += a[i] * b[i * n + j];
  }
}

std::vector<Wide> wide_row(const double* a, const double* b, int64_t k, int64_t n) {
  std::vector<Wide> row(static_cast<size_t>(n));
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t j = 0; j < n; ++j)
      row[j] += static_cast<Wide>(a[i]) * static_cast<Wide>(b[i * n + j]);
  }
  return row;
}

double largest_magnitude(const RefTensor& tensor) {
  double most = 0;
  for (const double value : tensor.values) most = std::max(most, std::abs(value));
  return most;
}

// Sums of integers are exact in double as long as none can pass 2^53.
bool is_exact_in_double(const RefTensor& a, const RefTensor& b, int64_t k) {
  return largest_magnitude(a) * largest_magnitude(b) * static_cast<double>(k) <= 0x1p53;
}

Status store_row(const OperatorCall& call, RefTensor& out, int64_t start, const double* a,
                 const double* b, int64_t k, int64_t n, bool in_double) {
  if (in_double) add_row_times_matrix(a, b, k, n, out.values.data() + start);
  if (is_float(out.dtype)) return {};
  const std::vector<Wide> row = in_double ? std::vector<Wide>() : wide_row(a, b, k, n);
  for (int64_t j = 0; j < n; ++j) {
    const Wide sum = in_double ? static_cast<Wide>(out[start + j]) : row[static_cast<size_t>(j)];
    OPKIT_TRY(out[start + j], call.integer_result(out.dtype, sum));
  }
  return {};
}

Shape leading(const Shape& shape) {
  return Shape(std::vector<int64_t>(shape.dims().begin(), shape.dims().end() - 2));
}

// Returns the product of two tensors of rank 2 or more.
Result<RefTensor> batched_product(const OperatorCall& call, const RefTensor& a, const RefTensor& b,
                                  DType dtype) {
  const int64_t m = a.shape[a.shape.rank() - 2], k = a.shape[a.shape.rank() - 1];
  const int64_t n = b.shape[b.shape.rank() - 1];
  const Shape a_batch = leading(a.shape), b_batch = leading(b.shape);
  OPKIT_TRY(const Shape shape, matrix_product_shape(call, a.shape, b.shape));
  OPKIT_TRY(RefTensor out, call.make(dtype, shape));
  const bool in_double = is_float(dtype) || is_exact_in_double(a, b, k);
  Status status;
  int64_t batch_number = 0;
  for_each_index(leading(shape), [&](const Index& outer) {
    const double* left = a.values.data() + broadcast_offset(a_batch, outer) * m * k;
    const double* right = b.values.data() + broadcast_offset(b_batch, outer) * k * n;
    for (int64_t row = 0; row < m && status.ok(); ++row) {
      status = store_row(call, out, (batch_number * m + row) * n, left + row * k, right, k, n,
                         in_double);
    }
    ++batch_number;
  });
  if (!status.ok()) return std::move(status).error();
  return out;
}

Result<Outputs> matmul(const OperatorCall& call) {
  return only(matrix_product(call, call.input(0), call.input(1), call.input(0).dtype));
}

// Transposed as the attribute says.
Result<RefTensor> gemm_operand(const OperatorCall& call, size_t input, std::string_view attribute) {
  RefTensor out = call.input(input);
  if (call.integer(attribute) == 0) return out;
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
Result<Outputs> gemm(const OperatorCall& call) {
  const double alpha = call.number("alpha"), beta = call.number("beta");
  OPKIT_TRY(const RefTensor a, gemm_operand(call, 0, "transA"));
  OPKIT_TRY(const RefTensor b, gemm_operand(call, 1, "transB"));
  OPKIT_TRY(RefTensor out, batched_product(call, a, b, a.dtype));
  if (!call.has_input(2)) return only(scaled(std::move(out), alpha));
  return only(combine(call, scaled(std::move(out), alpha), call.input(2), a.dtype,
                      [&](double product, double c) -> Result<double> {
                        if (is_float(a.dtype)) return product + beta * c;
                        return call.integer_result(
                            a.dtype, static_cast<Wide>(product) + static_cast<Wide>(c));
                      }));
}

Result<Outputs> matmul_integer(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor a, minus_zero_point(call, 0, 2, RowOrColumn::kRow));
  OPKIT_TRY(const RefTensor b, minus_zero_point(call, 1, 3, RowOrColumn::kColumn));
  return only(matrix_product(call, a, b, DType::kInt32));
}

Result<Shapes> matmul_shape(const OperatorCall& call) {
  OPKIT_TRY(Shape shape, matrix_product_shape(call, call.input(0).shape, call.input(1).shape));
  return checked(call, std::move(shape));
}

Result<DTypes> gemm_type(const OperatorCall& call) {
  const bool plain = call.number("alpha") == 1 && call.number("beta") == 1;
  if (is_integer(call.input(0).dtype) && !plain)
    return call.not_implemented("Gemm of integers with alpha or beta");
  return number_type(call);
}

Result<Shape> gemm_operand_shape(const OperatorCall& call, size_t input,
                                 std::string_view attribute) {
  OPKIT_CHECK(call.require_rank(input, 2, 2));
  const Shape& shape = call.input(input).shape;
  return call.integer(attribute) == 0 ? shape : Shape{shape[1], shape[0]};
}

Result<Shapes> gemm_shape(const OperatorCall& call) {
  OPKIT_TRY(const Shape a, gemm_operand_shape(call, 0, "transA"));
  OPKIT_TRY(const Shape b, gemm_operand_shape(call, 1, "transB"));
  OPKIT_TRY(Shape shape, matrix_product_shape(call, a, b));
  if (call.has_input(2) && broadcast_shape(call.input(2).shape, shape) != shape) {
    return call.shape_error("C " + call.input(2).shape.to_string() + " does not broadcast to " +
                            shape.to_string());
  }
  return checked(call, std::move(shape));
}

Result<DTypes> matmul_integer_type(const OperatorCall& call) {
  for (size_t i = 0; i < 2; ++i) OPKIT_CHECK(call.require_integer(i));
  return DTypes{DType::kInt32};
}

Result<Shapes> matmul_integer_shape(const OperatorCall& call) {
  OPKIT_CHECK(check_zero_point(call, 0, 2, RowOrColumn::kRow));
  OPKIT_CHECK(check_zero_point(call, 1, 3, RowOrColumn::kColumn));
  return matmul_shape(call);
}

}  // namespace

Result<RefTensor> matrix_product(const OperatorCall& call, const RefTensor& a, const RefTensor& b,
                                 DType dtype) {
  OPKIT_TRY(Shape shape, matrix_product_shape(call, a.shape, b.shape));
  RefTensor left = a, right = b;
  if (a.shape.rank() == 1) left.shape = Shape{1, a.shape[0]};
  if (b.shape.rank() == 1) right.shape = Shape{b.shape[0], 1};
  OPKIT_TRY(RefTensor out, batched_product(call, left, right, dtype));
  out.shape = std::move(shape);
  return out;
}

Result<Shape> matrix_product_shape(const OperatorCall& call, const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0) return call.shape_error("a scalar has no matrix product");
  const Shape left = a.rank() == 1 ? Shape{1, a[0]} : a;
  const Shape right = b.rank() == 1 ? Shape{b[0], 1} : b;
  const auto batch = broadcast_shape(leading(left), leading(right));
  if (!batch || right[right.rank() - 2] != left[left.rank() - 1]) {
    return call.shape_error("shapes " + a.to_string() + " and " + b.to_string() +
                            " have no matrix product");
  }
  Shape shape = *batch;
  if (a.rank() > 1) shape.dims().push_back(left[left.rank() - 2]);
  if (b.rank() > 1) shape.dims().push_back(right[right.rank() - 1]);
  return shape;
}

Operators matmul_operators() {
  return {
      {.name = "MatMul",
       .least_inputs = 2,
       .most_inputs = 2,
       .evaluate = matmul,
       .types = number_type,
       .shapes = matmul_shape,
       .bound = Bound::multiplied()},
      {.name = "Gemm",
       .least_inputs = 2,
       .most_inputs = 3,
       .attributes = {number("alpha", 1), number("beta", 1), integer("transA", 0),
                      integer("transB", 0), until(6, integer("broadcast"))},
       .evaluate = gemm,
       .types = gemm_type,
       .shapes = gemm_shape,
       .bound = Bound::multiplied()},
      {.name = "MatMulInteger",
       .least_inputs = 2,
       .most_inputs = 4,
       .evaluate = matmul_integer,
       .types = matmul_integer_type,
       .shapes = matmul_integer_shape,
       .bound = Bound::certain()},
  };
}

}  // namespace opkit::reference
