// Callbacks on streams, and what streams, events and devices can be asked and told beyond the
// usual. acl_rt.h includes this. (Vendor's pages "aclrtLaunchCallback",
// "aclrtCreateStreamWithConfig", "aclrtCreateEventWithFlag", "aclrtGetDeviceInfo" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_RT_STREAM_H_
#define OPKIT_INCLUDE_ACL_ACL_RT_STREAM_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_STREAM_PERSISTENT 0x00000004U
#define ACL_STREAM_HUGE 0x00000008U
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U

#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U

typedef void (*aclrtCallback)(void* userData);
typedef void (*aclrtHostFunc)(void* args);
typedef enum aclrtCallbackBlockType {
  ACL_CALLBACK_NO_BLOCK = 0,
  ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;
typedef enum aclrtStreamStatus {
  ACL_STREAM_STATUS_COMPLETE = 0,
  ACL_STREAM_STATUS_NOT_READY = 1,
  ACL_STREAM_STATUS_RESERVED = 0xFFFF
} aclrtStreamStatus;
typedef enum aclrtEventWaitStatus {
  ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
  ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
  ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF
} aclrtEventWaitStatus;
typedef enum {
  ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
  ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
  ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
  ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
  ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
  ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
  ACL_DEV_ATTR_IS_VIRTUAL = 501
} aclrtDevAttr;

/* threadId: pthread_self() of the thread that calls aclrtProcessReport. One thread serves any
 * number of streams, a stream is served by one thread. */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);
/* ACL_CALLBACK_BLOCK: later work of the stream waits until fn has returned. */
aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream);
/* Needs no thread of the program's: fn is called on whichever thread runs the stream, and
 * later work waits for it. It calls nothing of this interface. */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);
/* Calls what is due on this thread. timeout: milliseconds, -1 = none. */
aclError aclrtProcessReport(int32_t timeout);

/* priority: 0 (first) to 7, what is above is 7; flag: 0, ACL_STREAM_FAST_LAUNCH,
 * ACL_STREAM_FAST_SYNC, ACL_STREAM_HUGE and what has no name. Kept, without effect on this host;
 * the other three are refused. */
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag);
/* Does not wait for what the stream has not begun: that never runs. */
aclError aclrtDestroyStreamForce(aclrtStream stream);
/* Aborts the stream's work, and the stream lives on. */
aclError aclrtStreamAbort(aclrtStream stream);
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);
/* 0 for the default stream; no number is given twice. */
aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);
aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority);

/* Once for each stream. ACL_STOP_ON_FAILURE, for all streams then: behind a failure a stream does
 * nothing but callbacks and takes nothing more. */
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/* Bounds waits of streams for events from here on, in seconds; 0 = none. */
aclError aclrtSetOpWaitTimeout(uint32_t timeout);
/* As aclrtStreamWaitEvent. timeout: seconds, 0 = none, whatever aclrtSetOpWaitTimeout says. */
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);
/* Without ACL_EVENT_SYNC no stream waits for it, without ACL_EVENT_TIME_LINE it has no time. */
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
/* Creates an event that cannot be reset. */
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
/* Whether the waits of streams for it are over. */
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status);
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);
/* No number is given twice. */
aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);
/* Microseconds of a clock of this host. */
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value);
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
/* There is one device: it has no peers. */
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId);
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_RT_STREAM_H_
