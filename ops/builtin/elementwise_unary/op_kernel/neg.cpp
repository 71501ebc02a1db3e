// y = -x, element by element.
#include "unary.h"
#include "wide_sign.h"

struct Plain {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,
                                    uint32_t count) const {
    Muls(y, x, static_cast<C>(-1), count);
  }
};

using Formula = OfWords<DTYPE_X, WideSign<true>, Plain>;
UNARY_ENTRY(neg_op, Formula, elementwise::ComputedIn<DTYPE_X, half>)
