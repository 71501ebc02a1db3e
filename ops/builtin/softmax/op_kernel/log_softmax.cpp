// y = x - max(x) - log(sum(exp(x - max(x)))) along the last dim.
#include "powers.h"

struct Logarithms : Powers {
  // Number 1 becomes the logarithm of the sum.
  __aicore__ inline void Finish(rows::Unit& unit, uint32_t n, const LocalTensor<float>& number,
                                uint64_t) const {
    if (n == 1) Ln(number, number, unit.Height());
  }
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& y,
                               const LocalTensor<float>& x, const LocalTensor<float>&, bool) const {
    unit.Subtract(y, x, 0);
    unit.Subtract(y, y, 1);
  }
};

POWERS_OP(log_softmax, Logarithms)
