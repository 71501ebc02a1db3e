/* A block of a Matmul object whose B is 4:2 sparse. C11; beside core.h, which every kernel reads.
 */
#ifndef OPKIT_ABI_SPARSE_MATMUL_H_
#define OPKIT_ABI_SPARSE_MATMUL_H_

#include "opkit/abi/core.h"

/* block.tail is OPK_MATMUL_HAS_STEPS_AND_INDEX. B is of int8, transposed, and holds block.k / 2
 * values per column. index: two bits per value of B; data.address NULL = B is dense after all.
 * Panels of 8 bytes (32 values) along K, pitch rows each, a row per column of B; col0: the first
 * column. */
typedef struct opk_sparse_matmul_v1 {
  opk_matmul_v1 block;
  opk_matrix index;
} opk_sparse_matmul_v1;

#endif /* OPKIT_ABI_SPARSE_MATMUL_H_ */
