#include "opkit/acl/ops/op_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/base/program.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/nn_ops.h"
#include "opkit/acl/nn/plan_served.h"
#include "opkit/acl/ops/op_attr.h"
#include "opkit/acl/tensors/data_buffer.h"
#include "opkit/acl/tensors/tensor_desc.h"
#include "opkit/base/suggest.h"
#include "opkit/contract/deal.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

// Deals out: how many of a call's tensors each port takes.
aclError deal_out(const char* op, const std::vector<Port>& ports, size_t count, aclError mismatch,
                  std::vector<size_t>& shares) {
  Dealing dealing = deal(ports, count);
  if (dealing.several_dynamic)
    return fail(mismatch, "%s has several dynamic ports; call it by its aclnn functions", op);
  if (!dealing.shares)
    return fail(mismatch, "%s takes %zu to %zu tensors there, %zu are given", op, dealing.least,
                dealing.most.value_or(1024), count);
  shares = std::move(*dealing.shares);
  return ACL_SUCCESS;
}

bool is_absent(const aclTensorDesc& desc, const aclDataBuffer* buffer) {
  return desc.dtype == ACL_DT_UNDEFINED || (buffer && !buffer->data && buffer->size == 0);
}

std::vector<int64_t> dense_strides(const Shape& shape) {
  std::vector<int64_t> strides(shape.dims().size());
  int64_t next = 1;
  for (size_t i = strides.size(); i-- > 0; next *= shape[i]) strides[i] = next;
  return strides;
}

// Makes the tensor that a description gives a port; refuses what no tensor can be, whatever the op.
aclError tensor_of(const Port& port, const aclTensorDesc& desc, aclError mismatch, aclTensor& t) {
  const auto& dtypes = all_dtypes();
  const auto& formats = all_formats();
  const auto dtype = static_cast<DType>(desc.dtype);
  const auto format = static_cast<Format>(desc.storage_format.value_or(desc.format));
  if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end())
    return fail(ACL_ERROR_UNSUPPORTED_DATA_TYPE, "'%s': data type %d is none that opkit computes",
                port.name.c_str(), static_cast<int>(desc.dtype));
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    return fail(ACL_ERROR_FORMAT_NOT_MATCH, "'%s': format %d is none that opkit knows",
                port.name.c_str(), static_cast<int>(format));
  t.desc = {port.name, dtype, Shape(desc.dims), format};
  if (!desc.is_static() && !port.is_output)
    return fail(mismatch, "input '%s' has open dims; a call wants all of them", port.name.c_str());
  if (desc.is_static() && !t.desc.shape.checked_elements().ok())
    return fail(mismatch, "'%s' has more elements than can be counted", port.name.c_str());
  t.stride = desc.is_static() ? dense_strides(t.desc.shape) : std::vector<int64_t>{};
  t.storage = desc.dims;
  return ACL_SUCCESS;
}

// The values of an input that the host plans with.
aclError value_of(const Port& port, const aclTensorDesc& desc, const aclDataBuffer* buffer,
                  Tensor& value) {
  const bool from_host = buffer && desc.memory != ACL_MEMTYPE_DEVICE;
  if (desc.value.empty() && !from_host)
    return fail(ACL_ERROR_OP_INPUT_NOT_MATCH,
                "the values of input '%s' must be known: aclSetTensorConst, or host memory by "
                "aclSetTensorPlaceMent",
                port.name.c_str());
  value = Tensor(static_cast<DType>(desc.dtype), Shape(desc.dims), port.name);
  const size_t given = desc.value.empty() ? buffer->size : desc.value.size();
  if (given < value.size_bytes())
    return fail(ACL_ERROR_OP_INPUT_NOT_MATCH, "input '%s' has %zu bytes, its dims say %zu",
                port.name.c_str(), given, value.size_bytes());
  std::memcpy(value.data(), desc.value.empty() ? buffer->data : desc.value.data(),
              value.size_bytes());
  return ACL_SUCCESS;
}

class OpReader {
 public:
  OpReader(const OpContract& contract, const OpTensors& tensors, const OpBuffers* buffers)
      : contract_(contract), tensors_(tensors), buffers_(buffers) {}

  aclError read(const aclopAttr* attr) {
    if (const aclError code = read_inputs()) return code;
    if (const aclError code = read_outputs()) return code;
    return read_attrs(attr);
  }
  NnArguments take() { return std::move(arguments_); }

 private:
  aclError desc_of(const aclTensorDesc* handle, const aclTensorDesc*& desc) const {
    desc = tensor_descs().find(handle);
    return desc ? ACL_SUCCESS : tensor_descs().unknown(handle);
  }

  aclError read_inputs() {
    std::vector<size_t> shares;
    if (const aclError code =
            deal_out(contract_.op.c_str(), contract_.inputs, tensors_.inputs.size(),
                     ACL_ERROR_OP_INPUT_NOT_MATCH, shares))
      return code;
    for (size_t p = 0, next = 0; p < shares.size(); ++p) {
      arguments_.inputs.emplace_back();
      for (size_t i = 0; i < shares[p]; ++i, ++next) {
        if (const aclError code = read_input(contract_.inputs[p], next)) return code;
      }
    }
    return ACL_SUCCESS;
  }

