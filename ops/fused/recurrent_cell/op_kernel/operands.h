// What the products of a recurrent layer's step read.
#ifndef RECURRENT_CELL_OPERANDS_H_
#define RECURRENT_CELL_OPERANDS_H_

#include "kernel_operator.h"

namespace cell {

struct Operands {
  GM_ADDR x;
  GM_ADDR h;
  GM_ADDR w_x;
  GM_ADDR w_h;
};

}  // namespace cell

#endif  // RECURRENT_CELL_OPERANDS_H_
