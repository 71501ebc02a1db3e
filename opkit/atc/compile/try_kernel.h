// One kernel on small numbers, beside its reference. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_TRY_KERNEL_H_
#define OPKIT_ATC_COMPILE_TRY_KERNEL_H_

#include <string>

#include "opkit/atc/compile/candidate.h"

namespace opkit::compile {

// One call that was tried, of all that have its shapes and attributes.
struct KernelProof {
  std::string op, nodes;  // the nodes of the first such call
  size_t calls = 0;       // counts the cover's calls that it stands for
  bool exact = false;   // every value on the way was an integer that the dtypes hold: no tolerance
  double worst = 0;     // distance from the reference, as a share of the largest element
  std::string failure;  // empty: it holds
};

// Returns the share of the largest element that results of the dtype may be off when they are not
// exact.
double tolerance_of(DType dtype);

// What floating-point inputs hold.
enum class TrialData {
  kIntegers,   // are drawn from -2 to 2
  kFractions,  // multiples of 1/64 between them, which every dtype holds
};

// Fills `exact`, `worst` and `failure`. Errors: of the run or of the reference.
Status try_kernel(const graph::Graph& graph, const Candidate& candidate, TrialData data,
                  KernelProof& proof);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_TRY_KERNEL_H_
