// One kernel on small numbers, beside its reference. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_TRY_KERNEL_H_
#define OPKIT_ATC_COMPILE_TRY_KERNEL_H_

#include "opkit/atc/compile/candidate.h"
#include "opkit/atc/compile/proof.h"

namespace opkit::compile {

// The share of the largest element that results of the dtype may be off when they are not exact.
double tolerance_of(DType dtype);

// What floating-point inputs hold.
enum class TrialData {
  kIntegers,   // from -2 to 2
  kFractions,  // multiples of 1/64 between them, which every dtype holds
};

// Fills `exact`, `worst` and `failure`. Errors: of the run or of the reference.
Status try_kernel(const graph::Graph& graph, const Candidate& candidate, TrialData data,
                  KernelProof& proof);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_TRY_KERNEL_H_
