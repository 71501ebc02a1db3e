// The arguments of an aclnn call, dealt out to the inputs, attributes and outputs of its op.
#ifndef OPKIT_ACL_NN_NN_ARGUMENTS_H_
#define OPKIT_ACL_NN_NN_ARGUMENTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "opkit/acl/nn/nn_object.h"
#include "opkit/call/plan/call_plan.h"
#include "opkit/contract/op_contract.h"
#include "opkit_launch/nn_call.h"

namespace opkit::acl {

// Copies: the program may destroy its objects when the executor has been made.
struct NnPort {
  std::vector<aclTensor> tensors;
  PortTensors values;  // holds, for a value-dependent input, one tensor: what the array holds
};

struct NnArguments {
  std::vector<NnPort> inputs, outputs;  // an output that takes an input's memory has that tensor
  AttrValues attrs;
  // Returns what an error of reading them stands for: OPK-ACLNN-001 a number of arguments or a kind
  // that the op does not take, -002 a handle that is none, -006 a null that is not optional, -007 a
  // view that leaves its storage, or an output whose elements share places.
  static Result<NnArguments> read(const OpContract& contract, const NnObjects& objects,
                                  std::span<const opkit_nn_argument_v1> arguments);

  // The facts borrow the values.
  CallFacts facts(const OpContract& contract) const;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_ARGUMENTS_H_