  aclError read_input(const Port& port, size_t i) {
    const aclTensorDesc* desc = nullptr;
    if (const aclError code = desc_of(tensors_.inputs[i], desc)) return code;
    const aclDataBuffer* const buffer =
        buffers_ ? data_buffers().find(buffers_->inputs[i]) : nullptr;
    if (buffers_ && !buffer) return data_buffers().unknown(buffers_->inputs[i]);
    if (port.presence == Presence::kOptional && is_absent(*desc, buffer)) return ACL_SUCCESS;
    aclTensor tensor;
    if (const aclError code = tensor_of(port, *desc, ACL_ERROR_OP_INPUT_NOT_MATCH, tensor))
      return code;
    if (!port.value_depend) {
      arguments_.inputs.back().tensors.push_back(std::move(tensor));
      return ACL_SUCCESS;
    }
    Tensor& value = arguments_.inputs.back().values.emplace_back();
    return value_of(port, *desc, buffer, value);
  }

  aclError read_outputs() {
    std::vector<size_t> shares;
    if (const aclError code =
            deal_out(contract_.op.c_str(), contract_.outputs, tensors_.outputs.size(),
                     ACL_ERROR_OP_OUTPUT_NOT_MATCH, shares))
      return code;
    for (size_t p = 0, next = 0; p < shares.size(); ++p) {
      std::vector<aclTensor>& tensors = arguments_.outputs.emplace_back().tensors;
      for (size_t i = 0; i < shares[p]; ++i) {
        const aclTensorDesc* desc = nullptr;
        if (const aclError code = desc_of(tensors_.outputs[next++], desc)) return code;
        if (const aclError code = tensor_of(contract_.outputs[p], *desc,
                                            ACL_ERROR_OP_OUTPUT_NOT_MATCH, tensors.emplace_back()))
          return code;
      }
    }
    return ACL_SUCCESS;
  }

  aclError read_attrs(const aclopAttr* handle) {
    if (!handle) return ACL_SUCCESS;
    const aclopAttr* const attr = op_attrs().find(handle);
    if (!attr) return op_attrs().unknown(handle);
    for (const auto& [name, value] : attr->values) {
      const Attr* const wanted = contract_.attr(name);
      if (!wanted) return no_attr(name);
      if (type_of(value) != wanted->type)
        return fail(ACL_ERROR_OP_ATTR_NOT_MATCH, "attribute '%s' of %s is %s, it was set as %s",
                    name.c_str(), contract_.op.c_str(), std::string(name_of(wanted->type)).c_str(),
                    std::string(name_of(type_of(value))).c_str());
    }
    arguments_.attrs = attr->values;
    return ACL_SUCCESS;
  }

  aclError no_attr(const std::string& name) const {
    std::vector<std::string> names;
    for (const Attr& attr : contract_.attrs) names.push_back(attr.name);
    const std::string cure = names.empty() ? "it takes none: pass an aclopAttr without it, or NULL"
                                           : suggest(name, names);
    return fail(ACL_ERROR_OP_ATTR_NOT_MATCH, "%s has no attribute '%s'; %s", contract_.op.c_str(),
                name.c_str(), cure.c_str());
  }

  const OpContract& contract_;
  const OpTensors& tensors_;
  const OpBuffers* buffers_;
  NnArguments arguments_;
};

// Tells which of the vendor's codes an error of planning is.
aclError code_of_plan(const Error& error) {
  const std::string_view code = error.code;
  if (has_cause(code, Cause::kTiling) || has_cause(code, Cause::kHostFunction))
    return ACL_ERROR_FAILURE;
  if (has_cause(code, Cause::kNoKernel)) return ACL_ERROR_KERNEL_NOT_FOUND;
  if (has_cause(code, Cause::kOtherOutputShape)) return ACL_ERROR_OP_OUTPUT_NOT_MATCH;
  if (has_cause(code, Cause::kAttribute)) return ACL_ERROR_OP_ATTR_NOT_MATCH;
  return ACL_ERROR_OP_INPUT_NOT_MATCH;
}

// Outputs whose dims were open have the inferred ones from now on.
void close_outputs(aclOpExecutor& executor) {
  std::vector<NnPort>& outputs = executor.arguments.outputs;
  for (size_t p = 0; p < outputs.size(); ++p) {
    for (size_t t = 0; t < outputs[p].tensors.size(); ++t) {
      aclTensor& tensor = outputs[p].tensors[t];
      tensor.desc.shape = executor.plan->output_layouts[p][t].origin();
      tensor.stride = dense_strides(tensor.desc.shape);
      tensor.storage = tensor.desc.shape.dims();
    }
  }
}

