// The device and contexts of the runtime API.
#include <vector>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/base/program.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/retired_memory.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/callback.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/acl/streams/stream.h"

namespace opkit::acl {
namespace {

aclError check_device(int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d: there is one device, number 0", device);
}

// Tells whether the device can be reset, and at once.
aclError take_back(bool force, bool& last) {
  const Lock lock;
  const uint64_t times = contexts().times_set();
  if (times == 0)
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "the device is not set, or was reset as often; call aclrtSetDevice first");
  last = force || times == 1;
  if (!last) contexts().take_back_once();
  return ACL_SUCCESS;
}

aclError no_context(const char* call) {
  return fail(ACL_ERROR_RT_CONTEXT_NULL,
              "%s: this thread has no context; call aclrtSetDevice or aclrtSetCurrentContext first",
              call);
}

// The default stream is named by null.
std::vector<const void*> stream_names() {
  const Lock lock;
  std::vector<const void*> names = {nullptr};
  the_device().streams().each([&](const Stream& stream) { names.push_back(&stream); });
  return names;
}

// Checks whether this thread may wait for the device's work. A reset names the device and wants no
// context.
aclError check_thread(const char* call) {
  const Lock lock;
  return contexts().check_thread(call);
}

// Checks whether this thread may wait for every stream.
aclError check_wait(const char* call) {
  {
    const Lock lock;
    if (const aclError code = captures().check_none(call)) return code;
  }
  for (const void* const stream : stream_names()) {
    if (const aclError code = callbacks().check_wait(stream)) return code;
  }
  return ACL_SUCCESS;
}

std::vector<std::shared_ptr<TaskQueue>> queues_of() {
  const Lock lock;
  std::vector<std::shared_ptr<TaskQueue>> queues = {the_device().find(nullptr)->queue};
  the_device().streams().each([&](const Stream& stream) { queues.push_back(stream.queue); });
  return queues;
}

// The last of them waits for all streams; what went wrong on the device is over then.
aclError reset_device(int32_t device, bool force, const char* call) {
  if (const aclError code = check_device(device)) return code;
  if (const aclError code = check_wait(call)) return code;
  bool last = false;
  if (const aclError code = take_back(force, last)) return code;
  if (!last) return ACL_SUCCESS;
  the_scheduler().wait_for_all();
  the_scheduler().stop_on_failure(false);
  for (const auto& queue : queues_of()) the_scheduler().forget_failure(*queue);
  const Lock lock;
  retired_memory().sweep(the_scheduler());
  contexts().reset_device();
  faults().accept();
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtSetDevice(int32_t device) {
  const Lock lock;
  if (const aclError code = check_device(device)) return code;
  contexts().set_device();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtResetDevice(int32_t device) {
  return reset_device(device, false, "aclrtResetDevice");
}

OPKIT_ACL_EXPORT aclError aclrtResetDeviceForce(int32_t device) {
  return reset_device(device, true, "aclrtResetDeviceForce");
}

OPKIT_ACL_EXPORT aclError aclrtFreeWithDevSync(void* memory) {
  if (const aclError code = check_thread("aclrtFreeWithDevSync")) return code;
  if (const aclError code = check_wait("aclrtFreeWithDevSync")) return code;
  the_scheduler().wait_for_all();
  return aclrtFree(memory);
}

OPKIT_ACL_EXPORT aclError aclrtGetDevice(int32_t* device) {
  const Lock lock;
  if (!device) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice wants a place");
  if (!has_context()) return no_context("aclrtGetDevice");
  *device = 0;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetDeviceCount(uint32_t* count) {
  if (!count) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount wants a place");
  *count = 1;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (!mode) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetRunMode wants a place");
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT const char* aclrtGetSocName(void) {
  const Lock lock;
  return program_soc().name;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeDevice(void) {
  return aclrtSynchronizeDeviceWithTimeout(-1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  if (const aclError code = check_thread("aclrtSynchronizeDevice")) return code;
  if (const aclError code = check_wait("aclrtSynchronizeDevice")) return code;
  if (!the_scheduler().wait_for_all(deadline_of(timeout)))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the streams took more than %d ms", timeout);
  for (const auto& queue : queues_of()) {
    const TaskFailure failure = the_scheduler().failure(*queue);
    if (failure.code) return faults().tell(fail(failure.code, "%s", failure.text.c_str()));
  }
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  const Lock lock;
  if (!context)
    return fail(ACL_ERROR_INVALID_PARAM,
                "no place for the new context; hand in the address of a handle");
  if (const aclError code = check_device(device)) return code;
  *context = contexts().add();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtDestroyContext(aclrtContext context) {
  const Lock lock;
  return contexts().destroy(context);
}

OPKIT_ACL_EXPORT aclError aclrtSetCurrentContext(aclrtContext context) {
  const Lock lock;
  return contexts().choose(context);
}

OPKIT_ACL_EXPORT aclError aclrtGetCurrentContext(aclrtContext* context) {
  const Lock lock;
  if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext wants a place");
  const Context* const current = contexts().current();
  if (!current) return no_context("aclrtGetCurrentContext");
  *context = const_cast<Context*>(current);
  return ACL_SUCCESS;
}
