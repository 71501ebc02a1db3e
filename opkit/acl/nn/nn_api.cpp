// The two calls of every op, and what a program may do with an executor between them.
#include <cstdio>
#include <string>
#include <string_view>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/base/program.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/canary_run.h"
#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/nn/nn_object.h"
#include "opkit/acl/nn/nn_ops.h"
#include "opkit/acl/nn/plan_served.h"
#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

// Tells which of the vendor's codes an error of planning a call is.
aclnnStatus status_of(const Error& error) {
  const std::string_view code = error.code;
  if (has_cause(code, Cause::kNullArgument)) return ACLNN_ERR_PARAM_NULLPTR;
  if (has_cause(code, Cause::kTiling) || has_cause(code, Cause::kHostFunction))
    return ACLNN_ERR_INNER_TILING_ERROR;
  if (has_cause(code, Cause::kNoKernel)) return ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
  if (has_cause(code, Cause::kNoOutputShape)) return ACLNN_ERR_INNER_INFERSHAPE_ERROR;
  return ACLNN_ERR_PARAM_INVALID;
}

aclnnStatus plan(const char* name, std::span<const opkit_nn_argument_v1> arguments,
                 uint64_t& workspace, aclOpExecutor*& executor) {
  const std::string soc = program_soc().name;
  const auto served = nn_ops().find(name, soc);
  if (!served.ok()) return fail(ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND, served.error());
  const auto chip = find_soc(soc);
  if (!chip.ok()) return fail(ACLNN_ERR_RUNTIME_ERROR, chip.error());
  const PlanBy plan_by = [&](const std::shared_ptr<const OpenedOp>& op,
                             std::unique_ptr<aclOpExecutor>& planned) -> aclnnStatus {
    auto read = NnArguments::read(op->contract, nn_objects(), arguments);
    if (!read.ok()) return fail(status_of(read.error()), read.error());
    auto made = make_executor(op, *chip->spec, std::move(*read));
    if (!made.ok()) return fail(status_of(made.error()), made.error());
    planned = std::move(*made);
    return ACLNN_SUCCESS;
  };
  std::unique_ptr<aclOpExecutor> planned;
  if (const aclnnStatus code = plan_served(*served, plan_by, planned)) return code;
  workspace = planned->workspace_bytes();
  executor = executors().add(std::move(planned));
  return ACLNN_SUCCESS;
}

// Memory is judged now, and again when the call runs.
aclnnStatus prepare(std::shared_ptr<const aclOpExecutor> executor, void* workspace, uint64_t bytes,
                    Task& task) {
  const Status judged = check(the_device(), *executor, workspace, bytes);
  if (!judged.ok()) return fail(ACLNN_ERR_PARAM_INVALID, judged.error());
  task.kind = TaskKind::kOperator;
  task.work = [executor = std::move(executor), workspace, bytes]() -> aclError {
    const auto done = run_served(the_device(), *executor, workspace, bytes);
    if (done.ok()) return *done ? ACL_SUCCESS : failed(executor->contract().op.c_str());
    return faults().keep_task(fail(ACL_ERROR_RT_PARAM_INVALID, done.error()));
  };
  return ACLNN_SUCCESS;
}

// What the first of two calls said on this thread when it failed last; empty: it has not, or has
// succeeded since.
thread_local std::string failed_plan;

aclnnStatus keep_failure(const char* op, aclnnStatus code) {
  failed_plan.clear();
  if (code != ACLNN_SUCCESS)
    failed_plan = std::string("; aclnn") + op + "GetWorkspaceSize had failed: " + shown_text();
  return code;
}

// (Pages "aclSetAclOpExecutorRepeatable" and "aclDestroyAclOpExecutor".)
aclnnStatus null_executor(const char* call) {
  return fail(ACLNN_ERR_INNER_NULLPTR,
              "%s of no executor; pass the one that the first of the two calls gave%s", call,
              failed_plan.c_str());
}

}  // namespace

aclnnStatus no_executor(const aclOpExecutor* executor) {
  if (!failed_plan.empty())
    return fail(executor ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR,
                "%p is no %s: none was made, look at the code of the first call%s",
                static_cast<const void*>(executor), executors().what(), failed_plan.c_str());
  return fail(executor ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR,
              "%p is no %s: it was never made, or an earlier call has used it up (see "
              "aclSetAclOpExecutorRepeatable)",
              static_cast<const void*>(executor), executors().what());
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclnnStatus opkit_nn_plan(const char* op, const opkit_nn_argument_v1* arguments,
                                           uint32_t count, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  const Lock lock;
  if (!workspaceSize || !executor)
    return fail(ACLNN_ERR_PARAM_NULLPTR, "aclnn%sGetWorkspaceSize wants two places", op);
  if (!has_context())
    return keep_failure(op, fail(ACLNN_ERR_RUNTIME_ERROR,
                                 "aclnn%sGetWorkspaceSize without a device; call aclrtSetDevice "
                                 "first",
                                 op));
  return keep_failure(op, plan(op, {arguments, count}, *workspaceSize, *executor));
}

OPKIT_ACL_EXPORT aclnnStatus opkit_nn_run(const char* op, void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  const aclError code = submit(stream, [&](Task& task) -> aclError {
    aclOpExecutor* const found = executors().find(executor);
    if (!found) return no_executor(executor);
    if (found->contract().op != op)
      return fail(ACLNN_ERR_PARAM_INVALID, "aclnn%s was given an executor of aclnn%s", op,
                  found->contract().op.c_str());
    auto call = found->repeatable ? std::make_shared<aclOpExecutor>(*found)
                                  : std::make_shared<aclOpExecutor>(std::move(*found));
    if (!call->repeatable) executors().destroy(executor);
    return prepare(std::move(call), workspace, workspaceSize, task);
  });
  const bool of_stream = code == ACL_ERROR_RT_STREAM_CONTEXT || code == ACL_ERROR_RT_PARAM_INVALID;
  return of_stream ? fail(ACLNN_ERR_RUNTIME_ERROR, "%s", take_text().c_str()) : code;
}

OPKIT_ACL_EXPORT aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  const Lock lock;
  if (!executor) return null_executor("aclSetAclOpExecutorRepeatable");
  aclOpExecutor* const found = executors().find(executor);
  if (!found) return no_executor(executor);
  found->repeatable = true;
  return ACLNN_SUCCESS;
}

OPKIT_ACL_EXPORT aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  const Lock lock;
  if (!executor) return null_executor("aclDestroyAclOpExecutor");
  if (!executors().find(executor)) return no_executor(executor);
  return executors().destroy(executor);
}
