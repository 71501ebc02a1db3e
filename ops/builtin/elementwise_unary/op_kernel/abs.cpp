// y = |x|, element by element.
#include "unary.h"
#include "wide_sign.h"

struct Plain {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,
                                    uint32_t count) const {
    Abs(y, x, count);
  }
  __aicore__ inline void operator()(const LocalTensor<int32_t>& y, const LocalTensor<int32_t>& x,
                                    uint32_t count) const {
    Muls(y, x, -1, count);
    Max(y, y, x, count);
  }
};

using Formula = OfWords<DTYPE_X, WideSign<false>, Plain>;
UNARY_ENTRY(abs_op, Formula, elementwise::ComputedIn<DTYPE_X, half>)
