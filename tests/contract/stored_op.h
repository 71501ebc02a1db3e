// An op y = x + b in memory, b along x's last axis (channels of an image), whose x and y lie in the
// cube unit's formats. Its kernel can be wrong in chosen ways.
#ifndef OPKIT_TESTS_CONTRACT_STORED_OP_H_
#define OPKIT_TESTS_CONTRACT_STORED_OP_H_

#include "opkit/abi/plugin.h"

namespace stored_op {

enum class Mistake {
  kNone,           // rows of padding become b
  kOriginRows,     // panels of M rows, not of M rounded up to 16
  kDense,          // elements in the order of the origin
  kLastPanel,      // the last panel is not written
  kOverlap,        // each block writes the first rows of the next one's first panel, too
  kWritesInput,    // an element of the input's padding is changed
  kNoPaddingRows,  // right; rows of padding at a panel's end are not written
};

// The op makes this mistake from now on. Not for several threads.
const opk_op_v1& with(Mistake mistake);

// Columns float16, float32 and int32 of FRACTAL_NZ.
const char* matrix_contract();
// Returns the contract of NC1HWC0, then of FRACTAL_Z.
const char* image_contract();

}  // namespace stored_op

#endif  // OPKIT_TESTS_CONTRACT_STORED_OP_H_
