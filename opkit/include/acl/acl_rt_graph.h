// Work of streams that is captured and executed again and again. acl_rt.h includes this. (Vendor's
// pages "aclmdlRICaptureBegin" and its neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_RT_GRAPH_H_
#define OPKIT_INCLUDE_ACL_ACL_RT_GRAPH_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* aclmdlRI;
typedef void* aclrtTaskGrp;
/* Who may call aclrtMemcpy, aclrtMemset, aclrtMemcpy2d, and asynchronous copies with host memory
 * that is not pinned, while a stream is captured. */
typedef enum {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,   /* nobody */
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL, /* other threads */
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED       /* everybody */
} aclmdlRICaptureMode;
typedef enum {
  ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
  ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE,
  ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
} aclmdlRICaptureStatus;

/* What the stream is given from here on is kept in place of being done; so is that of streams that
 * wait for its events. Not for the default stream. */
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
/* Every stream that was drawn in must have come back by an event. In an error the capture is over
 * and there is no modelRI, but for 107029, 107036 and 107038. */
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI);
/* Sets this thread's mode; *mode is the one before. */
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);

/* The kernels and single operators between these two can be replaced. */
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);
/* What the stream, which is not captured, is given between these two replaces the group's, in this
 * order and as many, when the stream comes to it. */
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/* timeout: milliseconds, -1 = none. */
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
aclError aclmdlRIDestroy(aclmdlRI modelRI);

#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL
/* Device, stream, number and type of every captured task, a line each on stdout. */
aclError aclmdlRIDebugPrint(aclmdlRI modelRI);
/* Writes a Chrome trace, a row per stream; tasks have no time in it, only an order. flags:
 * ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY; arguments of kernels are not kept (VERBOSE gives 207000). */
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_RT_GRAPH_H_
