// Operands of the Matmul object as multiply_panels wants them: fractal by fractal, in the forms of
// fractal_batch.h.
#ifndef OPKIT_CORE_ISA_CUBE_UNPACK_H_
#define OPKIT_CORE_ISA_CUBE_UNPACK_H_

#include "opkit/core/fractals/multiply.h"
#include "opkit/core/isa/cube/matrix.h"
#include "opkit/core/state/cube_scratch.h"

namespace opkit::core {

// m x n x k of a product whose operands begin at row0 and col0 of their matrices.
struct ProductSize {
  uint32_t m = 0, n = 0, k = 0;
};

// Tells whether operands of this type have such forms: half and float.
bool has_fractal_forms(uint32_t dtype);
// Fills in where A and B are, with their pitches and runs. Memory of `scratch` holds them until it
// is used again.
void unpack_operands(const opk_matrix& a, const opk_matrix& b, const ProductSize& size,
                     CubeScratch& scratch, PanelProduct& p);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_UNPACK_H_
