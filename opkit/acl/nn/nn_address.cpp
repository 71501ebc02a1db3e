// Gives the tensors of an executor other memory, which is run again on it.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/nn/nn_object.h"

namespace opkit::acl {
namespace {

// A tensor of a call: of its inputs or outputs, tensor `at` of port `port`.
struct Slot {
  bool is_output = false;
  size_t port = 0, at = 0;
};

using NnPorts = std::vector<NnPort>;

// Counts a port's tensors; an optional input that is absent counts 1, which cannot be set.
size_t slots_of(const NnPort& port, const Port& wanted) {
  const bool absent = port.tensors.empty() && wanted.presence == Presence::kOptional;
  return absent ? 1 : port.tensors.size();
}

// The index-th slot of the ports; index is what is left of it where they have fewer.
bool find_slot(const NnPorts& ports, const std::vector<Port>& wanted, size_t& index, Slot& slot) {
  for (slot.port = 0; slot.port < ports.size(); ++slot.port) {
    const size_t slots = slots_of(ports[slot.port], wanted[slot.port]);
    slot.at = index;
    if (index < slots) return true;
    index -= slots;
  }
  return false;
}

enum class Side { kInputs, kOutputs, kBoth };

aclnnStatus no_tensor(const aclOpExecutor& executor, const char* what, size_t index) {
  return fail(ACLNN_ERR_PARAM_INVALID, "the call of %s has no %s number %zu there; count from 0",
              executor.contract().op.c_str(), what, index);
}

// Tensor `index` of a side, counted over all of its parameters.
aclnnStatus find_tensor(const aclOpExecutor& executor, Side side, size_t index, Slot& slot) {
  const OpContract& contract = *executor.plan->contract;
  size_t left = index;
  slot.is_output = false;
  if (side != Side::kOutputs && find_slot(executor.arguments.inputs, contract.inputs, left, slot))
    return ACLNN_SUCCESS;
  slot.is_output = true;
  if (side != Side::kInputs && find_slot(executor.arguments.outputs, contract.outputs, left, slot))
    return ACLNN_SUCCESS;
  return no_tensor(executor, "tensor", index);
}

// Tensor `relative` of parameter `index` of a side.
aclnnStatus find_item(const aclOpExecutor& executor, Side side, size_t index, size_t relative,
                      Slot& slot) {
  const NnArguments& arguments = executor.arguments;
  const size_t inputs = side == Side::kOutputs ? 0 : arguments.inputs.size();
  const size_t outputs = side == Side::kInputs ? 0 : arguments.outputs.size();
  if (index >= inputs + outputs) return no_tensor(executor, "parameter", index);
  slot.is_output = index >= inputs;
  slot.port = slot.is_output ? index - inputs : index;
  slot.at = relative;
  const NnPort& port = (slot.is_output ? arguments.outputs : arguments.inputs)[slot.port];
  return relative < port.tensors.size() ? ACLNN_SUCCESS : no_tensor(executor, "tensor", relative);
}

// An output that takes an input's memory goes where that goes.
void move(aclOpExecutor& executor, const Slot& slot, std::byte* address) {
  NnArguments& arguments = executor.arguments;
  const std::optional<size_t> input =
      slot.is_output ? executor.plan->replaced_by(slot.port) : std::optional(slot.port);
  if (input) arguments.inputs[*input].tensors[slot.at].data = address;
  if (slot.is_output) arguments.outputs[slot.port].tensors[slot.at].data = address;
  for (size_t o = 0; input && o < arguments.outputs.size(); ++o) {
    if (executor.plan->replaced_by(o) == input)
      arguments.outputs[o].tensors[slot.at].data = address;
  }
}

// Calls that wait in streams keep theirs.
void move_on_trial(aclOpExecutor& executor, const Slot& slot, std::byte* address) {
  if (!executor.trial) return;
  const NnArguments& theirs = executor.trial->arguments;
  const NnPorts& ports = slot.is_output ? theirs.outputs : theirs.inputs;
  if (slot.port >= ports.size() || slot.at >= ports[slot.port].tensors.size())
    return executor.canary->refuse("it has no tensor where an address is set");
  auto trial = std::make_shared<aclOpExecutor>(*executor.trial);
  move(*trial, slot, address);
  executor.trial = std::move(trial);
}

aclnnStatus null_pointer(const char* what) {
  return fail(ACLNN_ERR_INNER_NULLPTR,
              "an address is set without %s; pass those of the first of the two calls", what);
}

// find(executor, slot); own: the program's tensor, which gets the address, too.
template <typename Find>
aclnnStatus set_address(aclOpExecutor* handle, const aclTensor* own, void* address, Find find) {
  aclOpExecutor* const executor = executors().find(handle);
  if (!executor) return no_executor(handle);
  aclTensor* const known = nn_objects().tensors.find(own);
  if (!known)
    return fail(ACLNN_ERR_PARAM_INVALID,
                "%p is no aclTensor, or it was destroyed; keep the tensors of an executor whose "
                "addresses are set",
                static_cast<const void*>(own));
  Slot slot;
  if (const aclnnStatus code = find(*executor, slot)) return code;
  const NnArguments& arguments = executor->arguments;
  const NnPort& port = (slot.is_output ? arguments.outputs : arguments.inputs)[slot.port];
  if (port.tensors.empty())
    return fail(ACLNN_ERR_PARAM_INVALID,
                "the tensor was null in the first call of %s; plan another call with it",
                executor->contract().op.c_str());
  known->data = static_cast<std::byte*>(address);
  move(*executor, slot, known->data);
  move_on_trial(*executor, slot, known->data);
  return ACLNN_SUCCESS;
}

aclnnStatus set_tensor(Side side, aclOpExecutor* executor, size_t index, const aclTensor* tensor,
                       void* address) {
  if (!executor || !tensor) return null_pointer(executor ? "a tensor" : "an executor");
  const Lock lock;
  return set_address(executor, tensor, address, [&](const aclOpExecutor& call, Slot& slot) {
    return find_tensor(call, side, index, slot);
  });
}

aclnnStatus set_item(Side side, aclOpExecutor* executor, size_t index, size_t relative,
                     const aclTensorList* list, void* address) {
  if (!executor || !list) return null_pointer(executor ? "a list" : "an executor");
  const Lock lock;
  const aclTensorList* const known = nn_objects().tensor_lists.find(list);
  if (!known || relative >= known->items.size())
    return fail(ACLNN_ERR_PARAM_INVALID, "%p is no aclTensorList with a tensor number %zu",
                static_cast<const void*>(list), relative);
  return set_address(executor, known->items[relative], address,
                     [&](const aclOpExecutor& call, Slot& slot) {
                       return find_item(call, side, index, relative, slot);
                     });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                   aclTensor* tensor, void* addr) {
  return set_tensor(Side::kInputs, executor, index, tensor, addr);
}

OPKIT_ACL_EXPORT aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                    aclTensor* tensor, void* addr) {
  return set_tensor(Side::kOutputs, executor, index, tensor, addr);
}

OPKIT_ACL_EXPORT aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                              aclTensor* tensor, void* addr) {
  return set_tensor(Side::kBoth, executor, index, tensor, addr);
}

OPKIT_ACL_EXPORT aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                          const size_t relativeIndex,
                                                          aclTensorList* tensors, void* addr) {
  return set_item(Side::kInputs, executor, irIndex, relativeIndex, tensors, addr);
}

OPKIT_ACL_EXPORT aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                           const size_t relativeIndex,
                                                           aclTensorList* tensors, void* addr) {
  return set_item(Side::kOutputs, executor, irIndex, relativeIndex, tensors, addr);
}

OPKIT_ACL_EXPORT aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                     const size_t relativeIndex,
                                                     aclTensorList* tensors, void* addr) {
  return set_item(Side::kBoth, executor, irIndex, relativeIndex, tensors, addr);
}
