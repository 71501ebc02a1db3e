// Streams of the runtime API.
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/new_handle.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/callback.h"

namespace opkit::acl {
namespace {

// Returns the number of the next stream; the default one has 0. REQUIRES: the lock is held.
int32_t next_stream() {
  static int32_t next = 1;
  return next++;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtCreateStream(aclrtStream* stream) {
  const Lock lock;
  const int32_t number = next_stream();
  if (const aclError code = make_numbered(the_device().streams(), number, stream)) return code;
  Stream& made = *the_device().find(*stream);
  made.context = contexts().current();
  made.queue->stream = made.id;
  return ACL_SUCCESS;
}

// Waits for the stream's work.
OPKIT_ACL_EXPORT aclError aclrtDestroyStream(aclrtStream stream) {
  if (const aclError code = check_not_captured(stream, "aclrtDestroyStream")) return code;
  if (const aclError code = callbacks().check_wait(stream)) return code;
  if (stream && queue_of(stream)) finish(stream);
  faults().accept();
  {
    const Lock lock;
    if (const aclError code = the_device().streams().destroy(stream)) return code;
  }
  callbacks().forget(stream);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeStream(aclrtStream stream) {
  return aclrtSynchronizeStreamWithTimeout(stream, -1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  return wait_for(stream, deadline_of(timeout));
}
