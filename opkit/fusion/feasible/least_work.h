// LeastWork: what any kernel of a subject must read, write and multiply, however it is written. A
// bound of it proves that nothing faster exists, so it counts only what is certain.
#ifndef OPKIT_FUSION_FEASIBLE_LEAST_WORK_H_
#define OPKIT_FUSION_FEASIBLE_LEAST_WORK_H_

#include "opkit/core/modes/timed.h"
#include "opkit/fusion/feasible/subject.h"

namespace opkit::feasible {

struct LeastWork {
  double read = 0, written = 0;  // bytes: every element of these tensors is needed, or made
  double products = 0;           // multiply-adds of a single product that is needed as a whole
};

// Leaves out tensors of which a kernel may leave out elements (Gather, Slice, strided convolutions,
// a branch of Where), products with padding, and all of several products in a row, of which a mask
// may forbid blocks.
LeastWork least_work_of(const Subject& subject);

// Returns multiply-adds of one cycle of a cube core, in the fastest type that the subject's types
// allow.
double fastest_cube(const Subject& subject, const core::TimingRates& rates);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_LEAST_WORK_H_
