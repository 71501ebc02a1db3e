// The part of the vendor's runtime API that there is; docs/programs.md lists it.
#ifndef OPKIT_INCLUDE_ACL_ACL_H_
#define OPKIT_INCLUDE_ACL_ACL_H_

#include "acl_base.h"
#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* configPath: NULL or a JSON file; its settings are for real devices and have no effect here. */
aclError aclInit(const char* configPath);
/* Names device memory, streams and events that were never given back, on stderr. */
aclError aclFinalize(void);
/* Of the interface that this header is. */
aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_H_
