// What a program is told of tasks that fail, and how long an operator may take. acl_rt.h includes
// this. (Vendor's pages "aclrtSetExceptionInfoCallback", "aclrtSetOpExecuteTimeOut" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_RT_EXCEPTION_H_
#define OPKIT_INCLUDE_ACL_ACL_RT_EXCEPTION_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclrtExceptionInfo aclrtExceptionInfo;
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo* exceptionInfo);

/* Called for every task of a stream that fails from here on, and for aclmdlExecute, on whichever
 * thread runs it and before anybody who waits for it goes on: it must not wait for streams. NULL:
 * nobody is told. */
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);
/* 0xFFFFFFFF where info is NULL. Thread: the one that gave the stream its task, as gettid() names
 * it; stream: as aclrtStreamGetId does, 0 for aclmdlExecute. */
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);
/* Gives the number of the task that this thread gave to a stream last. */
aclError aclrtGetThreadLastTaskId(uint32_t* taskId);

/* Bounds a kernel in modelled time, which is known in Timed mode (OPKIT_MODE=timed) and judged
 * there: one that takes longer fails with 507014. 0: any time, as before the first call. In
 * seconds, milliseconds, microseconds; actualTimeout: what is judged by, UINT64_MAX for any. */
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_RT_EXCEPTION_H_
