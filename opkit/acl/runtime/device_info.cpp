// What the device is, and that it is alone.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"

namespace opkit::acl {
namespace {

// -1: not known.
int64_t value_of(const EmulatedDevice& device, aclrtDevAttr attr) {
  const opk_soc_v1& soc = device.soc();
  switch (attr) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM: return soc.core_num;
    case ACL_DEV_ATTR_CUBE_CORE_NUM: return soc.cube_core_num;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM: return soc.vector_core_num;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return soc.memory_size[OPK_MEM_GM] ? static_cast<int64_t>(soc.memory_size[OPK_MEM_GM]) : -1;
    case ACL_DEV_ATTR_L2_CACHE_SIZE: return static_cast<int64_t>(soc.l2_size);
    case ACL_DEV_ATTR_IS_VIRTUAL: return 0;
    default: return -1;
  }
}

aclError no_device(int64_t device) {
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %lld: there is one device, number 0",
              static_cast<long long>(device));
}

aclError no_peer(int32_t peer) {
  if (peer != 0) return no_device(peer);
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "a device is no peer of itself");
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attr, int64_t* value) {
  if (device != 0) return no_device(device);
  if (!value) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceInfo wants a place");
  const Lock lock;
  const int64_t found = value_of(the_device(), attr);
  if (found < 0)
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attribute %d of %s is not known",
                static_cast<int>(attr), the_device().soc().name);
  *value = found;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t device, int32_t peer) {
  if (!can) return fail(ACL_ERROR_INVALID_PARAM, "aclrtDeviceCanAccessPeer wants a place");
  if (device != 0 || peer != 0) return no_device(device ? device : peer);
  *can = 0;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t) {
  return no_peer(peer);
}

OPKIT_ACL_EXPORT aclError aclrtDeviceDisablePeerAccess(int32_t peer) { return no_peer(peer); }
