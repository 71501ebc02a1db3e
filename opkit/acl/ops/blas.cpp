// Products by the names of the linear algebra subprograms: calls of the installed op GEMM.
#include "acl/ops/acl_cblas.h"

#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "opkit/acl/base/error.h"

namespace opkit::acl {
namespace {

// C = alpha * A * B + beta * C, of m x k and k x n.
struct Product {
  aclTransType a = ACL_TRANS_N, b = ACL_TRANS_N, c = ACL_TRANS_N;
  int64_t m = 0, n = 0, k = 0;
  aclDataType a_type = ACL_DT_UNDEFINED, b_type = ACL_DT_UNDEFINED, c_type = ACL_DT_UNDEFINED;
  aclComputeType compute = ACL_COMPUTE_HIGH_PRECISION;
};

struct Operands {
  const void *a, *b, *alpha, *beta;
  void* c;
};

aclError check(const Product& product) {
  for (const aclTransType turn : {product.a, product.b}) {
    if (turn != ACL_TRANS_N && turn != ACL_TRANS_T)
      return fail(ACL_ERROR_API_NOT_SUPPORT,
                  "aclTransType %d; ACL_TRANS_N and ACL_TRANS_T are taken", static_cast<int>(turn));
  }
  if (product.c != ACL_TRANS_N)
    return fail(ACL_ERROR_INVALID_PARAM, "transC is %d; it must be ACL_TRANS_N",
                static_cast<int>(product.c));
  if (product.compute != ACL_COMPUTE_HIGH_PRECISION)
    return fail(ACL_ERROR_API_NOT_SUPPORT, "aclComputeType %d; use ACL_COMPUTE_HIGH_PRECISION",
                static_cast<int>(product.compute));
  if (product.m > 0 && product.n > 0 && product.k > 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "a product of %lld x %lld by %lld x %lld",
              static_cast<long long>(product.m), static_cast<long long>(product.k),
              static_cast<long long>(product.k), static_cast<long long>(product.n));
}

aclError check_strides(const char* names, std::initializer_list<int> strides) {
  for (const int stride : strides)
    if (stride != -1)
      return fail(ACL_ERROR_INVALID_PARAM, "%s: one is %d; they must be -1", names, stride);
  return ACL_SUCCESS;
}

// Descriptions, buffers and attributes of a call, for as long as it is planned.
class GemmCall {
 public:
  explicit GemmCall(const Product& product) {
    describe(0, product.a_type, turned(product.a, product.m, product.k));
    describe(1, product.b_type, turned(product.b, product.k, product.n));
    describe(2, product.c_type, {product.m, product.n});
    for (const size_t factor : {3, 4}) describe(factor, product.c_type, {});
    describe(5, product.c_type, {product.m, product.n});
    aclopSetAttrBool(attr_, "transpose_a", product.a == ACL_TRANS_T);
    aclopSetAttrBool(attr_, "transpose_b", product.b == ACL_TRANS_T);
  }
  ~GemmCall() {
    for (const aclTensorDesc* desc : descs_) aclDestroyTensorDesc(desc);
    for (const aclDataBuffer* buffer : buffers_)
      if (buffer) aclDestroyDataBuffer(buffer);
    aclopDestroyAttr(attr_);
  }
  GemmCall(const GemmCall&) = delete;
  GemmCall& operator=(const GemmCall&) = delete;

  aclError run(const Operands& at, aclrtStream stream) {
    lend(0, at.a), lend(1, at.b), lend(2, at.c), lend(3, at.alpha), lend(4, at.beta);
    lend(5, at.c);
    return aclopExecuteV2("GEMM", 5, descs_.data(), buffers_.data(), 1, &descs_[5], &buffers_[5],
                          attr_, stream);
  }
  aclError keep(aclopHandle** handle) const {
    return aclopCreateHandle("GEMM", 5, descs_.data(), 1, &descs_[5], attr_, handle);
  }

 private:
  static std::vector<int64_t> turned(aclTransType turn, int64_t rows, int64_t columns) {
    if (turn == ACL_TRANS_T) std::swap(rows, columns);
    return {rows, columns};
  }
  void describe(size_t i, aclDataType type, const std::vector<int64_t>& dims) {
    descs_[i] =
        aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
  }
  void lend(size_t i, const void* memory) {
    buffers_[i] = aclCreateDataBuffer(const_cast<void*>(memory), aclGetTensorDescSize(descs_[i]));
  }

