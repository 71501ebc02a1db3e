// Memory with attributes, and questions whose memory it is.
#include <unistd.h>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/memory_pool.h"

namespace opkit::acl {
namespace {

aclError check_attribute(const aclrtMallocAttribute& one) {
  if (one.attr == ACL_RT_MEM_ATTR_MODULE_ID) return ACL_SUCCESS;
  if (one.attr != ACL_RT_MEM_ATTR_DEVICE_ID)
    return fail(ACL_ERROR_INVALID_PARAM,
                "attribute %d of device memory; ACL_RT_MEM_ATTR_MODULE_ID and "
                "ACL_RT_MEM_ATTR_DEVICE_ID are possible",
                static_cast<int>(one.attr));
  if (one.value.deviceId == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, "memory of device %u: there is one device, number 0",
              one.value.deviceId);
}

aclError check_attributes(const aclrtMallocConfig* config) {
  if (!config) return ACL_SUCCESS;
  if (config->numAttrs != 0 && !config->attrs)
    return fail(ACL_ERROR_INVALID_PARAM, "%zu attributes of memory, but none given",
                config->numAttrs);
  for (size_t i = 0; i < config->numAttrs; ++i) {
    if (const aclError code = check_attribute(config->attrs[i])) return code;
  }
  return ACL_SUCCESS;
}

aclrtMemLocationType location_of(const DeviceMemory& memory, const void* pointer) {
  if (pinned_memory().holds(pointer, 1) || memory.is_hosts(pointer))
    return ACL_MEM_LOCATION_TYPE_HOST;
  return memory.touches(pointer) ? ACL_MEM_LOCATION_TYPE_DEVICE
                                 : ACL_MEM_LOCATION_TYPE_UNREGISTERED;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtMallocWithCfg(void** result, size_t size,
                                             aclrtMemMallocPolicy policy,
                                             aclrtMallocConfig* config) {
  if (const aclError code = check_attributes(config)) return code;
  return aclrtMalloc(result, size, policy);
}

// All memory lies in pages of this host.
OPKIT_ACL_EXPORT aclError aclrtPointerGetAttributes(const void* pointer,
                                                    aclrtPtrAttributes* attributes) {
  if (!pointer || !attributes)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtPointerGetAttributes wants a pointer and a place");
  const Lock lock;
  *attributes = {};
  attributes->location.type = location_of(the_device().memory(), pointer);
  if (attributes->location.type != ACL_MEM_LOCATION_TYPE_UNREGISTERED)
    attributes->pageSize = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  return ACL_SUCCESS;
}
