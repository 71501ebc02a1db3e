// Image pre-processing: pictures, and video, which is refused by name.
#ifndef OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_H_
#define OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_H_

#include "acl/ops/acl_dvpp_picture.h"
#include "acl/ops/acl_dvpp_video.h"

#endif  // OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_H_
