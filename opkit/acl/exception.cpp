#include "opkit/acl/exception.h"

#include <utility>

#include "opkit/acl/runtime.h"

namespace opkit::acl {
namespace {

thread_local std::optional<FailedOp> failed_op;

}  // namespace

void Exceptions::begin() { failed_op.reset(); }

void Exceptions::at(FailedOp op) { failed_op = std::move(op); }

void Exceptions::named(std::string name) {
  if (failed_op) failed_op->name = std::move(name);
}

void Exceptions::keep(const aclrtExceptionInfo& info) {
  if (!failed_op) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  ops_.push_back({info.stream, info.task, *std::exchange(failed_op, std::nullopt)});
  if (ops_.size() > kMostOps) ops_.pop_front();
}

// What the callback's own calls say is not the program's.
void Exceptions::tell(aclrtExceptionInfo info) {
  keep(info);
  const aclrtExceptionInfoCallback callback = callback_;
  if (!callback) return;
  callback(&info);
  take_text();
}

std::optional<FailedOp> Exceptions::find(uint32_t stream, uint32_t task) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto one = ops_.rbegin(); one != ops_.rend(); ++one) {
    if (one->stream == stream && one->task == task) return one->op;
  }
  return std::nullopt;
}

}  // namespace opkit::acl

using namespace opkit::acl;

namespace {

constexpr uint32_t kNobody = 0xFFFFFFFF;

}  // namespace

OPKIT_ACL_EXPORT aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  Runtime::instance().exceptions.call(callback);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info ? info->task : kNobody;
}

OPKIT_ACL_EXPORT uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info ? info->stream : kNobody;
}

OPKIT_ACL_EXPORT uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info ? info->thread : kNobody;
}

OPKIT_ACL_EXPORT uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info ? info->device : kNobody;
}

OPKIT_ACL_EXPORT uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  if (!info) return kNobody;
  Faults& faults = Runtime::instance().faults;
  faults.tell(static_cast<aclError>(info->code));
  faults.accept();
  return info->code;
}

OPKIT_ACL_EXPORT aclError aclrtGetThreadLastTaskId(uint32_t* task) {
  if (!task) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetThreadLastTaskId wants a place");
  const uint64_t number = last_number_here();
  if (number == 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "this thread has given no stream a task; launch or copy something first");
  *task = task_id(number);
  return ACL_SUCCESS;
}
