// A call as its host functions are asked: every tensor with the shape that the model's author sees
// and with the shape in which its format stores it.
#ifndef OPKIT_CALL_PLAN_STORED_CALL_H_
#define OPKIT_CALL_PLAN_STORED_CALL_H_

#include <vector>

#include "opkit/call/infer/infer.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/call/tiling/op_call.h"

namespace opkit {

// The tensors of one port: one when required, at most one when optional, any number when dynamic.
using PortTensors = std::vector<Tensor>;
using PortLayouts = std::vector<StorageLayout>;  // holds the layouts of one port's tensors

// Returns the layouts of tensors of these ports. Errors: StorageLayout's, with the port's name.
// REQUIRES: their shapes are known.
Result<std::vector<PortLayouts>> layouts_of(const OpContract& contract,
                                            const std::vector<Port>& ports,
                                            const std::vector<std::vector<TensorDesc>>& tensors);
// Returns the bytes of a tensor as it is stored.
uint64_t stored_bytes(const StorageLayout& layout);

// Dense tensors as their formats store them. REQUIRES: each has its layout's dtype and origin.
// Error: OPK-TENSOR-001 for one without memory.
Result<std::vector<PortTensors>> to_storage(std::vector<PortTensors> origin,
                                            const std::vector<PortLayouts>& layouts);
// Back to dense tensors without padding.
std::vector<PortTensors> to_origin(std::vector<PortTensors> stored,
                                   const std::vector<PortLayouts>& layouts);

// Outputs are told as far as they are inferred. The call borrows `values`: as they are stored, of
// inputs that the host reads.
OpCall make_call(const OpContract& contract, const Binding& binding,
                 const std::vector<std::vector<TensorDesc>>& inputs,
                 const std::vector<PortLayouts>& layouts, const std::vector<PortTensors>& values,
                 const std::vector<PortFacts>& outputs);
// Gives the outputs their shapes.
void tell_outputs(OpCall& call, const std::vector<PortLayouts>& layouts);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_STORED_CALL_H_
