// Sums of products over windows, the heart of convolutions.
#ifndef OPKIT_REFERENCE_CONVOLVE_H_
#define OPKIT_REFERENCE_CONVOLVE_H_

#include "opkit/reference/tensor.h"
#include "opkit/reference/window.h"

namespace opkit::reference {

// y[n, m, o] = sum over c, k of x[n, group of m, c, o + k] * w[m, c, k], in double, the products of
// each sum in the order of c, then k, each rounded before it is added. REQUIRES: y has the dims of
// the result.
void convolve(const Window& window, int64_t groups, const RefTensor& x, const RefTensor& w,
              RefTensor& y);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_CONVOLVE_H_