aclError take_buffer(const aclDataBuffer* handle, uint64_t bytes, aclError mismatch,
                     aclTensor& tensor) {
  const aclDataBuffer* const buffer = data_buffers().find(handle);
  if (!buffer) return data_buffers().unknown(handle);
  if (buffer->size < bytes)
    return fail(mismatch, "'%s' has %zu bytes, it wants %llu", tensor.desc.name.c_str(),
                buffer->size, static_cast<unsigned long long>(bytes));
  tensor.data = static_cast<std::byte*>(buffer->data);
  return ACL_SUCCESS;
}

// The buffers of one side; those of absent inputs and of values are passed over.
struct CallSide {
  const std::vector<Port>& ports;
  const std::vector<PortLayouts>& layouts;
  const std::vector<const aclDataBuffer*>& buffers;
  aclError mismatch;
};

aclError take_side(const char* op, const CallSide& side, std::vector<NnPort>& arguments) {
  std::vector<size_t> shares;
  if (const aclError code = deal_out(op, side.ports, side.buffers.size(), side.mismatch, shares))
    return code;
  for (size_t p = 0, next = 0; p < shares.size(); next += shares[p++]) {
    std::vector<aclTensor>& tensors = arguments[p].tensors;
    if (!tensors.empty() && tensors.size() != shares[p])
      return fail(side.mismatch, "'%s' is %zu tensors, %zu buffers are given",
                  side.ports[p].name.c_str(), tensors.size(), shares[p]);
    for (size_t t = 0; t < tensors.size(); ++t) {
      const uint64_t bytes = stored_bytes(side.layouts[p][t]);
      if (const aclError code =
              take_buffer(side.buffers[next + t], bytes, side.mismatch, tensors[t]))
        return code;
    }
  }
  return ACL_SUCCESS;
}

aclError check_replaced(const aclOpExecutor& executor) {
  const NnArguments& arguments = executor.arguments;
  for (size_t o = 0; o < arguments.outputs.size(); ++o) {
    const auto input = executor.plan->replaced_by(o);
    if (!input || arguments.outputs[o].tensors.empty()) continue;
    const aclTensor& given = arguments.outputs[o].tensors[0];
    if (given.data == arguments.inputs[*input].tensors[0].data) continue;
    return fail(ACL_ERROR_OP_OUTPUT_NOT_MATCH,
                "output '%s' takes the memory of input '%s': give both the same buffer",
                given.desc.name.c_str(), executor.contract().inputs[*input].name.c_str());
  }
  return ACL_SUCCESS;
}

aclError take_own_buffers(const OpBuffers& buffers, aclOpExecutor& executor) {
  const OpContract& contract = executor.contract();
  NnArguments& arguments = executor.arguments;
  const char* const op = contract.op.c_str();
  if (const aclError code = take_side(op,
                                      {contract.inputs, executor.plan->input_layouts,
                                       buffers.inputs, ACL_ERROR_OP_INPUT_NOT_MATCH},
                                      arguments.inputs))
    return code;
  if (const aclError code = take_side(op,
                                      {contract.outputs, executor.plan->output_layouts,
                                       buffers.outputs, ACL_ERROR_OP_OUTPUT_NOT_MATCH},
                                      arguments.outputs))
    return code;
  return check_replaced(executor);
}

}  // namespace

aclError plan_op(const char* type, const OpTensors& tensors, const OpBuffers* buffers,
                 const aclopAttr* attr, std::unique_ptr<aclOpExecutor>& executor) {
  if (!type) return fail(ACL_ERROR_INVALID_PARAM, "an operator without a type");
  if (!has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "%s without a device; call aclrtSetDevice first", type);
  const std::string soc = program_soc().name;
  const auto served = nn_ops().find(type, soc);
  if (!served.ok()) return fail(ACL_ERROR_OP_NOT_FOUND, served.error());
  const auto chip = find_soc(soc);
  if (!chip.ok()) return fail(ACL_ERROR_FAILURE, chip.error());
  const PlanBy plan = [&](const std::shared_ptr<const OpenedOp>& op,
                          std::unique_ptr<aclOpExecutor>& planned) -> aclError {
    OpReader reader(op->contract, tensors, buffers);
    if (const aclError code = reader.read(attr)) return code;
    auto made = make_executor(op, *chip->spec, reader.take());
    if (!made.ok()) return fail(code_of_plan(made.error()), made.error());
    planned = std::move(*made);
    close_outputs(*planned);
    return ACL_SUCCESS;
  };
  return plan_served(*served, plan, executor);
}

aclError take_buffers(const OpBuffers& buffers, aclOpExecutor& executor) {
  if (const aclError code = take_own_buffers(buffers, executor)) return code;
  if (!executor.trial) return ACL_SUCCESS;
  auto trial = std::make_shared<aclOpExecutor>(*executor.trial);
  if (take_own_buffers(buffers, *trial) == ACL_SUCCESS) {
    executor.trial = std::move(trial);
  } else {
    executor.canary->refuse(take_text());
  }
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
