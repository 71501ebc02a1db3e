// A call as its host functions are asked: every tensor with the shape that the model's author sees
// and with the shape in which its format stores it.
#ifndef OPKIT_RUNTIME_STORED_CALL_H_
#define OPKIT_RUNTIME_STORED_CALL_H_

#include <vector>

#include "opkit/infer/infer.h"
#include "opkit/layout/storage_layout.h"
#include "opkit/tiling/op_call.h"

namespace opkit {

// The tensors of one port: one when required, at most one when optional, any number when dynamic.
using PortTensors = std::vector<Tensor>;
using PortLayouts = std::vector<StorageLayout>;  // of a port's tensors

struct StoredPorts {
  std::vector<PortTensors> tensors;  // as the bytes lie
  std::vector<PortLayouts> layouts;
};

// Lays inputs out in the formats of a column. Errors: StorageLayout's, with the port's name.
Result<StoredPorts> store(const OpContract& contract, size_t column,
                          std::vector<PortTensors> origin);
// The layouts of inferred outputs. REQUIRES: their shapes are known.
Result<std::vector<PortLayouts>> output_layouts(const OpContract& contract,
                                                const std::vector<PortFacts>& inferred);
// Back to dense tensors without padding.
std::vector<PortTensors> to_origin(std::vector<PortTensors> stored,
                                   const std::vector<PortLayouts>& layouts);

// Outputs are told as far as they are inferred. The call borrows the values of inputs that the host
// reads.
OpCall make_call(const OpContract& contract, const Binding& binding,
                 const std::vector<PortTensors>& stored, const std::vector<PortLayouts>& layouts,
                 const std::vector<PortFacts>& outputs);
// Gives the outputs their shapes.
void tell_outputs(OpCall& call, const std::vector<PortLayouts>& layouts);

}  // namespace opkit

#endif  // OPKIT_RUNTIME_STORED_CALL_H_
