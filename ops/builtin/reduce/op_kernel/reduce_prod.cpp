// y = the product.
#include "reduce.h"
#include "row_products.h"

struct Product {
  static constexpr uint32_t kNumbers = 1;

  __aicore__ static inline void Bring(const LocalTensor<float>& to, const LocalTensor<float>& a,
                                      const LocalTensor<float>& b, uint32_t count) {
    Mul(to, a, b, count);
  }
  __aicore__ inline LocalTensor<float> Join(rows::Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  __aicore__ inline void Element(const LocalTensor<float>&, uint32_t) const {}
  __aicore__ inline void Last(const LocalTensor<float>&, uint32_t, uint64_t) const {}
};

REDUCE_ENTRY(reduce_prod, Product, RowProducts)
