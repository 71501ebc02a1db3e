// What every header of an op's aclnn calls includes, and the beginning and end of programs that use
// nothing else. (Vendor's pages "aclnnInit", "aclnnFinalize".)
#ifndef OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_
#define OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In place of aclInit, or beside it. configPath: NULL or a JSON file, of which
 * {"op_debug_config": {"enable_debug_kernel": "on"}} is read: kernels are watched then, as
 * OPKIT_MODE=checked does, which must be set. */
aclnnStatus aclnnInit(const char* configPath);
/* Names what was never given back, on stderr, when there is no aclFinalize to come. */
aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACLNN_ACLNN_BASE_H_
