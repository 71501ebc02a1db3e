// How long an operator may take.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"

namespace opkit::acl {
namespace {

aclError allow(std::chrono::nanoseconds time) {
  const Lock lock;
  the_device().allow(time);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return allow(std::chrono::seconds(timeout));
}

OPKIT_ACL_EXPORT aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return allow(std::chrono::milliseconds(timeout));
}

OPKIT_ACL_EXPORT aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actual) {
  constexpr uint64_t kMost = uint64_t{1} << 53;  // 285 years: it can be counted in nanoseconds
  if (!actual) return fail(ACL_ERROR_INVALID_PARAM, "aclrtSetOpExecuteTimeOutV2 wants a place");
  if (timeout > kMost)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "a time of %llu us; 0, any, to %llu are possible",
                static_cast<unsigned long long>(timeout), static_cast<unsigned long long>(kMost));
  *actual = timeout == 0 ? UINT64_MAX : timeout;
  return allow(std::chrono::microseconds(timeout));
}
