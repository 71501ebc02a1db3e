// Device, streams, events and memory. Streams run what they are given at once and in order.
// (Vendor's pages "aclrtMalloc", "aclrtMemcpy", "aclrtCreateStream", "aclrtCreateEvent" ...)
#ifndef OPKIT_INCLUDE_ACL_ACL_RT_H_
#define OPKIT_INCLUDE_ACL_ACL_RT_H_

#include "acl_rt_device.h"
#include "acl_rt_exception.h"
#include "acl_rt_graph.h"
#include "acl_rt_kernel.h"
#include "acl_rt_memory.h"
#include "acl_rt_stream.h"

#endif  // OPKIT_INCLUDE_ACL_ACL_RT_H_
