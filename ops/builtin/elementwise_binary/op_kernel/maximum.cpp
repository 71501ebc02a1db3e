// z = max(x, y), element by element.
#include "binary.h"
#include "wide_extreme.h"

struct Plain {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                    const LocalTensor<C>& y, uint32_t count) const {
    Max(z, x, y, count);
  }
};

using Formula = OfWords<DTYPE_X, WideExtreme<true>, Plain>;
BINARY_ENTRY(maximum_op, Formula, elementwise::ComputedIn<DTYPE_X, half>)
