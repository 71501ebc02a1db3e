#include "opkit/acl/device/failed_op.h"

#include <cstring>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/streams/exception.h"
#include "opkit/acl/tensors/tensor_desc.h"

namespace opkit::acl {
namespace {

aclError check_places(const void* name, const void* inputs, const void* input_count,
                      const void* outputs, const void* output_count) {
  if (name && inputs && input_count && outputs && output_count) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "aclmdlCreateAndGetOpDesc wants a name and four places");
}

// The first one is the program's handle of all; null: there are none.
aclTensorDesc* hand_out(std::vector<aclTensorDesc> descs) {
  std::vector<aclTensorDesc*> row;
  for (aclTensorDesc& desc : descs)
    row.push_back(tensor_descs().add(std::make_unique<aclTensorDesc>(std::move(desc))));
  if (row.empty()) return nullptr;
  aclTensorDesc* const first = row.front();
  desc_rows()[first] = std::move(row);
  return first;
}

aclTensorDesc described(const std::string& name, const StorageLayout& layout, void* address) {
  aclTensorDesc desc;
  desc.dtype = static_cast<aclDataType>(layout.dtype());
  desc.format = static_cast<aclFormat>(layout.format());
  desc.dims = layout.origin().dims();
  desc.storage_format = desc.format;
  desc.storage_dims = layout.storage().dims();
  desc.name = name;
  desc.address = address;
  return desc;
}

std::vector<aclTensorDesc> described(const std::vector<Port>& ports,
                                     const std::vector<PortLayouts>& layouts,
                                     const std::vector<std::vector<void*>>& addresses) {
  std::vector<aclTensorDesc> all;
  for (size_t p = 0; p < layouts.size(); ++p) {
    for (size_t t = 0; t < layouts[p].size(); ++t)
      all.push_back(described(ports[p].name, layouts[p][t], addresses[p][t]));
  }
  return all;
}

}  // namespace

FailedOp failed_op(const CallPlan& plan, const CallAddresses& addresses) {
  const OpContract& contract = *plan.contract;
  return {contract.op, described(contract.inputs, plan.input_layouts, addresses.inputs),
          described(contract.outputs, plan.output_layouts, addresses.outputs)};
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlCreateAndGetOpDesc(uint32_t device, uint32_t stream, uint32_t task,
                                                   char* name, size_t length,
                                                   aclTensorDesc** inputs, size_t* input_count,
                                                   aclTensorDesc** outputs, size_t* output_count) {
  if (const aclError code = check_places(name, inputs, input_count, outputs, output_count))
    return code;
  if (device != 0)
    return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %u: there is one device, number 0", device);
  std::optional<FailedOp> op = exceptions().find(stream, task);
  if (!op)
    return fail(ACL_ERROR_FAILURE,
                "task %u of stream %u failed at no operator, or many failed since; ask in the "
                "callback of aclrtSetExceptionInfoCallback",
                task, stream);
  if (op->name.size() >= length)
    return fail(ACL_ERROR_INVALID_PARAM, "the operator's name has %zu bytes and an end, not %zu",
                op->name.size(), length);
  std::memcpy(name, op->name.c_str(), op->name.size() + 1);
  *input_count = op->inputs.size();
  *output_count = op->outputs.size();
  const Lock lock;
  *inputs = hand_out(std::move(op->inputs));
  *outputs = hand_out(std::move(op->outputs));
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  const Lock lock;
  const auto row = desc_rows().find(desc);
  if (row != desc_rows().end() && index < row->second.size()) return row->second[index];
  if (index == 0 && tensor_descs().find(desc)) return desc;
  fail(ACL_ERROR_INVALID_PARAM,
       "%p holds no description number %zu; pass what aclmdlCreateAndGetOpDesc gave, and a number "
       "below its count",
       static_cast<const void*>(desc), index);
  return nullptr;
}
