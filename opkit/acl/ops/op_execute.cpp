// Single operators: installed ops, called by their type.
#include <span>

#include "acl/acl_op_compiler.h"
#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/device_scratch.h"
#include "opkit/acl/nn/canary_run.h"
#include "opkit/acl/ops/op_call.h"
#include "opkit/acl/ops/op_handle.h"
#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/tensors/tensor_desc.h"

namespace opkit::acl {
namespace {

// Handles of an array, some of which may be null.
template <typename T, typename Array>
aclError read(const char* what, int count, Array all, std::vector<const T*>& to) {
  if (count < 0 || (count != 0 && !all))
    return fail(ACL_ERROR_INVALID_PARAM, "%d %s in the array %p", count, what,
                static_cast<const void*>(all));
  to.assign(all, all + count);
  return ACL_SUCCESS;
}

template <typename Descs>
aclError read(int inputs, Descs input, int outputs, Descs output, OpTensors& to) {
  if (const aclError code = read("input descriptions", inputs, input, to.inputs)) return code;
  return read("output descriptions", outputs, output, to.outputs);
}

template <typename In, typename Out>
aclError read(int inputs, In input, int outputs, Out output, OpBuffers& to) {
  if (const aclError code = read("input buffers", inputs, input, to.inputs)) return code;
  return read("output buffers", outputs, output, to.outputs);
}

// Memory is judged now, and again when the call runs.
aclError prepare(std::shared_ptr<const aclOpExecutor> call, Task& task) {
  EmulatedDevice& device = the_device();
  const auto workspace = std::make_shared<DeviceScratch>(device, call->workspace_bytes());
  if (workspace->code()) return workspace->code();
  const Status judged = check(device, *call, workspace->memory(), workspace->bytes());
  if (!judged.ok()) return fail(ACL_ERROR_RT_PARAM_INVALID, judged.error());
  task.kind = TaskKind::kOperator;
  task.work = [&device, call = std::move(call), workspace]() -> aclError {
    const auto done = run_served(device, *call, workspace->memory(), workspace->bytes());
    if (done.ok()) return *done ? ACL_SUCCESS : failed(call->contract().op.c_str());
    return faults().keep_task(fail(ACL_ERROR_RT_PARAM_INVALID, done.error()));
  };
  return ACL_SUCCESS;
}

aclError execute(const char* type, const OpTensors& tensors, const OpBuffers& buffers,
                 const aclopAttr* attr, aclrtStream stream,
                 std::shared_ptr<const aclOpExecutor>* kept) {
  return submit(stream, [&](Task& task) -> aclError {
    std::unique_ptr<aclOpExecutor> planned;
    if (const aclError code = plan_op(type, tensors, &buffers, attr, planned)) return code;
    if (const aclError code = take_buffers(buffers, *planned)) return code;
    const std::shared_ptr<const aclOpExecutor> call = std::move(planned);
    if (kept) *kept = call;
    return prepare(call, task);
  });
}

// Writes inferred shapes to the descriptions of outputs. They are alive: the call was planned.
void tell_outputs(const aclOpExecutor& call, const OpTensors& tensors) {
  size_t next = 0;
  for (const NnPort& port : call.arguments.outputs) {
    for (const aclTensor& tensor : port.tensors) {
      aclTensorDesc* const desc = tensor_descs().find(tensors.outputs[next++]);
      desc->dims = tensor.desc.shape.dims();
      desc->any_rank = false;
    }
  }
}

aclError execute_and_tell(const char* type, int inputs, aclTensorDesc* input[], aclDataBuffer* in[],
                          int outputs, aclTensorDesc* output[], aclDataBuffer* out[],
                          const aclopAttr* attr, aclrtStream stream) {
  OpTensors tensors;
  OpBuffers buffers;
  if (const aclError code = read(inputs, input, outputs, output, tensors)) return code;
  if (const aclError code = read(inputs, in, outputs, out, buffers)) return code;
  std::shared_ptr<const aclOpExecutor> call;
  if (const aclError code = execute(type, tensors, buffers, attr, stream, &call)) return code;
  const Lock lock;
  tell_outputs(*call, tensors);
  return ACL_SUCCESS;
}

aclError no_source(const char* path) {
  return fail(ACL_ERROR_API_NOT_SUPPORT,
              "there is no source to compile at %s: build the op by opkit build and install it",
              path);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclopExecuteV2(const char* type, int inputs, aclTensorDesc* input[],
                                         aclDataBuffer* in[], int outputs, aclTensorDesc* output[],
                                         aclDataBuffer* out[], aclopAttr* attr,
                                         aclrtStream stream) {
  return execute_and_tell(type, inputs, input, in, outputs, output, out, attr, stream);
}

OPKIT_ACL_EXPORT aclError aclopCompileAndExecuteV2(const char* type, int inputs,
                                                   aclTensorDesc* input[], aclDataBuffer* in[],
                                                   int outputs, aclTensorDesc* output[],
                                                   aclDataBuffer* out[], aclopAttr* attr,
                                                   aclopEngineType, aclopCompileType,
                                                   const char* path, aclrtStream stream) {
  if (path) return no_source(path);
  return execute_and_tell(type, inputs, input, in, outputs, output, out, attr, stream);
}

OPKIT_ACL_EXPORT aclError aclopCompileAndExecute(const char* type, int inputs,
                                                 const aclTensorDesc* const input[],
                                                 const aclDataBuffer* const in[], int outputs,
                                                 const aclTensorDesc* const output[],
                                                 aclDataBuffer* const out[], const aclopAttr* attr,
                                                 aclopEngineType, aclopCompileType,
                                                 const char* path, aclrtStream stream) {
  if (path) return no_source(path);
  OpTensors tensors;
  OpBuffers buffers;
  if (const aclError code = read(inputs, input, outputs, output, tensors)) return code;
  if (const aclError code = read(inputs, in, outputs, out, buffers)) return code;
  return execute(type, tensors, buffers, attr, stream, nullptr);
}

OPKIT_ACL_EXPORT aclError aclopCompile(const char* type, int inputs,
                                       const aclTensorDesc* const input[], int outputs,
                                       const aclTensorDesc* const output[], const aclopAttr* attr,
                                       aclopEngineType, aclopCompileType, const char* path) {
  if (path) return no_source(path);
  aclopHandle* handle = nullptr;
  if (const aclError code = aclopCreateHandle(type, inputs, input, outputs, output, attr, &handle))
    return code;
  aclopDestroyHandle(handle);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclopInferShape(const char* type, int inputs, aclTensorDesc* input[],
                                          aclDataBuffer* in[], int outputs, aclTensorDesc* output[],
                                          aclopAttr* attr) {
  OpTensors tensors;
  OpBuffers buffers;
  if (const aclError code = read(inputs, input, outputs, output, tensors)) return code;
  if (const aclError code = read("input buffers", inputs, in, buffers.inputs)) return code;
  const Lock lock;
  std::unique_ptr<aclOpExecutor> call;
  if (const aclError code = plan_op(type, tensors, &buffers, attr, call)) return code;
  tell_outputs(*call, tensors);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclopCreateHandle(const char* type, int inputs,
                                            const aclTensorDesc* const input[], int outputs,
                                            const aclTensorDesc* const output[],
                                            const aclopAttr* attr, aclopHandle** handle) {
  if (!handle) return fail(ACL_ERROR_INVALID_PARAM, "aclopCreateHandle wants a place");
  OpTensors tensors;
  if (const aclError code = read(inputs, input, outputs, output, tensors)) return code;
  const Lock lock;
  aclopHandle made;
  if (const aclError code = plan_op(type, tensors, nullptr, attr, made.call)) return code;
  *handle = make(op_handles(), std::move(made));
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT void aclopDestroyHandle(aclopHandle* handle) { destroy(op_handles(), handle); }

OPKIT_ACL_EXPORT aclError aclopExecWithHandle(aclopHandle* handle, int inputs,
                                              const aclDataBuffer* const in[], int outputs,
                                              aclDataBuffer* const out[], aclrtStream stream) {
  OpBuffers buffers;
  if (const aclError code = read(inputs, in, outputs, out, buffers)) return code;
  return submit(stream, [&](Task& task) -> aclError {
    const aclopHandle* const found = op_handles().find(handle);
    if (!found) return op_handles().unknown(handle);
    auto call = std::make_shared<aclOpExecutor>(*found->call);
    if (const aclError code = take_buffers(buffers, *call)) return code;
    return prepare(std::move(call), task);
  });
}
