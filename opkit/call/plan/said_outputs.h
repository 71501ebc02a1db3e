// Output shapes that the caller of an op gives, as single-op calls do with the tensors they pass.
#ifndef OPKIT_CALL_PLAN_SAID_OUTPUTS_H_
#define OPKIT_CALL_PLAN_SAID_OUTPUTS_H_

#include <vector>

#include "opkit/base/shape.h"
#include "opkit/base/status.h"
#include "opkit/call/infer/facts.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

// A rank and every dim are there.
bool is_known(const Shape& shape);

// Per output port the shapes of its tensors; an empty entry leaves the port to inference.
using SaidOutputs = std::vector<std::vector<Shape>>;

// Gives the outputs the shapes that were said of them. True when something was said and every
// output's shape is known now: nobody need ask the author's inference, as in the vendor's
// single-op calls. OPK-RUN-006: a shape with unknown or negative dims, one that the contract's
// shape does not allow, or another number of tensors than the port has.
Result<bool> apply_said(const OpContract& contract, const SaidOutputs& said,
                        std::vector<PortFacts>& outputs);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_SAID_OUTPUTS_H_