  std::array<aclTensorDesc*, 6> descs_{};
  std::array<aclDataBuffer*, 6> buffers_{};
  aclopAttr* attr_ = aclopCreateAttr();
};

aclError run(const Product& product, const Operands& operands, aclrtStream stream) {
  if (const aclError code = check(product)) return code;
  return GemmCall(product).run(operands, stream);
}

aclError keep(const Product& product, aclopHandle** handle) {
  if (const aclError code = check(product)) return code;
  return GemmCall(product).keep(handle);
}

// A lies as m x n; x is a matrix of one column.
Product vector_product(aclTransType a, int m, int n, aclDataType a_type, aclDataType x_type,
                       aclDataType y_type, aclComputeType compute) {
  const bool turned = a == ACL_TRANS_T;
  return {a,      ACL_TRANS_N, ACL_TRANS_N, turned ? n : m, 1, turned ? m : n,
          a_type, x_type,      y_type,      compute};
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclblasGemmEx(aclTransType a_turn, aclTransType b_turn,
                                        aclTransType c_turn, int m, int n, int k, const void* alpha,
                                        const void* a, int lda, aclDataType a_type, const void* b,
                                        int ldb, aclDataType b_type, const void* beta, void* c,
                                        int ldc, aclDataType c_type, aclComputeType compute,
                                        aclrtStream stream) {
  if (const aclError code = check_strides("lda, ldb, ldc", {lda, ldb, ldc})) return code;
  return run({a_turn, b_turn, c_turn, m, n, k, a_type, b_type, c_type, compute},
             {a, b, alpha, beta, c}, stream);
}

OPKIT_ACL_EXPORT aclError aclblasHgemm(aclTransType a_turn, aclTransType b_turn,
                                       aclTransType c_turn, int m, int n, int k,
                                       const aclFloat16* alpha, const aclFloat16* a, int lda,
                                       const aclFloat16* b, int ldb, const aclFloat16* beta,
                                       aclFloat16* c, int ldc, aclComputeType compute,
                                       aclrtStream stream) {
  return aclblasGemmEx(a_turn, b_turn, c_turn, m, n, k, alpha, a, lda, ACL_FLOAT16, b, ldb,
                       ACL_FLOAT16, beta, c, ldc, ACL_FLOAT16, compute, stream);
}

OPKIT_ACL_EXPORT aclError aclblasS8gemm(aclTransType a_turn, aclTransType b_turn,
                                        aclTransType c_turn, int m, int n, int k,
                                        const int32_t* alpha, const int8_t* a, int lda,
                                        const int8_t* b, int ldb, const int32_t* beta, int32_t* c,
                                        int ldc, aclComputeType compute, aclrtStream stream) {
  return aclblasGemmEx(a_turn, b_turn, c_turn, m, n, k, alpha, a, lda, ACL_INT8, b, ldb, ACL_INT8,
                       beta, c, ldc, ACL_INT32, compute, stream);
}

OPKIT_ACL_EXPORT aclError aclblasGemvEx(aclTransType turn, int m, int n, const void* alpha,
                                        const void* a, int lda, aclDataType a_type, const void* x,
                                        int incx, aclDataType x_type, const void* beta, void* y,
                                        int incy, aclDataType y_type, aclComputeType compute,
                                        aclrtStream stream) {
  if (const aclError code = check_strides("lda, incx, incy", {lda, incx, incy})) return code;
  return run(vector_product(turn, m, n, a_type, x_type, y_type, compute), {a, x, alpha, beta, y},
             stream);
}

OPKIT_ACL_EXPORT aclError aclblasHgemv(aclTransType turn, int m, int n, const aclFloat16* alpha,
                                       const aclFloat16* a, int lda, const aclFloat16* x, int incx,
                                       const aclFloat16* beta, aclFloat16* y, int incy,
                                       aclComputeType compute, aclrtStream stream) {
  return aclblasGemvEx(turn, m, n, alpha, a, lda, ACL_FLOAT16, x, incx, ACL_FLOAT16, beta, y, incy,
                       ACL_FLOAT16, compute, stream);
}

OPKIT_ACL_EXPORT aclError aclblasS8gemv(aclTransType turn, int m, int n, const int32_t* alpha,
                                        const int8_t* a, int lda, const int8_t* x, int incx,
                                        const int32_t* beta, int32_t* y, int incy,
                                        aclComputeType compute, aclrtStream stream) {
  return aclblasGemvEx(turn, m, n, alpha, a, lda, ACL_INT8, x, incx, ACL_INT8, beta, y, incy,
                       ACL_INT32, compute, stream);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForGemmEx(aclTransType a_turn, aclTransType b_turn,
                                                       aclTransType c_turn, int m, int n, int k,
                                                       aclDataType a_type, aclDataType b_type,
                                                       aclDataType c_type, aclComputeType compute,
                                                       aclopHandle** handle) {
  return keep({a_turn, b_turn, c_turn, m, n, k, a_type, b_type, c_type, compute}, handle);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForHgemm(aclTransType a_turn, aclTransType b_turn,
                                                      aclTransType c_turn, int m, int n, int k,
                                                      aclComputeType compute,
                                                      aclopHandle** handle) {
  return keep({a_turn, b_turn, c_turn, m, n, k, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, compute},
              handle);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForS8gemm(aclTransType a_turn, aclTransType b_turn,
                                                       aclTransType c_turn, int m, int n, int k,
                                                       aclComputeType compute,
                                                       aclopHandle** handle) {
  return keep({a_turn, b_turn, c_turn, m, n, k, ACL_INT8, ACL_INT8, ACL_INT32, compute}, handle);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForGemvEx(aclTransType turn, int m, int n,
                                                       aclDataType a_type, aclDataType x_type,
                                                       aclDataType y_type, aclComputeType compute,
                                                       aclopHandle** handle) {
  return keep(vector_product(turn, m, n, a_type, x_type, y_type, compute), handle);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForHgemv(aclTransType turn, int m, int n,
                                                      aclComputeType compute,
                                                      aclopHandle** handle) {
  return keep(vector_product(turn, m, n, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, compute), handle);
}

OPKIT_ACL_EXPORT aclError aclblasCreateHandleForS8gemv(aclTransType turn, int m, int n,
                                                       aclComputeType compute,
                                                       aclopHandle** handle) {
  return keep(vector_product(turn, m, n, ACL_INT8, ACL_INT8, ACL_INT32, compute), handle);
}
