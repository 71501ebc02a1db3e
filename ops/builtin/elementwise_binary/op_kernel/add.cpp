// z = x + y, element by element.
#include "binary.h"
#include "wide_words.h"

struct Plain {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                    const LocalTensor<C>& y, uint32_t count) const {
    Add(z, x, y, count);
  }
};

using Formula = OfWords<DTYPE_X, wide::Sum, Plain>;
BINARY_ENTRY(add_op, Formula, elementwise::ComputedIn<DTYPE_X, half>)
