// y = exp(x - max(x)) / sum(exp(x - max(x))) along the last dim.
#include "powers.h"

struct Shares : Powers {
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& y,
                               const LocalTensor<float>& x, const LocalTensor<float>& work,
                               bool kept) const {
    if (!kept) Raise(unit, work, x);
    unit.Divide(y, work, 1);
  }
};

POWERS_OP(softmax, Shares)
