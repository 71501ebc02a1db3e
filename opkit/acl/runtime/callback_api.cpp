// Calls about functions of the program that streams call.
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/callback.h"
#include "opkit/acl/streams/program_scheduler.h"

using namespace opkit::acl;

namespace {

aclError check_stream(aclrtStream stream) {
  const Lock lock;
  return the_device().find(stream) ? aclError{ACL_SUCCESS} : no_stream(stream);
}

}  // namespace

OPKIT_ACL_EXPORT aclError aclrtSubscribeReport(uint64_t thread, aclrtStream stream) {
  if (const aclError code = check_stream(stream)) return code;
  return callbacks().subscribe(thread, stream);
}

OPKIT_ACL_EXPORT aclError aclrtUnSubscribeReport(uint64_t thread, aclrtStream stream) {
  return callbacks().unsubscribe(thread, stream);
}

OPKIT_ACL_EXPORT aclError aclrtLaunchCallback(aclrtCallback function, void* data,
                                              aclrtCallbackBlockType blocks, aclrtStream stream) {
  if (!function || blocks < ACL_CALLBACK_NO_BLOCK || blocks > ACL_CALLBACK_BLOCK)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtLaunchCallback wants a function, and 0 or 1");
  return submit(stream, [&](Task& task) {
    if (blocks == ACL_CALLBACK_BLOCK) task.holds = std::make_shared<Moment>();
    return callbacks().prepare(function, data, stream, task);
  });
}

// (Page "aclrtLaunchHostFunc".)
OPKIT_ACL_EXPORT aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc function,
                                              void* data) {
  if (!function)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtLaunchHostFunc of no function; pass the address of one");
  return submit(stream, [&](Task& task) -> aclError {
    task.calls_back = true;
    task.work = [function, data]() -> aclError {
      function(data);
      return ACL_SUCCESS;
    };
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtProcessReport(int32_t timeout) {
  if (timeout < -1 || timeout == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "timeout %d ms; -1 is none, 0 is not possible", timeout);
  the_scheduler().asked();
  return callbacks().process(this_thread_id(), timeout);
}
