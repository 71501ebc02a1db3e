// From a call that somebody described to a plan of it or a run.
#ifndef OPKIT_MEASURE_SAID_INVOCATION_H_
#define OPKIT_MEASURE_SAID_INVOCATION_H_

#include <string>

#include "opkit/isolation/open_op.h"
#include "opkit/measure/said/tensor_source.h"

namespace opkit::measure {

// Makes the invocation; files' tensors become those of it, other inputs get their values by
// `filler` when it runs. The op must outlive it. threads = 0: one per host core.
Result<Invocation> invocation_of(const OpenedOp& op, const std::string& soc, SaidCall said,
                                 const Filler& filler, unsigned threads);
// Plans the call. Inputs without a file have no elements, but for those that the host reads, which
// are zero.
Result<SharedPlan> plan_of(const OpenedOp& op, const std::string& soc, const SaidCall& said);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_SAID_INVOCATION_H_
