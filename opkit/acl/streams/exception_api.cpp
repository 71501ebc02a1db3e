// What programs ask of tasks that failed.
#include "opkit/acl/base/faults.h"
#include "opkit/acl/streams/exception.h"
#include "opkit/acl/streams/scheduler.h"

using namespace opkit::acl;

namespace {

constexpr uint32_t kNobody = 0xFFFFFFFF;

}  // namespace

OPKIT_ACL_EXPORT aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  exceptions().call(callback);
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
  faults().tell(static_cast<aclError>(info->code));
  faults().accept();
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
